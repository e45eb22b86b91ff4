// Which variables does git see?

import { delimiter } from "node:path";

import { ownPath } from "../adapters/process/find-program.ts";

export type Environment = Readonly<Record<string, string>>;

/** Variables that would lead git to another repository, index or behaviour than the working tree's. */
const STRIPPED = new Set([
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_DIFF_OPTS",
  "GIT_DIR",
  "GIT_EXTERNAL_DIFF",
  "GIT_GLOB_PATHSPECS",
  "GIT_ICASE_PATHSPECS",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_NAMESPACE",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_SHALLOW_FILE",
  "GIT_TRACE",
  "GIT_WORK_TREE",
]);

/**
 * The same for every command, so that all of them can be run by one shell. What git starts is looked
 * for inside the repository last: a filter may be installed there, and an agent can add an `ssh`.
 * What stands for another object, or for its parents, is a ref or a file that an agent can add.
 */
export function gitEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): Environment {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || STRIPPED.has(name) ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(kept),
    ...pathFor(env["PATH"], root),
    GIT_EDITOR: ":",
    GIT_GRAFT_FILE: "",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

function pathFor(path: string | undefined, root: string): Environment {
  if (path === undefined) return {};
  const { outside, inside } = ownPath(path, root);
  return { PATH: [...outside, ...inside].join(delimiter) };
}
