// Where does a call of git work, and where among its words is the verb?

import { optionValues } from "../shell/call.ts";
import type { Call } from "../shell/call.ts";
import { absolutePath } from "./place.ts";
import type { Standpoint } from "./place.ts";
import { valuedOptions } from "../shell/valued.ts";

const GLOBAL_WORDS_MAX = 20;

/** Where git works: `-C` goes there first. */
export function standpointOf({ args, where }: Pick<Call, "args" | "where">): Standpoint {
  const global = args.slice(0, GLOBAL_WORDS_MAX);
  let { cwd } = where;
  for (const folder of optionValues(global.slice(0, verbIndex(global)), "-C"))
    cwd = absolutePath(folder, cwd);
  return { ...where, cwd };
}

/** The number of words, where there is no verb. */
export function verbIndex(args: readonly string[]): number {
  const valued = valuedOptions("git");
  for (let at = 0; at < args.length; at += 1) {
    if (valued.has(args[at] ?? "")) at += 1;
    else if (!(args[at] ?? "").startsWith("-")) return at;
  }
  return args.length;
}
