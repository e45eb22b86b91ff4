// What stands inside a schema, whatever it is wrapped in?

import { z } from "zod";

/** The schemas that a value may have to fit: looks through optional, default and union. */
export function variantsOf(schema: z.ZodType): readonly z.ZodType[] {
  const inner = part(schema, "innerType");
  if (inner instanceof z.ZodType) return variantsOf(inner);
  const options = part(schema, "options");
  return Array.isArray(options) ? options.filter(isSchema).flatMap(variantsOf) : [schema];
}

/** The keys of an object, each with its schema; those of all variants, the first of a name. */
export function keysIn(schema: z.ZodType): readonly (readonly [string, z.ZodType])[] {
  const found = new Map<string, z.ZodType>();
  for (const [name, inner] of variantsOf(schema).flatMap(ownKeys))
    if (isSchema(inner) && !found.has(name)) found.set(name, inner);
  return [...found];
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
