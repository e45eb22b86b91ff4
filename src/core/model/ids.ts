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

/** Letters and digits of every script, but none that nobody sees. */
const SAFE = /^(?!.*\p{DI})[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]*(?:\.[\p{L}\p{N}\p{M}_-]+)*$/u;
/** A part of a path or of a ref may have 255, and branches, locks and file endings add to an id. */
const ID_BYTES_MAX = 180;

/** True for text that can be one path segment on every file system: no separators, no dot names. */
export function isSafeId(text: string): boolean {
  if (text.length > ID_BYTES_MAX || !SAFE.test(text)) return false;
  return 3 * text.length <= ID_BYTES_MAX || new TextEncoder().encode(text).length <= ID_BYTES_MAX;
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

/**
 * A readable id from free text, in its own letters: "Add login!" becomes "add-login". Where it has
 * none, it is called `nameless`.
 */
export function slug(text: string, charsMax = SLUG_CHARS_MAX, nameless = "task"): string {
  const plain = text
    .normalize("NFC")
    .toLowerCase()
    .normalize("NFC")
    .replace(/\p{DI}/gu, "");
  const words = plain.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  const id = words
    .join("-")
    .slice(0, charsMax)
    .replace(/(?:-|\p{Cs})$/u, "");
  return id === "" ? nameless : id;
}

const SLUG_CHARS_MAX = 40;
/** No letter has more than three bytes for each of them. */
export const TASK_ID_CHARS_MAX = ID_BYTES_MAX / 3;

/** What a person may mean by an id or a part of one: its end before its beginning, and any other part last. */
export function idsMeant<T extends string>(ids: readonly T[], wanted: string): readonly T[] {
  if (wanted === "") return [];
  const ways = [
    (id: T): boolean => id === wanted,
    (id: T): boolean => id.endsWith(`-${wanted}`),
    (id: T): boolean => id.startsWith(wanted),
    (id: T): boolean => id.includes(wanted),
  ];
  return ways.reduce<readonly T[]>((some, way) => (some.length > 0 ? some : ids.filter(way)), []);
}

/** An id by its last part, where that tells it from the others. */
export function shortener(ids: readonly string[]): (id: string) => string {
  const lastOf = (id: string): string => id.slice(id.lastIndexOf("-") + 1);
  const uses = new Map<string, number>();
  for (const last of ids.map(lastOf)) uses.set(last, (uses.get(last) ?? 0) + 1);
  return (id) => ((uses.get(lastOf(id)) ?? 0) <= 1 ? lastOf(id) : id);
}

/** The SHA-256 of the text's UTF-8 bytes, in hexadecimal digits. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The first 16 digits of it. */
export function shortHash(text: string): string {
  return digestOf(text).slice(0, 16);
}
