// Which settings does a configuration file hold, and with which values, whatever its format?

import { closings, lineTeller, scan } from "./scan.ts";
import type { Closings } from "./scan.ts";
import type { Settings } from "./paths.ts";

/** One value. Of a list each item is one, and its path ends in "[]". */
export interface Setting {
  /** Names from the outermost in, between dots. */
  readonly path: string;
  /** Without quotes. What is not a literal is kept as it is written, and compares with nothing. */
  readonly value: string;
  readonly line: number;
  /** Not a later item of a list: in `["error", 2]` only the first is a severity. */
  readonly isFirst: boolean;
}

/** Tolerant: what cannot be read is passed over, and nothing throws. */
export function settingsIn(text: string, syntax: Settings["syntax"]): readonly Setting[] {
  return READERS[syntax](text);
}

const READERS: Readonly<Record<Settings["syntax"], (text: string) => readonly Setting[]>> = {
  object: objectSettings,
  ini: iniSettings,
  yaml: yamlSettings,
  lines: patternLines,
  shell: () => [],
};

const SETTINGS_MAX = 5_000;
const VALUE_CHARS_MAX = 1_000;

// ---- JSON, and object literals in JavaScript ----------------------------------------------------

interface Frame {
  readonly path: string;
  readonly isList: boolean;
  key: string | null;
  count: number;
  /** Literals and words since the last key or comma. */
  scalars: { readonly value: string; readonly at: number }[];
}

function objectSettings(text: string): readonly Setting[] {
  const { code } = scan(text, "js");
  const lineOf = lineTeller(text);
  const settings: Setting[] = [];
  const frames: Frame[] = [{ path: "", isList: false, key: null, count: 0, scalars: [] }];
  const token = /[{}[\],:=;]|["'`]|[\w$.+-]+/g;
  for (let match = token.exec(code); match !== null; match = token.exec(code)) {
    const frame = frames.at(-1);
    if (frame === undefined || settings.length > SETTINGS_MAX) break;
    const [mark] = match;
    if (`"'\``.includes(mark)) {
      const close = code.indexOf(mark, match.index + 1);
      const end = close < 0 ? code.length : close;
      frame.scalars.push({ value: text.slice(match.index + 1, end), at: match.index });
      token.lastIndex = end + 1;
    } else if (mark === ":" || mark === "=") {
      const key = frame.scalars.at(-1)?.value ?? null;
      frame.key = key !== null && mark === "=" && WHOLE_CONFIG.test(key) ? "" : key;
      frame.scalars = [];
    } else if (mark === "{" || mark === "[") {
      if (frames.length < DEPTH_MAX) frames.push(inner(frame, mark === "["));
    } else if (/^[}\],;]$/.test(mark)) {
      settings.push(...flushed(frame, lineOf));
      if (/[}\]]/.test(mark) && frames.length > 1) {
        frames.pop();
        const outer = frames.at(-1);
        if (outer !== undefined) outer.scalars = [];
      }
    } else {
      frame.scalars.push({ value: mark, at: match.index });
    }
  }
  return settings;
}

const DEPTH_MAX = 60;
/** What is assigned to such a name is the configuration itself. */
const WHOLE_CONFIG = /^(?:module\.exports|exports\.\w{1,40}|default|\w{0,60}[cC]onfig)$/;

function inner(frame: Frame, isList: boolean): Frame {
  const name = frame.isList ? "[]" : (frame.key ?? "");
  const path = joined(frame.path, name);
  return { path: path.slice(0, VALUE_CHARS_MAX), isList, key: null, count: 0, scalars: [] };
}

function joined(path: string, name: string): string {
  if (name === "[]") return path.endsWith("[]") ? path : `${path}[]`;
  if (path === "" || name === "") return `${path}${name}`;
  return `${path}.${name}`;
}

function flushed(frame: Frame, lineOf: (offset: number) => number): readonly Setting[] {
  const [first, second] = frame.scalars;
  const path = frame.isList ? joined(frame.path, "[]") : joined(frame.path, frame.key ?? "");
  const isKeyed = frame.isList || frame.key !== null;
  frame.scalars = [];
  frame.key = null;
  if (first === undefined) return [];
  frame.count += 1;
  const isFirst = !frame.isList || frame.count === 1;
  if (first.value.startsWith("..."))
    return [
      { path: joined(frame.path, SPREAD), value: first.value, line: lineOf(first.at), isFirst },
    ];
  if (!isKeyed) return [];
  const value = second === undefined ? first.value : `${first.value} ${second.value}`;
  return [{ path, value: value.slice(0, VALUE_CHARS_MAX), line: lineOf(first.at), isFirst }];
}

/** Name under which a spread of another object is listed. */
const SPREAD = "(spread)";

// ---- a pattern a line, as in .eslintignore ------------------------------------------------------

function patternLines(text: string): readonly Setting[] {
  return text
    .split("\n", SETTINGS_MAX)
    .map((line, index) => ({ path: "patterns[]", value: line.trim(), line: index + 1 }))
    .filter(({ value }) => value !== "" && !value.startsWith("#"))
    .map((setting) => ({ ...setting, isFirst: true }));
}

// ---- TOML and INI -------------------------------------------------------------------------------

