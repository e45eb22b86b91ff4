// Where does a call of git work, and what is it told to do?

import { fromWord, optionValues, valuedOptions } from "../shell/call.ts";
import type { Call } from "../shell/call.ts";
import { absolutePath, type Standpoint } from "../shell/folder.ts";

export interface GitCall {
  readonly verb: string;
  /** After the verb. */
  readonly args: readonly string[];
  /** `-C` goes there first. */
  readonly where: Standpoint;
}

const GLOBAL_WORDS_MAX = 20;

export function gitCall(call: Call): GitCall {
  const [verb = "", ...args] = fromWord(call.args, valuedOptions("git"));
  const global = call.args.slice(0, call.args.length - args.length - 1).slice(0, GLOBAL_WORDS_MAX);
  let { cwd } = call.where;
  for (const folder of optionValues(global, "-C")) cwd = absolutePath(folder, cwd);
  return { verb, args, where: { ...call.where, cwd } };
}
