// What is known of a key of the config, besides what may stand behind it?

import { z } from "zod";

import { DEFAULT_CONFIG_POLICY, valueAt } from "./policy-values.ts";
import { formatDuration } from "../core/model/duration.ts";

/** Said once, beside the key: types, JSON Schema, docs and `orch policy` are made of it. */
export interface KeyFacts {
  /** What it means, as docs/config.md has it: Markdown. */
  readonly about: string;
  /** What counts where it is not written, in words, where the default alone does not say it. */
  readonly otherwise: string | null;
  /** What counts where it is not written; undefined: nothing does. */
  readonly fallback: unknown;
  readonly policy: PolicyPlace | null;
}

/** Where the policy has the value. */
export interface PolicyPlace {
  /** "limits.timeMs": the last word says the unit. */
  readonly at: string;
  /** It counts while a session runs, and no decision looks at it. */
  readonly whileRunning?: boolean;
  /** Other places that it sets too. */
  readonly brings?: readonly string[];
  /** A key that raises this one to its own value, where nobody writes this one. */
  readonly raisedBy?: string;
  /** What null means; else "no limit". */
  readonly none?: string;
}

/** A text alone is `otherwise`. */
type KeyNotes =
  | string
  | (Partial<Omit<KeyFacts, "about" | "policy">> & { readonly policy?: PolicyPlace | string });

// A config is read once: to compile its schemas first takes longer than to walk them.
z.config({ jitless: true });

const FACTS = z.registry<KeyFacts>();

export function factsOf(schema: z.ZodType): KeyFacts | null {
  return FACTS.get(schema) ?? null;
}

/** A key that may be left out. */
export function key<T extends z.ZodType>(
  schema: T,
  about: string,
  more: KeyNotes = {},
): z.ZodOptional<T> {
  return withFacts(schema.optional(), about, more);
}

/** A key that has a value where it is left out. */
export function keyWith<T extends z.ZodType>(
  schema: T,
  fallback: z.util.NoUndefined<z.output<T>>,
  [about, more = {}]: readonly [about: string, more?: KeyNotes],
): z.ZodDefault<T> {
  return withFacts(schema.default(fallback), about, { fallback, ...facts(more) });
}

/** A key with a table of its own in the docs. */
export function table<T extends z.ZodType>(name: string, schema: T, about: string) {
  return key(schema, about, `see [there](#${name})`);
}

/** Keys that belong together, and may all be left out. */
export function group<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.strictObject(shape).optional();
}

/** A key that must be there, or whose schema says itself that it need not. */
export function needed<T extends z.ZodType>(schema: T, about: string, more: KeyNotes = {}): T {
  // A copy: other keys may share the schema.
  return withFacts(schema.meta({}), about, more);
}

function withFacts<T extends z.ZodType>(schema: T, about: string, more: KeyNotes): T {
  const notes = facts(more);
  const policy = typeof notes.policy === "string" ? { at: notes.policy } : (notes.policy ?? null);
  const fallback = notes.fallback ?? standardAt(policy);
  FACTS.add(schema, { otherwise: null, about, ...notes, fallback, policy });
  return schema;
}

function facts(more: KeyNotes): Exclude<KeyNotes, string> {
  return typeof more === "string" ? { otherwise: more } : more;
}

/** A value of the policy as a config writes it. */
function standardAt(place: PolicyPlace | null): unknown {
  if (place === null) return undefined;
  const value = valueAt(DEFAULT_CONFIG_POLICY, place.at.split("."));
  if (typeof value === "number" && isTime(place)) return formatDuration(value);
  // A table of the policy is told key by key; where nothing is built in there is nothing to tell.
  return typeof value === "object" ? undefined : value;
}

export function isTime({ at }: PolicyPlace): boolean {
  return at.endsWith("Ms");
}

/** The schemas that a value may have to fit: looks through optional, default and union. */
export function variantsOf(schema: z.ZodType): readonly z.ZodType[] {
  const inner = part(schema, "innerType");
  if (inner instanceof z.ZodType) return variantsOf(inner);
  const options = part(schema, "options");
  return Array.isArray(options) ? options.filter(isSchema).flatMap(variantsOf) : [schema];
}

/** The keys of an object, each with its schema; those of all variants, the first of a name. */
export function keysIn(schema: z.ZodType): readonly (readonly [string, z.ZodType])[] {
  const byKey = new Map<string, z.ZodType>();
  for (const [name, inner] of variantsOf(schema).flatMap(ownKeys))
    if (isSchema(inner) && !byKey.has(name)) byKey.set(name, inner);
  return [...byKey];
}

/** Of an object, or of a record whose keys are a list of words. */
function ownKeys(schema: z.ZodType): readonly (readonly [string, unknown])[] {
  const shape = part(schema, "shape");
  if (typeof shape === "object" && shape !== null) return Object.entries(shape);
  const names = part(schema, "keyType");
  if (!(names instanceof z.ZodEnum)) return [];
  return names.options.map((name) => [String(name), part(schema, "valueType")]);
}

/** The schema of a record's values, or of a list's elements. */
export function elementsOf(schema: z.ZodType): readonly z.ZodType[] {
  return [part(schema, "valueType"), part(schema, "element")].filter(isSchema);
}

/** zod types the parts of a schema per class only; here any class may come. */
function part(schema: z.ZodType, name: string): unknown {
  return Reflect.get(schema.def, name);
}

function isSchema(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType;
}
