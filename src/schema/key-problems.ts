// What is wrong with a strict document, key by key, in words its author can act on?

import type { z } from "zod";
import { valueAt } from "../core/views/policy-overlay.ts";
import { kindOf } from "./claims.ts";
import { suggestDuration } from "./duration.ts";
import { keyPath, parsed, type KeyPath, type Parsed, type Problem } from "./parsed.ts";
import { removedKey } from "./removed.ts";
import { suggestName } from "./suggest.ts";
import { keysIn, schemasAt } from "./walk.ts";

export interface KeyProblem extends Omit<Problem, "where"> {
  readonly path: KeyPath;
}

export const PROBLEMS_MAX = 50;

type Issue = z.core.$ZodIssue;

interface Document {
  readonly schema: z.ZodType;
  readonly raw: unknown;
}

/** The document, or every problem with its keys. */
export function parseKeys<T>(schema: z.ZodType<T>, raw: unknown): Parsed<T, KeyProblem> {
  const read = schema.safeParse(raw);
  if (read.success) return parsed(read.data);
  const problems = read.error.issues.flatMap((issue) => explained(issue, [], { schema, raw }));
  return { ok: false, problems: problems.slice(0, PROBLEMS_MAX) };
}

/** A name that must be one of those there are; nothing where none is given. */
export function unknownName(
  name: string | undefined,
  path: KeyPath,
  known: readonly string[],
): readonly KeyProblem[] {
  if (name === undefined || known.includes(name)) return [];
  return [problemAt(path, `there is no ${JSON.stringify(name)}`, suggestName(name, known))];
}

export function problemAt(
  path: KeyPath,
  words: string,
  suggestion: string | null = null,
): KeyProblem {
  return { path, message: path.length === 0 ? words : `${keyPath(path)}: ${words}`, suggestion };
}

function explained(issue: Issue, base: KeyPath, document: Document): readonly KeyProblem[] {
  const parts = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  const path = [...base, ...parts];
  const found = valueAt(document.raw, path.map(String));
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => unknownKey(key, path, knownKeys(document.schema, path)));
  if (issue.code === "invalid_key")
    return [problemAt(path, issue.issues[0]?.message ?? issue.message, removedKey(path))];
  if (found === undefined && path.length > 0) return [problemAt(path, "is missing")];
  const branch = issue.code === "invalid_union" ? likeliest(issue.errors) : undefined;
  if (branch !== undefined) return branch.flatMap((inner) => explained(inner, path, document));
  const words = `${expected(issue)}, found ${kindOf(found)}`;
  return [problemAt(path, words, suggested(issue, found))];
}

function unknownKey(key: string, path: KeyPath, known: readonly string[]): KeyProblem {
  const full = [...path, key];
  const shown = JSON.stringify(keyPath(full).slice(0, 200));
  // Another variant has it: a gate's command, say, beside a file to look for.
  return known.includes(key)
    ? {
        path: full,
        message: `${shown} does not go with the keys beside it`,
        suggestion: "remove it",
      }
    : {
        path: full,
        message: `unknown key ${shown}`,
        suggestion: removedKey(full) ?? suggestName(key, known),
      };
}

/** Of the branches of a union whose outer type fits the one with the fewest complaints. */
function likeliest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const isOuter = ({ path, code }: Issue): boolean =>
    path.length === 0 && (code === "invalid_type" || code === "invalid_value");
  return branches
    .filter((issues) => !issues.some(isOuter))
    .toSorted((a, b) => a.length - b.length)[0];
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  int: "a whole number",
  array: "a list",
  object: "an object",
  record: "an object",
};

function expected(issue: Issue): string {
  const choices = choicesOf(issue).map((choice) => JSON.stringify(choice));
  if (choices.length > 0)
    return `expected ${choices.length > 1 ? "one of " : ""}${choices.join(", ")}`;
  return issue.code === "invalid_type" && issue.message.startsWith("Invalid input")
    ? `expected ${TYPES[issue.expected] ?? `a ${issue.expected}`}`
    : issue.message;
}

function choicesOf(issue: Issue): readonly unknown[] {
  if (issue.code === "invalid_value") return issue.values;
  return issue.code === "invalid_union" && "options" in issue ? (issue.options ?? []) : [];
}

function suggested(issue: Issue, found: unknown): string | null {
  if (typeof found === "number" && issue.message.includes("a time with its unit"))
    return suggestDuration(found);
  const choices = choicesOf(issue).filter((choice) => typeof choice === "string");
  return typeof found === "string" ? suggestName(found, choices) : null;
}

/** The keys the schema knows at a path. */
function knownKeys(schema: z.ZodType, path: KeyPath): readonly string[] {
  const schemas = path.reduce<readonly z.ZodType[]>(
    (found, part) => found.flatMap((each) => schemasAt(each, part)),
    [schema],
  );
  return [...new Set(schemas.flatMap((each) => keysIn(each).map(([name]) => name)))];
}
