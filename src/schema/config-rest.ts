// What does a config still say, once all that is wrong with it is taken out?

import { isObject } from "../core/model/json.ts";
import { valueAt } from "../core/views/policy-overlay.ts";
import { PROBLEMS_MAX, type KeyProblem } from "./key-problems.ts";
import type { KeyPath, Parsed } from "./parsed.ts";

/** What is taken out may be what makes another key wrong, as a gate without its command. */
const ROUNDS_MAX = 5;

export interface Rest<T> {
  /** null: nothing of it can be read. */
  readonly value: T | null;
  readonly problems: readonly KeyProblem[];
}

/** So that one mistake hides no other. */
export function restOf<T>(raw: unknown, parse: (raw: unknown) => Parsed<T, KeyProblem>): Rest<T> {
  const problems: KeyProblem[] = [];
  let rest = raw;
  for (let round = 0; round < ROUNDS_MAX && problems.length < PROBLEMS_MAX; round += 1) {
    const read = parse(rest);
    if (read.ok) return { value: read.value, problems };
    const known = problems.map(({ path }) => path);
    const isOwn = ({ path }: KeyProblem): boolean =>
      round === 0 || (isWritten(raw, path) && !known.some((one) => isIn(one, path)));
    problems.push(...read.problems.filter(isOwn));
    rest = withStandIns(raw, without(rest, pathsIn(rest, read.problems)));
  }
  return { value: null, problems };
}

/** What is wrong around a mistake that was taken out only follows from it, as does what is missing then. */
function isIn(path: KeyPath, around: KeyPath): boolean {
  return around.every((part, at) => part === path[at]);
}

/** What misses a key goes as a whole. */
function pathsIn(rest: unknown, problems: readonly KeyProblem[]): readonly KeyPath[] {
  return problems.map(({ path }) => (isWritten(rest, path) ? path : path.slice(0, -1)));
}

function isWritten(raw: unknown, path: KeyPath): boolean {
  return valueAt(raw, path.map(String)) !== undefined;
}

function without(value: unknown, paths: readonly KeyPath[]): unknown {
  if (paths.some((path) => path.length === 0)) return undefined;
  if (paths.length === 0) return value;
  const below = (key: string | number): readonly KeyPath[] =>
    paths.flatMap(([first, ...others]) => (String(first) === String(key) ? [others] : []));
  if (Array.isArray(value))
    return value.map((each, at) => without(each, below(at))).filter((each) => each !== undefined);
  if (!isObject(value)) return value;
  const left = Object.entries(value).map(([key, each]) => [key, without(each, below(key))]);
  return Object.fromEntries(left.filter(([, each]) => each !== undefined));
}

/** What others name has to stay, or each of them would seem wrong. */
const STAND_INS = {
  agents: { driver: "command", command: "true" },
  gates: { run: "true" },
  pipelines: [{ name: "implement", prompt: "implement" }],
} as const;

function withStandIns(raw: unknown, rest: unknown): unknown {
  if (!isObject(raw) || !isObject(rest)) return rest;
  const all = { ...rest };
  for (const [section, standIn] of Object.entries(STAND_INS)) {
    const [written, left] = [raw[section], rest[section]];
    if (isObject(written)) {
      const names = Object.keys(written).map((name) => [name, standIn] as const);
      all[section] = { ...Object.fromEntries(names), ...(isObject(left) ? left : {}) };
    } else if (written !== undefined && left === undefined) {
      all[section] = { check: standIn };
    }
  }
  return all;
}
