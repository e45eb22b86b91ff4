// How is one field read out of a document whose author cannot be trusted to get types right?

import { isObject } from "../core/model/json.ts";
import { clip, excerpt, inert } from "../core/model/excerpt.ts";

/** Collects what was dropped, cut or reinterpreted; bounded, because its source is not. */
export interface Notes {
  readonly all: readonly string[];
  add(note: string): void;
}

const NOTES_MAX = 20;
const NOTE_CHARS_MAX = 200;
const ITEMS_MAX = 50;
/** Words that agents write where a list should be empty. */
const NOTHING = new Set(["", "none", "n/a", "na", "nothing", "null", "-"]);

export function newNotes(): Notes {
  const all: string[] = [];
  return {
    all,
    add(note) {
      if (all.length < NOTES_MAX) all.push(note.slice(0, NOTE_CHARS_MAX));
      else if (all.length === NOTES_MAX) all.push("further notes were left out");
    },
  };
}

/** An object's fields under canonical names: `requiresUserReview` is `requires_user_review`. */
export type Fields = ReadonlyMap<string, unknown>;

/** The fields of a plain object, or null for anything else. A Map, so no key can reach a prototype. */
export function fieldsOf(raw: unknown): Fields | null {
  if (!isObject(raw)) return null;
  const fields = new Map<string, unknown>();
  for (const [key, value] of Object.entries(raw)) {
    const name = canonical(key);
    // A key written exactly as documented beats any variant of it.
    if (name === key || !fields.has(name)) fields.set(name, value);
  }
  return fields;
}

export function canonical(key: string): string {
  return key
    .slice(0, 100)
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/** The first of several names under which a value that is not null was given. */
export function given(fields: Fields, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value = fields.get(name);
    if (value !== undefined && value !== null) return value;
  }
  return null;
}

/** Where a value stands and what may be said about it. */
export interface Place {
  readonly where: string;
  readonly notes: Notes;
}

export function text(value: unknown, place: Place, charsMax: number): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== "string") return dropped(value, "text", place);
  const trimmed = inert(value).trim();
  if (trimmed === "") return null;
  if (trimmed.length <= charsMax) return trimmed;
  place.notes.add(`${place.where}: cut from ${trimmed.length} to ${charsMax} characters`);
  return clip(trimmed, charsMax);
}

export function flag(value: unknown, place: Place): boolean | null {
  if (value === null || value === undefined || typeof value === "boolean") return value ?? null;
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (word !== "true" && word !== "yes" && word !== "false" && word !== "no") {
    return dropped(value, "true or false", place);
  }
  const meant = word === "true" || word === "yes";
  place.notes.add(`${place.where}: the text ${JSON.stringify(value)} is read as ${meant}`);
  return meant;
}

export function numberWithin(value: unknown, place: Place, most: number): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" && value >= 0 && value <= most) return value;
  return dropped(value, `a number from 0 to ${most}`, place);
}

export function count(value: unknown, place: Place): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  return dropped(value, "a whole number of at least 0", place);
}

/** The readable items of a list; a single object stands for a list of one. */
export function items<T>(
  value: unknown,
  place: Place,
  read: (item: unknown, place: Place) => T | null,
): readonly T[] {
  if (value === null || value === undefined || isNothing(value)) return [];
  const list = Array.isArray(value) ? value : fieldsOf(value) === null ? null : [value];
  if (list === null) return dropped(value, "a list", place) ?? [];
  if (list.length > ITEMS_MAX) {
    place.notes.add(`${place.where}: only the first ${ITEMS_MAX} of ${list.length} are kept`);
  }
  return list.slice(0, ITEMS_MAX).flatMap((item: unknown, index) => {
    if (isNothing(item)) return [];
    const one = read(item, { ...place, where: `${place.where}[${index}]` });
    return one === null ? [] : [one];
  });
}

/** Notes what was found instead, and gives null, so that one bad field never costs the document. */
export function dropped(value: unknown, expected: string, place: Place): null {
  place.notes.add(`${place.where}: dropped, expected ${expected}, found ${kindOf(value)}`);
  return null;
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return JSON.stringify(excerpt(value, 40));
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A word in one spelling: "In Progress" and "in-progress" are the same. */
export function wordOf(raw: unknown): string | null {
  if (typeof raw !== "string" || raw.trim() === "" || raw.length > 100) return null;
  return raw
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

/** The value, with a note about how it came to be. */
export function noted<T>(value: T, note: string, notes: Notes): T {
  notes.add(note);
  return value;
}

function isNothing(value: unknown): boolean {
  return typeof value === "string" && NOTHING.has(value.trim().toLowerCase());
}
