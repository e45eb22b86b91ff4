// Which calls of git send commits away, or end history?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import { eachOf, hasLetter, optionValues, positionals, setOf, type Call } from "../shell/call.ts";
import { gitCall, type Created, type GitCall } from "./created.ts";
import { placeOf } from "./place.ts";
import type { Rule, Rules } from "./rule.ts";

type Verb = (git: GitCall, call: Call, created: Created) => IrreversibleAction | null;

const PUSH_VALUED = setOf("-o --push-option --repo --receive-pack --exec");

/** A repository in a temporary folder, or in the work tree, is one that a test made. */
const push: Verb = ({ args, where }, _call, created) => {
  if (hasLetter(args, "n")) return null;
  if (args.some((arg) => /^:?refs\/orch\b|:refs\/orch\b/.test(arg))) return "delete-history";
  const remote = optionValues(args, "--repo")[0] ?? positionals(args, PUSH_VALUED)[0] ?? "";
  const path = remote.replace(/^file:\/\//, "");
  if (/^(?:\/|~|\.{1,2}(?:\/|$))/.test(path)) {
    const place = placeOf(path, where);
    return place === "outside" || place === "unknown" ? "push" : null;
  }
  const isOwn = created.hasRepository && !created.hasRemote && placeOf(".", where) === "passing";
  return isOwn && !remote.includes(":") ? null : "push";
};

/** With `-x` it deletes what is ignored, and `.orch` ignores itself. */
const clean: Verb = ({ args, where }) => {
  if (!hasLetter(args, "xX") || !(hasLetter(args, "f") || args.includes("--force"))) return null;
  if (hasLetter(args, "ni")) return null;
  if (optionValues(args, "-e --exclude").some((one) => /\.orch\b/.test(one))) return null;
  const paths = positionals(args, setOf("-e --exclude"));
  const targets = paths.length === 0 ? ["."] : paths;
  return targets.some((path) => placeOf(path.replace(/^:\/$/, where.root), where) === "history")
    ? "delete-history"
    : null;
};

/** A repository in a temporary folder is a copy to try things with. */
const filter: Verb = ({ args, where }) =>
  args.includes("--analyze") || placeOf(".", where) === "passing" ? null : "delete-history";

const reflog: Verb = ({ args }) =>
  /^(?:expire|delete)$/.test(args[0] ?? "") && !hasLetter(args, "n") ? "delete-history" : null;

const gc: Verb = ({ args }) =>
  args.some((arg) => /^--prune=(?:now|all)$/.test(arg)) ? "delete-history" : null;

const prune: Verb = ({ args }) => (hasLetter(args, "n") ? null : "delete-history");

/** The refs that orch keeps what it rescued under. */
const updateRef: Verb = ({ args }, call) => {
  const isDeletion = args.some((arg) => /^(?:-d|--delete|--stdin|--no-deref)$/.test(arg));
  const said = [...args, ...call.feeders().flat(), call.input() ?? ""];
  return isDeletion && said.some((one) => /\brefs\/orch\b/.test(one)) ? "delete-history" : null;
};

const VERBS = eachOf<Verb>({
  push: push,
  clean: clean,
  "filter-branch filter-repo": filter,
  reflog: reflog,
  gc: gc,
  prune: prune,
  "update-ref": updateRef,
});

const git: Rule = (call, created) => {
  const own = gitCall(call);
  return VERBS.get(own.verb)?.(own, call, created) ?? null;
};

export const GIT_RULES: Rules = [["git", git]];
