// Which single values does a record of unknown shape hold, and where?

import { isObject } from "../../core/model/json.ts";

/** One value of a record, with the words of the keys above it. */
export interface Leaf {
  /** Key words from the root, lower case, camel and snake case taken apart: "diff tests deleted". */
  readonly path: string;
  readonly value: string | number | boolean | null;
  /** The strings of a list; empty for anything else. */
  readonly items: readonly string[];
}

const LEAVES_MAX = 400;
const KEYS_MAX = 100;
const DEPTH_MAX = 6;
const KEY_CHARS_MAX = 60;
const PATH_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 300;
const ITEMS_MAX = 100;

/** Never follows more than six levels, a hundred keys of one object, four hundred values in all. */
export function leavesOf(record: unknown): readonly Leaf[] {
  const leaves: Leaf[] = [];
  collect(record, "", DEPTH_MAX, leaves);
  return leaves;
}

/**
 * How much of it there is: a count, the length of a list, 1 for a flag or words, 0 for none of
 * it; null where nothing was measured.
 */
export function amountOf(leaf: Leaf): number | null {
  const { value } = leaf;
  if (typeof value === "string") return wordAmount(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  return value;
}

/** A record's fields; null: it is no object with fields. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return isObject(value) ? value : null;
}

function wordAmount(value: string): number {
  const word = value.trim().toLowerCase();
  if (/^-?\d{1,9}(?:\.\d{1,6})?$/.test(word)) return Number(word);
  return ["", "no", "none", "false", "null", "n/a", "empty", "not found"].includes(word) ? 0 : 1;
}

function collect(value: unknown, path: string, depth: number, into: Leaf[]): void {
  if (into.length >= LEAVES_MAX) return;
  if (Array.isArray(value)) return collectList(value, path, depth, into);
  const fields = fieldsOf(value);
  if (fields !== null) {
    if (depth === 0) return;
    for (const key of Object.keys(fields).slice(0, KEYS_MAX)) {
      collect(fields[key], joined(path, key), depth - 1, into);
    }
    return;
  }
  const plain = plainOf(value);
  if (plain !== undefined) into.push({ path, value: plain, items: [] });
}

function collectList(list: readonly unknown[], path: string, depth: number, into: Leaf[]): void {
  const kept = list.slice(0, ITEMS_MAX);
  const items = kept.filter((item) => typeof item === "string");
  into.push({
    path,
    value: list.length,
    items: items.map((item) => item.slice(0, TEXT_CHARS_MAX)),
  });
  if (depth === 0) return;
  for (const item of kept) {
    if (fieldsOf(item) !== null) collect(item, path, depth - 1, into);
  }
}

function plainOf(value: unknown): Leaf["value"] | undefined {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" ? value.slice(0, TEXT_CHARS_MAX) : undefined;
}

function joined(path: string, key: string): string {
  const words = key
    .slice(0, KEY_CHARS_MAX)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  return `${path} ${words}`.trim().slice(0, PATH_CHARS_MAX);
}