function iniSettings(text: string): readonly Setting[] {
  const { code } = scan(text.replace(/^(\s{0,40});/gm, "$1#"), "hash");
  const pairs = closings(code);
  const lineOf = lineTeller(text);
  const settings: Setting[] = [];
  let section = "";
  const line = /[^\n]*\n?/y;
  for (let at = 0; at < code.length && settings.length < SETTINGS_MAX; at = line.lastIndex) {
    line.lastIndex = at;
    const found = line.exec(code)?.[0] ?? "";
    if (found === "") break;
    const header = /^\s{0,40}\[{1,2}([^\]\n]{1,200})\]/.exec(text.slice(at, at + 260));
    if (header !== null && found.trimStart().startsWith("[")) {
      section = (header[1] ?? "").replace(/["'\s]/g, "");
      continue;
    }
    const key = /^([ \t]{0,8})(["'\w.:\-/*]{1,120})\s{0,20}[=:]/.exec(text.slice(at, at + 300));
    if (key === null || found.trim() === "") continue;
    const from = at + key[0].length;
    const end = endOfValue(code, pairs, from, (key[1] ?? "").length);
    line.lastIndex = Math.max(line.lastIndex, end);
    const path = joined(section, (key[2] ?? "").replace(/["']/g, ""));
    settings.push(...valuesOf(path, withoutComments(text, from, end), lineOf(at)));
  }
  return settings;
}

/** A value goes on within brackets, and on lines that are indented further. */
function endOfValue(code: string, pairs: Closings, from: number, indent: number): number {
  const open = /\S/.exec(code.slice(from, from + 80));
  const bracket = open === null ? -1 : from + open.index;
  if (open?.[0] === "[" || open?.[0] === "{")
    return nextLine(code, pairs.get(bracket) ?? code.length);
  let end = nextLine(code, from);
  const more = new RegExp(`(?:[ \\t]{${indent + 1},}\\S[^\\n]*|[ \\t]*)(?:\\n|$)`, "y");
  for (more.lastIndex = end; end < code.length && more.test(code); more.lastIndex = end)
    end = more.lastIndex;
  return end;
}

function nextLine(code: string, from: number): number {
  const end = code.indexOf("\n", from);
  return end < 0 ? code.length : end + 1;
}

/** Strings with their text, comments without. */
function withoutComments(text: string, from: number, end: number): string {
  return text
    .slice(from, Math.min(end, from + VALUE_CHARS_MAX * 10))
    .split("\n")
    .map((line) => line.replace(/(?:^|\s)[#;].*$/, ""))
    .join("\n");
}

function valuesOf(path: string, raw: string, line: number): readonly Setting[] {
  const value = raw.trim();
  const items = value
    .replace(/^[[{]|[\]}]$/g, "")
    .split(/[,\n]/)
    .map((item) => unquoted(item))
    .filter((item) => item !== "");
  const scalar = { path, value: unquoted(value).slice(0, VALUE_CHARS_MAX), line, isFirst: true };
  return [
    scalar,
    ...items.map((item, at) => ({
      path: `${path}[]`,
      value: item.slice(0, VALUE_CHARS_MAX),
      line,
      isFirst: at === 0,
    })),
  ];
}

function unquoted(text: string): string {
  return text.trim().replace(/^["']|["']$/g, "");
}

// ---- YAML ---------------------------------------------------------------------------------------

interface Level {
  readonly indent: number;
  readonly path: string;
}

const YAML_LINE =
  /^( {0,60})((?:- {1,4}){0,4})(?:(["'\w.$@/*:-]{1,120}?)\s{0,4}:(?: +|$))?(.{0,1000})$/;

function yamlSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  const levels: Level[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (settings.length > SETTINGS_MAX) break;
    const match = YAML_LINE.exec(line.slice(0, VALUE_CHARS_MAX).replace(/(?:^|\s)#.*$|\s+$/g, ""));
    if (match === null || match[0].trim() === "") continue;
    const [, space = "", dashes = "", key = "", rest = ""] = match;
    const indent = space.length + dashes.length;
    while ((levels.at(-1)?.indent ?? -1) >= (dashes === "" ? indent : space.length + 1))
      levels.pop();
    const parent = joined(levels.at(-1)?.path ?? "", dashes === "" ? "" : "[]");
    const path = key === "" ? parent : joined(parent, unquoted(key));
    if (dashes !== "" && key !== "") levels.push({ indent: space.length + 1, path: parent });
    if (key !== "") levels.push({ indent: indent + (dashes === "" ? 0 : 1), path });
    settings.push(...yamlValues(path, key, rest, index + 1));
  }
  return settings;
}

function yamlValues(path: string, key: string, rest: string, line: number): readonly Setting[] {
  const value = rest.trim();
  if (value === "" || /^[|>][+-]?$/.test(value)) return [];
  if (/^\[.*\]$/.test(value))
    return valuesOf(path, value, line).filter((setting) => setting.path.endsWith("[]"));
  // A line of a block of text, as the commands of a step.
  const isItem = key === "" && !path.endsWith("[]");
  return [{ path: isItem ? `${path}[]` : path, value: unquoted(value), line, isFirst: true }];
}
