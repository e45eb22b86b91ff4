// What has the script made so far that it may do with as it likes: a cluster, a repository, trees?

import {
  fromWord,
  optionValues,
  positionals,
  setOf,
  subcommand,
  valuedOptions,
} from "../shell/call.ts";
import type { Call } from "../shell/call.ts";
import { absolutePath, type Standpoint } from "../shell/folder.ts";
import { isKnown } from "../shell/word.ts";

/** A subshell that ends takes none of it along. */
export interface Created {
  /** The cluster that is the current one; null: the script did not choose. */
  cluster: string | null;
  /** A repository that is new, or a copy of a folder. */
  hasRepository: boolean;
  /** One that has a server as its remote. */
  hasRemote: boolean;
  /** Folders of work trees of git. */
  readonly trees: string[];
}

export function nothingCreated(): Created {
  return { cluster: null, hasRepository: false, hasRemote: false, trees: [] };
}

/** Is a path in a work tree that the script added? */
export function isInCreatedTree(path: string, { where }: Call, { trees }: Created): boolean {
  const full = absolutePath(path, where.cwd);
  return full !== null && trees.some((tree) => `${full}/`.startsWith(`${tree}/`));
}

export function noteCreated(call: Call, created: Created): void {
  if (call.program === "git") return noteGit(call, created);
  if (!/^(?:kind|minikube|k3d|kubectl)$/.test(call.program)) return undefined;
  const [first = "", second = "", third = ""] = subcommand(call);
  if (call.program !== "kubectl") {
    if (/^(?:create|start)$/.test(first) || second === "create") created.cluster = "minikube";
  } else if (first === "config" && second === "use-context") created.cluster = third;
  return undefined;
}

const GIT_VALUED = setOf(
  "-b -B --branch -o --origin --depth --reference --template --initial-branch --reason -t -m",
);
const TREES_MAX = 12;

function noteGit(call: Call, created: Created): void {
  const { verb, args, where } = gitCall(call);
  const words = positionals(args, GIT_VALUED);
  if (verb === "init") created.hasRepository = true;
  else if (verb === "clone") noteOrigin(words[0] ?? "", created);
  else if (verb === "remote" && words[0] === "add") noteOrigin(words[2] ?? "", created);
  else if (verb === "worktree" && words[0] === "add" && created.trees.length < TREES_MAX) {
    const tree = absolutePath(words[1] ?? "", where.cwd);
    if (tree !== null && tree !== "/") created.trees.push(tree);
  }
}

/** "host:path" and "https://…" are servers; a path that is not known may be one. */
function noteOrigin(origin: string, created: Created): void {
  if (isKnown(origin) && (!origin.includes(":") || origin.startsWith("file://")))
    created.hasRepository = true;
  else created.hasRemote = true;
}

/** Where a call of git works, and what it is told to do. */
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
