// Which files does a `find` hand on?

import { programName } from "./wrappers.ts";

/** A file below the folders that are searched, whose name nobody knows. */
const SOMETHING = "=found";
const TARGETS_MAX = 50;

/** What makes the search skip something; `-type f` alone skips no file of `.git`. */
const NARROWS =
  /^(?:-i?name|-i?path|-i?wholename|-i?regex|-not|!|-prune|-newer\w{0,2}|-[acm](?:time|min)|-empty|-size|-user|-group|-perm|-links|-inum|-xtype|-lname)$/;
const GLOBAL = /^-(?:[HLP]|O\d|D)$/;

/**
 * The folders themselves where nothing is skipped, otherwise something in them; and what a name
 * asks for, if it is a folder that holds history.
 */
export function findTargets(args: readonly string[]): readonly string[] {
  const roots = rootsOf(args);
  const isNarrow =
    args.some((arg) => NARROWS.test(arg)) ||
    (args.includes("-maxdepth") && args.includes("-type")) ||
    valueAfter(args, "-type") === "l";
  const name = valueAfter(args, "-name");
  const isTop = !(Number(valueAfter(args, "-mindepth")) > 1);
  return roots.flatMap((root) => {
    if (!isNarrow) return [root];
    const found = [`${root}/${SOMETHING}`];
    return (name === ".git" || name === ".orch") && isTop ? [...found, `${root}/${name}`] : found;
  });
}

function rootsOf(args: readonly string[]): readonly string[] {
  const start = args.findIndex((arg) => !GLOBAL.test(arg));
  const rest = start === -1 ? [] : args.slice(start, start + TARGETS_MAX);
  const end = rest.findIndex((arg) => /^[-(!]/.test(arg));
  const roots = end === -1 ? rest : rest.slice(0, end);
  return roots.length === 0 ? ["."] : roots;
}

function valueAfter(args: readonly string[], option: string): string | null {
  const at = args.indexOf(option);
  return at === -1 ? null : (args[at + 1] ?? null);
}

/** What a command of a pipe prints, where that is paths that can be told. */
export function targetsOf([word = "", ...args]: readonly string[]): readonly string[] {
  const program = programName(word);
  if (program === "find") return findTargets(args);
  const paths = args.filter((arg) => !arg.startsWith("-")).slice(0, TARGETS_MAX);
  if (program === "echo") return paths;
  if (program !== "ls") return [];
  return paths.map((path) => (/[*?[]/.test(path) ? path : `${path}/${SOMETHING}`));
}
