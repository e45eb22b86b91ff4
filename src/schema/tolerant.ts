// How is a document read whose author cannot be trusted to get keys and types right?

import { z } from "zod";

import { clip, inert } from "../core/model/excerpt.ts";
import { isObject, type JsonObject } from "../core/model/json.ts";
import { keyPath } from "./parsed.ts";

const NOTES_MAX = 20;
const NOTE_CHARS_MAX = 200;
const ITEMS_MAX = 50;
/** Deeper than any field of such a document. */
const DEPTH_MAX = 6;
export const LINE_CHARS_MAX = 2_000;

/** Words that agents write where a list, or an entry of one, should be empty. */
const NOTHING = new Set(["", "none", "n/a", "na", "nothing", "null", "-"]);

/** "In Progress", "in-progress" and "inProgress" are the same; "": no word at all. */
export function canonical(word: unknown): string {
  if (typeof word !== "string") return "";
  return word
    .slice(0, 100)
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/**
 * The value with camelCase keys, where a key that is written as documented, `next_steps`, beats its
 * variants, and with lists without the entries that say nothing.
 */
export function normalised(value: unknown, depth = DEPTH_MAX): unknown {
  if (depth === 0) return null;
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value.filter((one) => one !== null && !isNothing(one));
    return entries.slice(0, ITEMS_MAX).map((one) => normalised(one, depth - 1));
  }
  if (!isObject(value)) return value;
  const fields = new Map<string, unknown>();
  for (const [key, one] of Object.entries(value)) {
    const documented = canonical(key);
    const name = documented.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
    if (documented === key || !fields.has(name)) fields.set(name, normalised(one, depth - 1));
  }
  return Object.fromEntries(fields);
}

/**
 * What the schema makes of a normalised value. Each mistake costs what it stands in, with a note:
 * the field, or, where something is missing, the entry. null: the whole value.
 */
export function readTolerantly<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { readonly value: T | null; readonly notes: readonly string[] } {
  const notes: string[] = [];
  for (let rest = value; isObject(rest);) {
    const read = schema.safeParse(rest);
    if (read.success) return { value: read.data, notes: bounded(notes) };
    const places = read.error.issues.map(({ path }) => placeIn(rest, path));
    for (const { path, message } of read.error.issues) {
      const name = keyPath(path).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      notes.push(`${name}: dropped: ${message}`.slice(0, NOTE_CHARS_MAX));
    }
    rest = places.some((place) => place.length === 0) ? null : without(rest, places);
  }
  return { value: null, notes: bounded(notes) };
}

function bounded(notes: readonly string[]): readonly string[] {
  if (notes.length <= NOTES_MAX) return notes;
  return [...notes.slice(0, NOTES_MAX), "further notes were left out"];
}

/** The part of the path that is there. */
function placeIn(value: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== "object" || value === null) return [];
  if (!Object.hasOwn(value, first)) return [];
  return [first, ...placeIn(Reflect.get(value, first), rest)];
}

function without(value: unknown, places: readonly (readonly PropertyKey[])[]): unknown {
  if (places.length === 0) return value;
  const below = (key: PropertyKey) =>
    places.flatMap(([first, ...rest]) => (String(first) === String(key) ? [rest] : []));
  const isKept = (key: PropertyKey): boolean => !below(key).some((rest) => rest.length === 0);
  if (Array.isArray(value))
    return value.flatMap((one: unknown, at) => (isKept(at) ? [without(one, below(at))] : []));
  if (!isObject(value)) return value;
  const left = Object.entries(value).filter(([key]) => isKept(key));
  return Object.fromEntries(left.map(([key, one]) => [key, without(one, below(key))]));
}

/** A field that may be left out. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullable().default(null);
}

/** Text without what could move a cursor, cut to a length; null where none is left. */
export function text(charsMax: number) {
  return z.string().transform((written) => clip(inert(written).trim(), charsMax) || null);
}

export const line = text(LINE_CHARS_MAX);
/** A line that must say something. */
export const neededLine = line.pipe(z.string({ error: "expected some text" }));
export const flag = z.union([z.boolean(), z.stringbool()], { error: "expected true or false" });
export const count = z.int().min(0);

/** A list; a single object stands for a list of one. */
export function list<T extends z.ZodType>(entry: T) {
  const entries = (value: unknown): unknown => {
    if (value === null || value === undefined || isNothing(value)) return [];
    return isObject(value) ? [value] : value;
  };
  return z.preprocess(entries, z.array(entry));
}

/**
 * An object; anything else stands for its first field. `synonyms`: other names of a field, which
 * count where it is not given itself.
 */
export function entry<S extends z.core.$ZodLooseShape>(
  shape: S,
  synonyms: Readonly<Record<string, readonly string[]>> = {},
) {
  const [bare = ""] = Object.keys(shape);
  return z.preprocess(
    (value) => withSynonyms(isObject(value) ? value : { [bare]: value }, synonyms),
    z.object(shape),
  );
}

/** With the fields that stand under another of their names. */
export function withSynonyms(
  fields: JsonObject,
  synonyms: Readonly<Record<string, readonly string[]>>,
): JsonObject {
  const meant = Object.entries(synonyms).map(([name, others]) => {
    const given = [name, ...others].find((one) => (fields[one] ?? null) !== null);
    return [name, given === undefined ? undefined : fields[given]];
  });
  return { ...fields, ...Object.fromEntries(meant) };
}

function isNothing(value: unknown): boolean {
  return typeof value === "string" && NOTHING.has(value.trim().toLowerCase());
}
