// Which calls of git and its kin send commits away, or end history?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import { each, hasLetter, hasOption, optionValues, positionals, setOf } from "../shell/call.ts";
import type { Call, Rule, Rules } from "../shell/call.ts";
import { standpointOf, verbIndex } from "./git-call.ts";
import { madeOf } from "../shell/made.ts";
import { placeOf } from "./place.ts";
import { rulesFrom } from "./verb-table.ts";
import type { VerbRow } from "./verb-table.ts";

const ROWS: readonly VerbRow[] = [
  [
    "git hub",
    "lfs push, subtree push, svn dcommit, p4 submit, send-pack, review, cl upload, http-push",
    "push",
  ],
  ["git", "send-email, imap-send", "message"],
  ["git", "flow * publish", "push"],
  ["hg sl", "push", "push"],
  ["jj", "git push", "push"],
  ["svn", "commit|ci|copy|delete|import", "push"],
  ["fossil", "push|sync", "push"],
  ["gt", "submit|s|ss", "push"],
  ["ghstack", "submit, ", "push"],
  ["arc", "land", "push"],
  ["mkdocs", "gh-deploy", "push"],
  ["docusaurus", "deploy", "push"],
  ["bfg", "*", "delete-history"],
];

const PUSH_VALUED = setOf("-o --push-option --repo --receive-pack --exec");

type Verb = (args: readonly string[], call: Call) => IrreversibleAction | null;

/** Is it a temporary repository that the script made, and gave no server? */
function isOwnRepository(call: Call): boolean {
  return (
    madeOf("repository", call).length > 0 &&
    madeOf("remote", call).length === 0 &&
    placeOf(".", standpointOf(call)) === "passing"
  );
}

/** A repository in a temporary folder, or in the work tree, is one that a test made. */
const push: Verb = (args, call) => {
  if (hasLetter(args, "n")) return null;
  if (args.some((arg) => /^:?refs\/orch\b|:refs\/orch\b/.test(arg))) return "delete-history";
  const remote = optionValues(args, "--repo")[0] ?? positionals(args, PUSH_VALUED)[0] ?? "";
  const path = remote.replace(/^file:\/\//, "");
  if (!/^(?:\/|~|\.{1,2}(?:\/|$))/.test(path))
    return !remote.includes(":") && isOwnRepository(call) ? null : "push";
  const place = placeOf(path, standpointOf(call));
  return place === "passing" || place === "inside" || place === "history" ? null : "push";
};

/** With `-x` it deletes what is ignored, and `.orch` ignores itself. */
const clean: Verb = (args, call) => {
  if (!hasLetter(args, "xX") || !(hasLetter(args, "f") || args.includes("--force"))) return null;
  if (
    hasLetter(args, "ni") ||
    optionValues(args, "-e --exclude").some((one) => /\.orch\b/.test(one))
  )
    return null;
  const paths = positionals(args, setOf("-e --exclude"));
  const { cwd, ...where } = standpointOf(call);
  const targets =
    paths.length === 0 ? ["."] : paths.map((path) => path.replace(/^:\/$/, where.root));
  return targets.some((path) => placeOf(path, { ...where, cwd }) === "history")
    ? "delete-history"
    : null;
};

/** A repository in a temporary folder is a copy to try things with. */
const filter: Verb = (_args, call) =>
  placeOf(".", standpointOf(call)) === "passing" ? null : "delete-history";

const reflog: Verb = ([verb = "", ...args]) => {
  if (verb !== "expire" && verb !== "delete") return null;
  return hasLetter(args, "n") ? null : "delete-history";
};

const gc: Verb = (args) =>
  args.some((arg) => /^--prune=(?:now|all)$/.test(arg)) ? "delete-history" : null;

const prune: Verb = (args) => (hasLetter(args, "n") ? null : "delete-history");

/** The refs that orch keeps what it rescued under. */
const updateRef: Verb = (args, call) => {
  const isDeletion = args.some((arg) => /^(?:-d|--delete|--stdin|--no-deref)$/.test(arg));
  const said = [...args, ...call.feeders().flat(), call.input() ?? ""];
  return isDeletion && said.some((one) => /\brefs\/orch\b/.test(one)) ? "delete-history" : null;
};

const VERBS: Readonly<Record<string, Verb>> = {
  push,
  clean,
  reflog,
  gc,
  prune,
  "filter-branch": filter,
  "filter-repo": filter,
  "update-ref": updateRef,
};

const git: Rule = (call) => {
  const at = verbIndex(call.args);
  const verb = call.args[at] ?? "";
  return Object.hasOwn(VERBS, verb) ? (VERBS[verb]?.(call.args.slice(at + 1), call) ?? null) : null;
};

/** `gh-pages -d dist` commits a folder and pushes it. */
const pushesFolder: Rule = ({ args }) => (args.length > 0 ? "push" : null);
const importsPages: Rule = ({ args }) =>
  hasLetter(args, "pf") || hasOption(args, setOf("--push --force")) ? "push" : null;

/** Alone it brings this copy up to date; with a name it writes to that repository. */
const syncsRepository: Rule = ({ args }) => {
  const [group, verb, name] = positionals(args, setOf("-R --repo -b --branch -s --source"));
  return group === "repo" && verb === "sync" && name !== undefined ? "push" : null;
};

const versions: Rule = ({ args }) => (positionals(args)[0] === "version" ? "push" : null);

const SPECIAL: Rules = {
  ...each("git hub", git),
  "git-filter-repo": ({ args }) => (hasOption(args, setOf("--analyze")) ? null : "delete-history"),
  ...each("gh-pages angular-cli-ghpages", pushesFolder),
  "ghp-import": importsPages,
  lerna: versions,
  gh: syncsRepository,
};

export const GIT_RULES: readonly Rules[] = [rulesFrom(ROWS), SPECIAL];
