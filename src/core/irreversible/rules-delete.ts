// Which calls delete files that no checkpoint keeps?

import type { IrreversibleAction } from "./action.ts";
import { each, positionals, setOf } from "./call.ts";
import type { Call, Rule, Rules } from "./call.ts";
import { findTargets } from "./find-command.ts";
import { placeOf } from "./place.ts";

/** What deleting these paths would be. */
function deletion(paths: readonly string[], { where }: Call): IrreversibleAction | null {
  for (const path of paths) {
    const place = placeOf(path, where);
    if (place === "history") return "delete-history";
    if (place === "outside") return "delete-outside";
  }
  return null;
}

const remove: Rule = (call) => deletion(positionals(call.args), call);

const shred: Rule = (call) =>
  deletion(positionals(call.args, setOf("-n --iterations -s --size --random-source")), call);

const find: Rule = (call) =>
  call.args.includes("-delete") ? deletion(findTargets(call.args), call) : null;

export const DELETE_RULES: Rules = {
  ...each("rm grm unlink srm rimraf del-cli", remove),
  ...each("shred gshred", shred),
  ...each("find gfind", find),
};
