// Which strings are identities, and which of them may become part of a path?
import { createHash } from "node:crypto";

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type RunId = Id<"run">;
export type TaskId = Id<"task">;
export type StepId = Id<"step">;
export type QuestionId = Id<"question">;
/** Random, one for every session; part of the report's path, so a late writer is never believed. */
export type SessionToken = Id<"session">;

type AnyId = RunId | TaskId | StepId | QuestionId | SessionToken;

const SAFE = /^[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)*$/i;
const ID_CHARS_MAX = 80;

/** True for text that can be one path segment on every file system: no separators, no dot names. */
export function isSafeId(text: string): boolean {
  return text.length > 0 && text.length <= ID_CHARS_MAX && SAFE.test(text);
}

/** The branded id, or null where the text could not safely name a file. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the parameter is the brand
export function idFrom<T extends AnyId>(text: string): T | null {
  // The one cast behind every id: the brand exists only in the type system.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return isSafeId(text) ? (text as T) : null;
}

/** As `idFrom`, for text orch made itself. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the parameter is the brand
export function idOf<T extends AnyId>(text: string): T {
  const id = idFrom<T>(text);
  if (id === null) throw new Error(`not a usable id: ${JSON.stringify(text.slice(0, 100))}`);
  return id;
}

/** A readable id from free text: "Add login!" becomes "add-login". Never empty. */
export function slug(text: string, charsMax = 40): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, charsMax)
    .replace(/^-+|-+$/g, "");
  return plain === "" ? "task" : plain;
}

/** What a person may mean by an id or a part of one: its end before its beginning, and any other part last. */
export function idsMeant<T extends string>(ids: readonly T[], wanted: string): readonly T[] {
  if (wanted === "") return [];
  const ways = [
    (id: T): boolean => id === wanted,
    (id: T): boolean => id.endsWith(`-${wanted}`),
    (id: T): boolean => id.startsWith(wanted),
    (id: T): boolean => id.includes(wanted),
  ];
  const matches = ways.map((way) => ids.filter(way));
  return matches.find((some) => some.length > 0) ?? [];
}

/** Makes an id as short as tells it from the others: its end, in whole parts. */
export function shortener(ids: readonly string[]): (id: string) => string {
  const uses = new Map<string, number>();
  for (const end of ids.flatMap((id) => [...endsOf(id), id]))
    uses.set(end, (uses.get(end) ?? 0) + 1);
  return (id) => endsOf(id).find((end) => (uses.get(end) ?? 0) <= 1) ?? id;
}

/** Of "a-b-c": "c", "b-c". */
function endsOf(id: string): readonly string[] {
  const parts = id.split("-");
  return parts.slice(1).map((_part, at) => parts.slice(parts.length - 1 - at).join("-"));
}

/** The SHA-256 of the text's UTF-8 bytes, in hexadecimal digits. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The first 16 digits of it. */
export function shortHash(text: string): string {
  return digestOf(text).slice(0, 16);
}
