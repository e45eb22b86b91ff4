// Which shape has each event in the log, by the types of core/model/event.ts?

import { join } from "node:path";

import ts from "typescript";

import type { Fields, Shape } from "../src/schema/shape.ts";

const MODEL = "src/core/model/event.ts";

const HEAD = `// Which fields does each event have in the log, and what stands in them? Made of the types in
// ${MODEL}: \`npm run build\` writes it.

import type { EventType } from "../src/core/model/event.ts";
import type { Fields, Shape } from "../src/schema/shape.ts";
`;

/** The text of \`generated/event-shapes.ts\`: neither it nor the types can say what the other does not. */
export function eventShapesFile(root: string): string {
  const program = ts.createProgram([join(root, MODEL)], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    lib: ["lib.es5.d.ts"],
    types: [],
  });
  const shapes = new Shapes(program.getTypeChecker());
  const events = shapes.of(declaredType(program, join(root, MODEL), "RunEvent"));
  if (typeof events !== "object" || !("by" in events)) throw new Error("RunEvent is no union");
  return `${HEAD}\n${printed(events.of, shapes.names)}`;
}

function declaredType(program: ts.Program, path: string, name: string): ts.Type {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  const symbol = module?.exports?.get(ts.escapeLeadingUnderscores(name));
  if (symbol === undefined) throw new Error(`there is no type ${name} in ${path}`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}

/** A class because every step asks the one checker. */
class Shapes {
  readonly #checker: ts.TypeChecker;
  /** By the shape as JSON: what its type is called. */
  readonly names = new Map<string, string>();

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  of(type: ts.Type): Shape {
    const shape = this.#of(type);
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const [declared] = symbol?.declarations ?? [];
    const isOurs = declared !== undefined && !declared.getSourceFile().hasNoDefaultLib;
    const name = isOurs && symbol !== undefined && /^[A-Z]/.test(symbol.name) ? symbol.name : null;
    const json = JSON.stringify(shape);
    const isNew = !this.names.has(json) && ![...this.names.values()].includes(name ?? "");
    if (name !== null && isNew && json.length > NAMED_CHARS_MIN) this.names.set(json, name);
    return shape;
  }

  #of(type: ts.Type): Shape {
    const { flags } = type;
    if (flags & ts.TypeFlags.Boolean) return "flag";
    const literals = literalsOf(type);
    if (literals !== null) return { oneOf: literals };
    if (type.isUnion()) return this.#ofUnion(type);
    const isBranded = type.isIntersection() && type.types.some((one) => one.flags & STRING);
    if (flags & ts.TypeFlags.StringLike || isBranded) return "text";
    if (flags & ts.TypeFlags.NumberLike) return "number";
    const element = type.getNumberIndexType();
    if (element !== undefined && this.#checker.isArrayType(type)) return { list: this.of(element) };
    const index = type.getStringIndexType();
    if (index !== undefined) return { map: this.of(index) };
    if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))
      return { fields: this.#fieldsOf(type) };
    throw new Error(`no shape for ${this.#checker.typeToString(type)}`);
  }

  #fieldsOf(type: ts.Type): Fields {
    return Object.fromEntries(
      this.#checker
        .getPropertiesOfType(type)
        .map((property) => [property.name, this.of(this.#checker.getTypeOfSymbol(property))]),
    );
  }

  #ofUnion(union: ts.UnionType): Shape {
    const rest = this.#checker.getNonNullableType(union);
    const holds = (flag: ts.TypeFlags) => union.types.some((one) => one.flags & flag);
    const orNull: Shape = holds(ts.TypeFlags.Null) ? { orNull: this.of(rest) } : "text";
    if (holds(ts.TypeFlags.Undefined))
      return { orMissing: orNull === "text" ? this.of(rest) : orNull };
    if (orNull !== "text") return orNull;
    const by = this.#tagOf(union.types);
    if (by === null) throw new Error(`nothing tells ${this.#checker.typeToString(union)} apart`);
    const variants = union.types.flatMap((one) => {
      const { [by]: _tag, ...fields } = this.#fieldsOf(one);
      return this.#tagsOf(one, by).map((tag) => [String(tag), fields] as const);
    });
    return { by, of: Object.fromEntries(variants.toSorted(byTag)) };
  }

  /** The field whose words tell the variants apart. */
  #tagOf(types: readonly ts.Type[]): string | null {
    const [first] = types;
    if (first === undefined) return null;
    const tells = this.#checker.getPropertiesOfType(first).find(({ name }) => {
      const tags = types.map((one) => this.#tagsOf(one, name));
      const all = tags.flat();
      return tags.every(({ length }) => length > 0) && new Set(all).size === all.length;
    });
    return tells?.name ?? null;
  }

  #tagsOf(type: ts.Type, name: string): readonly Literal[] {
    const property = this.#checker.getPropertyOfType(type, name);
    const words = property && literalsOf(this.#checker.getTypeOfSymbol(property));
    return words?.every((word) => typeof word === "string") === true ? words : [];
  }
}

function byTag([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  return a < b ? -1 : 1;
}

type Literal = string | number | boolean;

const STRING = ts.TypeFlags.String;

/** The only values of the type; null: there are others. */
function literalsOf(type: ts.Type): readonly Literal[] | null {
  const each = (type.isUnion() ? type.types : [type]).map((one) => {
    if (one.isStringLiteral() || one.isNumberLiteral()) return one.value;
    if (!(one.flags & ts.TypeFlags.BooleanLiteral)) return null;
    return "intrinsicName" in one && one.intrinsicName === "true";
  });
  const values = each.filter((value) => value !== null);
  // The compiler's own order changes with what it was asked before.
  return values.length === each.length ? values.toSorted((a, b) => (a < b ? -1 : 1)) : null;
}

/** Shapes that are shorter stand where they are used. */
const NAMED_CHARS_MIN = 60;

/** One shape a line, each after those that it is made of. */
function printed(events: Readonly<Record<string, Fields>>, names: ReadonlyMap<string, string>) {
  const lines = new Map<string, string>();
  const textOf = (top: unknown): string =>
    JSON.stringify(top, (key, value: unknown) => {
      const name = key === "" ? undefined : names.get(JSON.stringify(value));
      if (name === undefined) return value;
      if (!lines.has(name)) lines.set(name, `const ${name}: Shape = ${textOf(value)};`);
      return `=${name}`;
    }).replaceAll(/"=(\w+)"/g, "$1");
  const rows = Object.entries(events).map(([type, fields]) => `  "${type}": ${textOf(fields)},`);
  const table = "export const EVENT_SHAPES: Readonly<Record<EventType, Fields>> = {";
  return [...lines.values(), "", table, ...rows, "};", ""].join("\n");
}
