// How is one field read out of a document whose author cannot be trusted to get types right?

import { isObject } from "../core/model/json.ts";
import { clip, excerpt, inert } from "../core/model/excerpt.ts";

const NOTES_MAX = 20;
const NOTE_CHARS_MAX = 200;
const ITEMS_MAX = 50;
/** Words that agents write where a list should be empty. */
const NOTHING = new Set(["", "none", "n/a", "na", "nothing", "null", "-"]);
const FLAGS = new Map([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false],
]);

/** One object of such a document. */
export interface Claim {
  /** Under canonical names: `requiresUserReview` is `requires_user_review`. No key reaches a prototype. */
  readonly fields: ReadonlyMap<string, unknown>;
  /** Where it stands; "" is the document itself. */
  readonly where: string;
  /** What was dropped, cut or reinterpreted; bounded, because its source is not. */
  readonly notes: string[];
}

type Names = readonly [name: string, ...others: readonly string[]];

/** null: it is no object. */
export function claimOf(raw: unknown, where = "", notes: string[] = []): Claim | null {
  if (!isObject(raw)) return null;
  const fields = new Map<string, unknown>();
  for (const [key, value] of Object.entries(raw)) {
    const name = canonical(key);
    // A key written exactly as documented beats any variant of it.
    if (name === key || !fields.has(name)) fields.set(name, value);
  }
  return { fields, where, notes };
}

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

/** The first of several names under which a value that is not null was given. */
export function given({ fields }: Claim, ...names: Names): unknown {
  return (
    names.map((name) => fields.get(name)).find((value) => value !== undefined && value !== null) ??
    null
  );
}

export function text(claim: Claim, most: number, ...names: Names): string | null {
  const found = field(claim, names, "text", (value) =>
    typeof value === "string" ? inert(value).trim() : null,
  );
  if (found === null || found === "") return null;
  if (found.length > most) note(claim, names[0], `cut from ${found.length} to ${most} characters`);
  return clip(found, most);
}

export function flag(claim: Claim, ...names: Names): boolean | null {
  return field(claim, names, "true or false", (value) =>
    typeof value === "boolean" ? value : (FLAGS.get(canonical(value)) ?? null),
  );
}

export function numberWithin(claim: Claim, most: number, ...names: Names): number | null {
  return field(claim, names, `a number from 0 to ${most}`, (value) =>
    typeof value === "number" && value >= 0 && value <= most ? value : null,
  );
}

export function count(claim: Claim, ...names: Names): number | null {
  return field(claim, names, "a whole number of at least 0", (value) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null,
  );
}

/** An object within the object. */
export function part(claim: Claim, ...names: Names): Claim | null {
  const where = placeOf(claim, names[0]);
  return field(claim, names, "an object", (value) => claimOf(value, where, claim.notes));
}

/**
 * The readable items of a list. A single object stands for a list of one, and an item that is no
 * object for the first thing that an item says: `bare`.
 */
export function items<T>(
  claim: Claim,
  [bare, read]: readonly [bare: string, read: (item: Claim) => T | null],
  ...names: Names
): readonly T[] {
  const list = field(claim, names, "a list", (value): readonly unknown[] | null => {
    if (isNothing(value)) return [];
    return Array.isArray(value) ? value : isObject(value) ? [value] : null;
  });
  if (list === null) return [];
  if (list.length > ITEMS_MAX)
    note(claim, names[0], `only the first ${ITEMS_MAX} of ${list.length} are kept`);
  return list.slice(0, ITEMS_MAX).flatMap((item, index) => {
    const where = `${placeOf(claim, names[0])}[${index}]`;
    const said = isNothing(item) ? null : isObject(item) ? item : { [bare]: item };
    const one = claimOf(said, where, claim.notes);
    return one === null ? [] : (read(one) ?? []);
  });
}

/** What was found instead is noted, so that one bad field never costs the document. */
export function note(claim: Claim, name: string, words: string): void {
  const { notes } = claim;
  const told = `${placeOf(claim, name)}: ${words}`.slice(0, NOTE_CHARS_MAX);
  if (notes.length <= NOTES_MAX)
    notes.push(notes.length < NOTES_MAX ? told : "further notes were left out");
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return JSON.stringify(excerpt(value, 40));
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** What `read` makes of the first of the names that is given; null, and a note, where it is nothing. */
function field<T>(
  claim: Claim,
  names: Names,
  expected: string,
  read: (value: unknown) => T | null,
): T | null {
  const value = given(claim, ...names);
  const found = value === null ? null : read(value);
  if (value !== null && found === null)
    note(claim, names[0], `dropped, expected ${expected}, found ${kindOf(value)}`);
  return found;
}

function placeOf({ where }: Claim, name: string): string {
  return where === "" || name === "" ? `${where}${name}` : `${where}.${name}`;
}

function isNothing(value: unknown): boolean {
  return typeof value === "string" && NOTHING.has(value.trim().toLowerCase());
}
