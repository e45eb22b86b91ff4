// What has the script made so far that it may do with as it likes: clusters, repositories, trees?

import { positionals, setOf } from "./call.ts";
import type { Call } from "./call.ts";
import { standpointOf, verbIndex } from "../acts/git-call.ts";
import { absolutePath } from "../acts/place.ts";
import { isKnown } from "./word.ts";
import { subcommand } from "../acts/verb-table.ts";

/** A name for what the script made; no variable is called so. */
export const MADE_VARIABLE = "=made";

type Kind =
  /** The name of the cluster that is the current one. */
  | "cluster"
  /** A repository that is new, a copy of a folder, or has a folder as its remote. */
  | "repository"
  /** One that has a server as its remote. */
  | "remote"
  /** The folder of a work tree of git. */
  | "tree";

const LINES_MAX = 12;

/** What is known after the call; null: the call adds nothing. */
export function madeBy(call: Call): string | null {
  const line = lineOf(call);
  if (line === null || !isKnown(line)) return null;
  const before = linesOf(call).filter((one) => one !== line);
  return [...before, line].slice(-LINES_MAX).join("\n");
}

/** What was made of a kind, the latest last. */
export function madeOf(kind: Kind, call: Pick<Call, "env">): readonly string[] {
  return linesOf(call)
    .filter((line) => line.startsWith(`${kind} `))
    .map((line) => line.slice(kind.length + 1));
}

/** Is a path in a work tree that the script added? */
export function isInMadeTree(path: string, call: Pick<Call, "env" | "where">): boolean {
  const full = absolutePath(path, call.where.cwd);
  return full !== null && madeOf("tree", call).some((tree) => `${full}/`.startsWith(`${tree}/`));
}

function linesOf({ env }: Pick<Call, "env">): readonly string[] {
  const value = env(MADE_VARIABLE) ?? "";
  return isKnown(value) ? value.split("\n").filter((line) => line !== "") : [];
}

function lineOf(call: Call): string | null {
  if (call.program === "git") return gitLine(call);
  const cluster = clusterOf(call);
  return cluster === null ? null : `cluster ${cluster}`;
}

/** The cluster that a call makes the current one. */
function clusterOf(call: Call): string | null {
  if (!/^(?:kind|minikube|k3d|kubectl)$/.test(call.program)) return null;
  const [first = "", second = "", third = ""] = subcommand(call);
  if (call.program === "kubectl")
    return first === "config" && second === "use-context" ? third : null;
  return /^(?:create|start)$/.test(first) || second === "create" ? "minikube" : null;
}

const GIT_VALUED = setOf(
  "-b -B --branch -o --origin --depth --reference --template --initial-branch --reason -t -m --separate-git-dir",
);

function gitLine(call: Call): string | null {
  const at = verbIndex(call.args);
  const verb = call.args[at] ?? "";
  if (!/^(?:init|clone|remote|worktree)$/.test(verb)) return null;
  const words = positionals(call.args.slice(at + 1), GIT_VALUED);
  if (verb === "init") return "repository new";
  if (verb === "clone") return originLine(words[0] ?? "");
  if (words[0] !== "add") return null;
  if (verb === "remote") return originLine(words[2] ?? "");
  const tree = absolutePath(words[1] ?? "", standpointOf(call).cwd);
  return tree === null || tree === "/" ? null : `tree ${tree}`;
}

/** "host:path" and "https://…" are servers; a path that is not known may be one. */
function originLine(origin: string): string {
  const isFolder = isKnown(origin) && (!origin.includes(":") || origin.startsWith("file://"));
  return isFolder ? "repository copy" : "remote away";
}
