// What is wrong with a strict document, key by key, in words its author can act on?

import { z } from "zod";
import { assertNever } from "../core/model/assert.ts";
import { kindOf } from "./claims.ts";
import { suggestDuration } from "./duration.ts";
import { suggestName } from "./suggest.ts";

export interface KeyProblem {
  readonly path: readonly (string | number)[];
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

/** `budget.run.costUsd`, `pipelines.default[0].gates`. */
export function keyPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

interface Document {
  readonly schema: z.ZodType;
  readonly raw: unknown;
}

function explained(issue: Issue, base: Path, document: Document): readonly KeyProblem[] {
  const path = [...base, ...issue.path];
  const found = valueAt(document.raw, path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey(key, path, document.schema));
    case "invalid_union": {
      const branch = likeliest(issue.errors);
      if (branch !== null) return branch.flatMap((inner) => explained(inner, path, document));
      return [at(path, `${issue.message}, found ${kindOf(found)}`, suggestValue(found, issue))];
    }
    case "invalid_type":
      return [at(path, wrongType(issue, found), suggestValue(found, issue))];
    case "invalid_value":
      return [at(path, wrongValue(issue, found), suggestValue(found, issue))];
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

function unknownKey(key: string, path: Path, schema: z.ZodType): KeyProblem {
  const full = [...path.map((part) => (typeof part === "number" ? part : String(part))), key];
  const shown = JSON.stringify(keyPath(full).slice(0, 200));
  if (LATER.has(key)) {
    return {
      path: full,
      message: `${shown} is not in this version of orch yet`,
      suggestion: "remove it",
    };
  }
  const known = knownKeys(schema, path);
  return { path: full, message: `unknown key ${shown}`, suggestion: suggestName(key, known) };
}

/** The branch of a union whose outer type fits: its complaints are the ones that help. */
function likeliest(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const fits = branches.filter(
    (issues) =>
      !issues.some(
        (issue) =>
          issue.path.length === 0 &&
          (issue.code === "invalid_type" || issue.code === "invalid_value"),
      ),
  );
  return fits.toSorted((a, b) => a.length - b.length)[0] ?? null;
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

function wrongValue(issue: z.core.$ZodIssueInvalidValue, found: unknown): string {
  if (typeof found === "string" && LATER.has(found)) {
    return `${JSON.stringify(found)} is not in this version of orch yet`;
  }
  const values = issue.values.map((value) => JSON.stringify(value)).join(", ");
  return `expected ${issue.values.length > 1 ? "one of " : ""}${values}, found ${kindOf(found)}`;
}

function suggestValue(found: unknown, issue: Issue): string | null {
  if (issue.code === "invalid_value" && typeof found === "string") {
    return suggestName(
      found,
      issue.values.filter((value) => typeof value === "string"),
    );
  }
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

function valueAt(raw: unknown, path: Path): unknown {
  let value = raw;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

/** The keys the schema knows at a path, looking through optional, record, list and union. */
function knownKeys(schema: z.ZodType, path: Path): readonly string[] {
  const keys = schemasAt([schema], path).flatMap((each) => Object.keys(shapeOf(each)));
  return [...new Set(keys)];
}

function schemasAt(schemas: readonly z.ZodType[], path: Path): readonly z.ZodType[] {
  const open = schemas.flatMap(opened);
  const [part, ...rest] = path;
  if (part === undefined) return open;
  return schemasAt(
    open.flatMap((each) => inside(each, part)),
    rest,
  );
}

function opened(schema: z.ZodType): readonly z.ZodType[] {
  const inner = part(schema, "innerType");
  if (inner instanceof z.ZodType) return opened(inner);
  const options = part(schema, "options");
  return Array.isArray(options) ? options.filter(isSchema).flatMap(opened) : [schema];
}

function inside(schema: z.ZodType, key: PropertyKey): readonly z.ZodType[] {
  const shape = shapeOf(schema);
  const named = Object.hasOwn(shape, key) ? Reflect.get(shape, key) : undefined;
  return [named, part(schema, "valueType"), part(schema, "element")].filter(isSchema).slice(0, 1);
}

function shapeOf(schema: z.ZodType): object {
  const shape = part(schema, "shape");
  return typeof shape === "object" && shape !== null ? shape : {};
}

/** zod types the parts of a schema per class only; here any class may come. */
function part(schema: z.ZodType, name: string): unknown {
  return Reflect.get(schema.def, name);
}

function isSchema(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType;
}
