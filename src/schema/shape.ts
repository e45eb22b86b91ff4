// Is a value what a type says, as far down as it goes?

import { isObject } from "../core/model/json.ts";

/** What JSON can hold of a type. */
export type Shape =
  | "text"
  | "number"
  | "flag"
  | { readonly oneOf: readonly (string | number | boolean)[] }
  | { readonly orNull: Shape }
  | { readonly orMissing: Shape }
  | { readonly list: Shape }
  /** An object with any keys. */
  | { readonly map: Shape }
  /** An object with these keys, and perhaps others, which nobody looks at. */
  | { readonly fields: Fields }
  /** A union: the field `by` says which fields there are besides. */
  | { readonly by: string; readonly of: Readonly<Record<string, Fields>> };

export type Fields = Readonly<Record<string, Shape>>;

/** Where the value is something else, as ".findings.0.check"; null: nowhere. */
export type Misfit = (value: unknown) => string | null;

/** Made once of each shape: to ask it what it is for every value takes as long as to parse the value. */
export function misfitOf(shape: Shape): Misfit {
  if (typeof shape === "string") {
    const type = PLAIN[shape];
    return (value) => (typeof value === type ? null : "");
  }
  const check = MADE.get(shape) ?? made(shape);
  MADE.set(shape, check);
  return check;
}

const MADE = new WeakMap<object, Misfit>();

function made(shape: Exclude<Shape, string>): Misfit {
  if ("fields" in shape) return ofFields(shape.fields);
  if ("by" in shape) return ofUnion(shape.by, shape.of);
  if ("list" in shape) return ofList(misfitOf(shape.list));
  if ("map" in shape) return ofMap(misfitOf(shape.map));
  if ("orNull" in shape) return unless(null, misfitOf(shape.orNull));
  if ("orMissing" in shape) return unless(undefined, misfitOf(shape.orMissing));
  const all = new Set<unknown>(shape.oneOf);
  return (value) => (all.has(value) ? null : "");
}

const PLAIN = { text: "string", number: "number", flag: "boolean" } as const;

function unless(absent: null | undefined, misfit: Misfit): Misfit {
  return (value) => (value === absent ? null : misfit(value));
}

function ofFields(fields: Fields): Misfit {
  const each = Object.entries(fields).map(([name, shape]) => ({ name, misfit: misfitOf(shape) }));
  return (value) => {
    if (!isObject(value)) return "";
    for (const { name, misfit } of each) {
      const where = misfit(value[name]);
      if (where !== null) return `.${name}${where}`;
    }
    return null;
  };
}

function ofUnion(by: string, of: Readonly<Record<string, Fields>>): Misfit {
  const each = new Map<unknown, Misfit>(
    Object.entries(of).map(([tag, fields]) => [tag, ofFields(fields)]),
  );
  return (value) => {
    if (!isObject(value)) return "";
    const misfit = each.get(value[by]);
    return misfit === undefined ? `.${by}` : misfit(value);
  };
}

function ofList(misfit: Misfit): Misfit {
  return (value) => {
    if (!Array.isArray(value)) return "";
    for (let index = 0; index < value.length; index += 1) {
      const where = misfit(value[index]);
      if (where !== null) return `.${index}${where}`;
    }
    return null;
  };
}

function ofMap(misfit: Misfit): Misfit {
  return (value) => {
    if (!isObject(value)) return "";
    for (const [key, one] of Object.entries(value)) {
      const where = misfit(one);
      if (where !== null) return `.${key}${where}`;
    }
    return null;
  };
}
