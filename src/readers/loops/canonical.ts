// When are the arguments of two calls the same?

import { isObject } from "../../core/model/json.ts";
import { markOf } from "./mark.ts";

const DEPTH_MAX = 12;
const NODES_MAX = 4_000;
/** A longer text is told by its beginning and its mark: a whole file may be an argument. */
const TEXT_CHARS_MAX = 200;
/** Beyond this a call's JSON is compared as it was written. */
const JSON_CHARS_MAX = 256 * 1024;

/** Beside one of these, words that explain it change nothing about what is done. */
const DEEDS = ["command", "cmd", "code", "script"];
const GLOSSES: ReadonlySet<string> = new Set([
  "description",
  "explanation",
  "justification",
  "reason",
  "reasoning",
  "thought",
  "toolCallDescription",
]);

/**
 * JSON with sorted keys: equal values give equal texts, whatever order their keys came in. Total:
 * what JSON does not know is named, and what is too deep or too much is cut.
 */
export function canonical(value: unknown): string {
  return written(value, 0, { nodes: NODES_MAX });
}

/** `canonical`, without what only explains a command. */
export function toolArguments(args: unknown): string {
  if (!isObject(args) || !DEEDS.some((deed) => Object.hasOwn(args, deed))) return canonical(args);
  return canonical(Object.fromEntries(Object.entries(args).filter(([name]) => !GLOSSES.has(name))));
}

/** As `toolArguments`, for arguments that arrive as JSON; other text stands for itself. */
export function toolArgumentsOf(json: string): string {
  if (json.length > JSON_CHARS_MAX) return canonical(json);
  try {
    return toolArguments(JSON.parse(json));
  } catch {
    // An agent may call a tool with anything; then its words are compared.
    return canonical(json);
  }
}

/** How much may still be written; shared by one value's whole tree. */
interface Room {
  nodes: number;
}

function written(value: unknown, depth: number, room: Room): string {
  room.nodes -= 1;
  if (room.nodes < 0 || depth > DEPTH_MAX) return '"…"';
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${items(value, depth, room).join(",")}]`;
  if (isObject(value)) return `{${entries(value, depth, room).join(",")}}`;
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "null";
  // Neither undefined nor a function or the like can arrive in JSON.
  return typeof value === "bigint" ? String(value) : `"<${typeof value}>"`;
}

function items(list: readonly unknown[], depth: number, room: Room): readonly string[] {
  const kept = list.slice(0, Math.max(0, room.nodes));
  const texts = kept.map((item) => written(item, depth + 1, room));
  return kept.length === list.length ? texts : [...texts, `"…${list.length}"`];
}

function entries(record: object, depth: number, room: Room): readonly string[] {
  const names = Object.keys(record);
  const kept = names.slice(0, Math.max(0, room.nodes)).sort();
  const values = new Map(Object.entries(record));
  const texts = kept.map((name) => `${quoted(name)}:${written(values.get(name), depth + 1, room)}`);
  return kept.length === names.length ? texts : [...texts, `"…${names.length}"`];
}

function quoted(text: string): string {
  if (text.length <= TEXT_CHARS_MAX) return JSON.stringify(text);
  return JSON.stringify(`${text.slice(0, TEXT_CHARS_MAX)}…${markOf(text)}`);
}
