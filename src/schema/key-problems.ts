// What is wrong with a strict document, key by key, in words its author can act on?

import type { z } from "zod";
import { assertNever } from "../core/model/assert.ts";
import { valueAt } from "../core/views/policy-overlay.ts";
import { kindOf } from "./claims.ts";
import { suggestDuration } from "./duration.ts";
import { keyPath } from "./parsed.ts";
import { suggestName } from "./suggest.ts";
import { keysIn, schemasAt } from "./walk.ts";

export type KeyPath = readonly (string | number)[];

export interface KeyProblem {
  readonly path: KeyPath;
  readonly message: string;
  readonly suggestion: string | null;
}

const PROBLEMS_MAX = 50;

/** Keys and values of the design that this version cannot honour; better refused than ignored. */
const LATER = new Set([
  "coach",
  "redact",
  "web",
  "fleet",
  "parallel",
  "worktree",
  "landing",
  "codex",
  "acp",
  "anthropic",
]);

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Every problem of a failed parse; `schema` and `raw` tell what was known and what was found. */
export function keyProblems(
  issues: readonly Issue[],
  schema: z.ZodType,
  raw: unknown,
): readonly KeyProblem[] {
  return issues.flatMap((issue) => explained(issue, [], { schema, raw })).slice(0, PROBLEMS_MAX);
}

/** A name that must be one of those there are; nothing where none is given. */
export function unknownName(
  name: string | undefined,
  path: KeyPath,
  known: readonly string[],
): readonly KeyProblem[] {
  if (name === undefined || known.includes(name)) return [];
  const message = `${keyPath(path)}: there is no ${JSON.stringify(name)}`;
  return [{ path, message, suggestion: suggestName(name, known) }];
}

interface Document {
  readonly schema: z.ZodType;
  readonly raw: unknown;
}

function explained(issue: Issue, base: Path, document: Document): readonly KeyProblem[] {
  const path = [...base, ...issue.path];
  const found = valueAt(document.raw, path.map(String));
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey(key, path, knownKeys(document.schema, path)));
    case "invalid_union": {
      if (found === undefined) return [at(path, "is missing", null)];
      if ("options" in issue) return [wrongChoice(found, path, issue.options ?? [])];
      const branches = fitting(issue.errors);
      const needed = branches.flatMap(onlyMissing);
      if (branches.length > 1 && needed.length === branches.length)
        return [at(path, `needs ${needed.map((key) => JSON.stringify(key)).join(" or ")}`, null)];
      const [branch] = branches;
      if (branch !== undefined) return branch.flatMap((inner) => explained(inner, path, document));
      return [at(path, `${issue.message}, found ${kindOf(found)}`, suggestValue(found, issue))];
    }
    case "invalid_type":
      return [at(path, wrongType(issue, found), suggestValue(found, issue))];
    case "invalid_value":
      return [wrongChoice(found, path, issue.values)];
    case "invalid_key":
      return [at(path, "expected a name of letters, digits, dots, dashes and underscores", null)];
    case "invalid_element":
    case "invalid_format":
    case "not_multiple_of":
    case "too_big":
    case "too_small":
    case "custom":
      return [at(path, `${issue.message}, found ${kindOf(found)}`, suggestValue(found, issue))];
    default:
      return assertNever(issue, "issue");
  }
}

function at(path: Path, message: string, suggestion: string | null): KeyProblem {
  const parts = path.map((part) => (typeof part === "number" ? part : String(part)));
  const prefix = path.length === 0 ? "" : `${keyPath(path)}: `;
  return { path: parts, message: `${prefix}${message}`, suggestion };
}

function unknownKey(key: string, path: Path, known: readonly string[]): KeyProblem {
  const full = [...path.map((part) => (typeof part === "number" ? part : String(part))), key];
  const shown = JSON.stringify(keyPath(full).slice(0, 200));
  if (LATER.has(key)) {
    const message = `${shown} is not in this version of orch yet`;
    return { path: full, message, suggestion: "remove it" };
  }
  // Another variant has it: a gate's command, say, beside a file to look for.
  if (known.includes(key))
    return {
      path: full,
      message: `${shown} does not go with the keys beside it`,
      suggestion: "remove it",
    };
  return { path: full, message: `unknown key ${shown}`, suggestion: suggestName(key, known) };
}

/**
 * The branches of a union whose outer type fits, first the one with the fewest complaints: they are
 * those that help. A key that is missing beside an unknown one is most likely that one, misspelt.
 */
function fitting(branches: readonly (readonly Issue[])[]): readonly (readonly Issue[])[] {
  return branches
    .filter(
      (issues) =>
        !issues.some(
          ({ path, code }) =>
            path.length === 0 && (code === "invalid_type" || code === "invalid_value"),
        ),
    )
    .toSorted((a, b) => a.length - b.length)
    .map((issues) => {
      const isMisspelt = issues.some(({ code }) => code === "unrecognized_keys");
      return isMisspelt ? issues.filter((issue) => onlyMissing([issue]).length === 0) : issues;
    });
}

/** The key, where nothing is wrong but that one is missing. */
function onlyMissing([issue, ...more]: readonly Issue[]): readonly string[] {
  const isMissing =
    more.length === 0 &&
    issue?.code === "invalid_type" &&
    issue.path.length === 1 &&
    issue.message.endsWith("received undefined");
  return isMissing ? issue.path.map(String) : [];
}

function wrongType(issue: z.core.$ZodIssueInvalidType, found: unknown): string {
  if (found === undefined) return "is missing";
  const expected = issue.message.startsWith("Invalid input")
    ? `expected ${typeWords(issue.expected)}`
    : issue.message;
  return `${expected}, found ${kindOf(found)}`;
}

function typeWords(expected: string): string {
  switch (expected) {
    case "string":
      return "text";
    case "boolean":
      return "true or false";
    case "int":
      return "a whole number";
    case "array":
      return "a list";
    case "object":
    case "record":
      return "an object";
    default:
      return `a ${expected}`;
  }
}

function wrongChoice(found: unknown, path: Path, options: readonly unknown[]): KeyProblem {
  if (found === undefined) return at(path, "is missing", null);
  const words = options.filter((option) => typeof option === "string");
  const values = options.map((option) => JSON.stringify(option)).join(", ");
  const message =
    typeof found === "string" && LATER.has(found)
      ? `${JSON.stringify(found)} is not in this version of orch yet`
      : `expected ${options.length > 1 ? "one of " : ""}${values}, found ${kindOf(found)}`;
  return at(path, message, typeof found === "string" ? suggestName(found, words) : null);
}

function suggestValue(found: unknown, issue: Issue): string | null {
  if (issue.message.includes("a time with its unit") && typeof found === "number") {
    return suggestDuration(found);
  }
  if (issue.code === "invalid_type" && issue.expected === "array" && typeof found === "string") {
    return `write [${JSON.stringify(found.slice(0, 60))}]`;
  }
  if (issue.code === "invalid_type" && issue.expected === "string" && typeof found === "number") {
    return `put it in quotes: "${found}"`;
  }
  return null;
}

/** The keys the schema knows at a path. */
function knownKeys(schema: z.ZodType, path: Path): readonly string[] {
  const schemas = path.reduce<readonly z.ZodType[]>(
    (found, part) => found.flatMap((each) => schemasAt(each, part)),
    [schema],
  );
  return [...new Set(schemas.flatMap((each) => keysIn(each).map(([name]) => name)))];
}
