// Which calls delete files that no checkpoint keeps?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import { each, optionValues, positionals, setOf } from "../shell/call.ts";
import type { Call, Rule, Rules } from "../shell/call.ts";
import { findTargets } from "./find-command.ts";
import { isInMadeTree } from "../shell/made.ts";
import { absolutePath, placeOf } from "./place.ts";
import { valueOf } from "../shell/scope.ts";
import { expand } from "../shell/word.ts";

/** What deleting these paths would be. */
function deletion(paths: readonly string[], call: Call): IrreversibleAction | null {
  for (const path of paths) {
    const place = placeOf(path, call.where);
    if (place === "history") return "delete-history";
    if (place === "outside" && !isInMadeTree(path, call)) return "delete-outside";
  }
  return null;
}

const remove: Rule = (call) => deletion(positionals(call.args), call);

const shred: Rule = (call) =>
  deletion(positionals(call.args, setOf("-n --iterations -s --size --random-source")), call);

const truncate: Rule = (call) =>
  deletion(positionals(call.args, setOf("-s --size -r --reference")), call);

const find: Rule = (call) =>
  call.args.includes("-delete") ? deletion(findTargets(call.args), call) : null;

/** What goes from where it is kept to where nothing is; a new name in a folder of its own is none. */
const move: Rule = (call) => {
  const words = positionals(call.args, setOf("-t --target-directory -S --suffix"));
  const [folder] = optionValues(call.args, "-t --target-directory");
  const target = placeOf(folder ?? words.at(-1) ?? "", call.where);
  const places = (folder === undefined ? words.slice(0, -1) : words).map((path) =>
    isInMadeTree(path, call) ? "passing" : placeOf(path, call.where),
  );
  if (places.includes("history") && (target === "passing" || target === "outside"))
    return "delete-history";
  return places.includes("outside") && target === "passing" ? "delete-outside" : null;
};

export const DELETE_RULES: Rules = {
  ...each("rm grm unlink srm rimraf del-cli", remove),
  ...each("shred gshred", shred),
  ...each("truncate gtruncate", truncate),
  ...each("find gfind", find),
  ...each("mv gmv", move),
};

/** Where settings and the system's own files lie; elsewhere a program may well write a new file. */
const LASTING = /\/\.[^/]|^\/(?:etc|usr|var|opt|srv|boot|lib|bin|sbin)\//;

/** `> ~/.bashrc`, whatever the program is: what the file held is gone. */
export function overwrites(call: Call): IrreversibleAction | null {
  const written = call.redirects.filter(({ operator }) => operator === ">" || operator === ">|");
  if (written.length === 0) return null;
  const paths = expand(
    written.map(({ target }) => target),
    (name) => valueOf(name, call.env(name), call.where),
  );
  const isOutside = paths.some(
    (path) =>
      LASTING.test(absolutePath(path, call.where.cwd) ?? "") &&
      placeOf(path, call.where) === "outside" &&
      !isInMadeTree(path, call),
  );
  return isOutside ? "delete-outside" : null;
}
