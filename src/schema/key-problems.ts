// What is wrong with a document, key by key, in words its author can act on?

import { z } from "zod";

import { keysIn } from "./key.ts";
import { keyPath, parsed, problem, unparsed, type Checked, type Parsed } from "./parsed.ts";
import { suggestName } from "./suggest.ts";

const PROBLEMS_MAX = 20;

type Issue = z.core.$ZodIssue;

/** The document, or "gates.test.run: is missing" for each problem; of a thousand the first ones. */
export function parseWith<T>(schema: z.ZodType<T>, raw: unknown): Parsed<T> {
  const read = schema.safeParse(raw, { error: explained, reportInput: true });
  if (read.success) return parsed(read.data);
  return unparsed(...read.error.issues.flatMap((each) => words(each, [])).slice(0, PROBLEMS_MAX));
}

/** As `parseWith`, of a document that a person wrote and knows as `where`. */
export function checkWith<T>(schema: z.ZodType<T>, raw: unknown, where: string): Checked<T> {
  const read = parseWith(schema, raw);
  return read.ok ? read : unparsed(...read.problems.map((message) => problem(where, message)));
}

/** In a sentence of its own where a name is none of those there are. */
export function unknownName(name: string, names: readonly string[]): string {
  const meant = suggestName(name, names);
  return `there is no ${JSON.stringify(name)}${meant === null ? "" : ` (${meant})`}`;
}

/** What was meant by a key that there is not; of other issues zod says enough. */
function explained(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_key") return issue.issues[0]?.message;
  if (issue.code !== "unrecognized_keys") return undefined;
  const keys = issue.inst instanceof z.ZodType ? keysIn(issue.inst).map(([key]) => key) : [];
  const each = issue.keys.slice(0, PROBLEMS_MAX).map((key) => {
    const meant = suggestName(key, keys);
    return `unknown key ${JSON.stringify(key.slice(0, 200))}${meant === null ? "" : ` (${meant})`}`;
  });
  return each.join(", ");
}

function words(issue: Issue, base: readonly PropertyKey[]): readonly string[] {
  const path = [...base, ...issue.path];
  const branch = issue.code === "invalid_union" ? likeliest(issue.errors) : undefined;
  if (branch !== undefined) return branch.flatMap((inner) => words(inner, path));
  const isMissing = issue.code === "invalid_type" && issue.input === undefined;
  const message = isMissing && path.length > 0 ? "is missing" : issue.message;
  return [path.length === 0 ? message : `${keyPath(path)}: ${message}`];
}

/** Of the branches of a union whose outer type fits the one with the fewest complaints. */
function likeliest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const isOuter = ({ path, code }: Issue): boolean =>
    path.length === 0 && (code === "invalid_type" || code === "invalid_value");
  return branches
    .filter((issues) => !issues.some(isOuter))
    .toSorted((a, b) => a.length - b.length)[0];
}
