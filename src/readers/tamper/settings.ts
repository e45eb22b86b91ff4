// Was a setting of a tool loosened?

import type { GateTool } from "./gate-tools.ts";
import { mask } from "./mask.ts";
import type { Settings } from "./paths.ts";

export interface Loosened {
  /** Of how much is tested, and no rule. */
  readonly isLimit: boolean;
  /** Whose setting it is. */
  readonly tool: GateTool;
  readonly detail: string;
  /** Offset in the file as it is now; null: it is gone. */
  readonly start: number | null;
}

/** By what a value is judged: a limit, a switch, a severity, or that it stands in a list of what is left out. */
type How = "limit" | "switch" | "severity" | "left-out";

const ON = /^(?:true|yes|on|1)$/i;
const OFF = /^(?:false|no|off|0)$/i;
/** From what lets everything pass to what lets nothing pass. */
const SEVERITIES: readonly RegExp[] = [
  /^(?:off|0|none|false|allow)$/,
  /^(?:warn|1|warning|info|information|basic)$/,
  /^(?:error|2|on|true|deny|standard)$/,
  /^(?:forbid|strict)$/,
];

const ITEM = "(item)";

/** The lower, the looser; null: the value says nothing. */
const RANK: Readonly<Record<How, (value: string, name: string) => number | null>> = {
  limit: (value) => (/^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null),
  switch: (value) => (ON.test(value) ? 1 : OFF.test(value) ? 0 : null),
  severity: (value, name) => {
    const rank = SEVERITIES.findIndex((pattern) => pattern.test(value));
    // Of any other name a number or a switch may mean anything; a name of a rule has a dash.
    const isRule = !/^(?:0|false)$/.test(value) || /[-/]|^report/.test(name);
    return rank < 0 || !isRule ? null : rank;
  },
  "left-out": (value) => (value === ITEM ? 0 : null),
};

type Row = readonly [files: string, tool: GateTool, how: How, names: RegExp];

const JS_TESTS = "vitest jest mocha js-coverage package deno";
const MYPY = /^(?:strict|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|extra_checks)$/;
const TSC =
  /^(?:strict\w*|alwaysStrict|useUnknown\w+|no(?:Implicit|Un|Property|Fallthrough)\w+|exact\w+|checkJs|isolatedDeclarations|erasableSyntaxOnly)$/;

const ROWS: readonly Row[] = [
  [JS_TESTS, "js-tests", "limit", /^(?:lines|branches|functions|statements)$/],
  [JS_TESTS, "js-tests", "switch", /^check-?[cC]overage$/],
  ["python pytest python-coverage", "py-tests", "limit", /^(?:cov-)?fail[_-]under$/],
  ["python python-coverage", "py-tests", "left-out", /^omit: /],
  ["typescript deno", "types", "switch", TSC],
  ["typescript", "types", "left-out", /^exclude: /],
  ["mypy python", "py-types", "switch", MYPY],
  ["mypy python", "py-types", "left-out", /^disable_error_code: /],
  ["pyright", "py-types", "severity", /^(?:report\w+|typeCheckingMode)$/],
  ["pyright", "py-types", "left-out", /^(?:exclude|ignore): /],
  ["eslint oxlint biome", "js-lint", "severity", /./],
  ["biome", "js-lint", "switch", /^(?:enabled|recommended)$/],
  ["eslint oxlint biome", "js-lint", "left-out", /^(?:ignorePatterns|ignores?|patterns): /],
  ["python python-lint", "py-lint", "left-out", /^(?:(?:extend-)?ignore|per-file-ignores): /],
  ["golangci", "golangci", "left-out", /^(?:disable|paths|exclude-(?:dirs|files)): /],
  ["cargo", "clippy", "severity", /_/],
  ["rubocop", "rubocop", "switch", /^Enabled$/],
];

/** All others are rules. */
const LIMITS = /^(?:js|py)-tests$/;

/** `now` is null where the file was deleted. One that is new is held to nothing yet. */
export function loosened(
  { tool, syntax }: Settings,
  base: string,
  now: string | null,
): readonly Loosened[] {
  const [was, is] = [settingsIn(base, syntax), settingsIn(now ?? "", syntax)];
  // A file that can no longer be read has other problems than that.
  if (now !== null && is.all.length === 0) return [];
  // What is gone from this file may come from another now.
  const inherits = is.inherited > was.inherited;
  return ROWS.filter(([files]) => files.split(" ").includes(tool)).flatMap(
    ([, owner, how, names]) => {
      const [before, after] = [was, is].map(({ all }) =>
        all.filter(({ name }) => names.test(name)),
      );
      return compare(how, before ?? [], after ?? [])
        .filter(({ start }) => start !== null || !inherits)
        .map((each) => ({ isLimit: LIMITS.test(owner), tool: owner, ...each }));
    },
  );
}

// ---- read ---------------------------------------------------------------------------------------

/** Of an item of a list the name holds what it says. */
interface Setting {
  readonly name: string;
  readonly value: string;
  readonly start: number;
}

const SETTINGS_MAX = 5_000;

const SIGN = String.raw`["']?[ \t]{0,9}[:=][ \t]{0,9}`;
const LEVEL = String.raw`\{\s{0,9}["']?level${SIGN}`;
/** JSON, JavaScript, TOML, INI, YAML and options alike: a name and a value; of a list the first. */
const PAIR = new RegExp(
  String.raw`(?:--|(?<![\w@/.-]))([\w@][\w@/.-]{0,100})(?:${SIGN}|(?<=--[\w-]{1,40}) )(?:\[\s{0,20}|${LEVEL})?["']?([\w.]{1,60})`,
  "g",
);
/** To the closing bracket, or over the lines that are indented. */
const LIST = new RegExp(
  String.raw`(?<![\w-])([\w-]{0,20}(?:[iI]gnore|disable|omit|[eE]xclude|paths)[\w-]{0,20})${SIGN}(\[[^[\]]{0,9000}\]|[^\n{[]{0,900}(?:\n[ \t]+[^\n]{0,300}){0,200})`,
  "g",
);
/** Copies and products: leaving them out leaves out no work. */
const HARMLESS =
  /node_modules|\b(?:dist|build|coverage|out|target|vendor|tmp|temp|venv|site-packages|fixtures?|generated|__pycache__)\b|\.(?:git|next|nuxt|cache|tox|venv|turbo|vscode|orch)\b|\.d\.ts$|\.(?:min|gen)\.|^\*\*?$/;
const INHERITS = /\.\.\.\w|\b(?:extends?|preset|inherit)\b/g;

function settingsIn(text: string, syntax: Settings["syntax"]) {
  const isCode = syntax === "object";
  const marked = isCode ? text : text.replace(/^(\s{0,40});/gm, "$1#");
  const plain = mask(marked, isCode ? "js" : "hash").withStrings;
  const items = syntax === "lines" ? itemsOf("patterns", plain, 0) : [];
  const all: readonly Setting[] = [...pairsIn(plain), ...listsIn(plain), ...items];
  return { all: all.slice(0, SETTINGS_MAX), inherited: plain.match(INHERITS)?.length ?? 0 };
}

function pairsIn(plain: string): readonly Setting[] {
  const pairs = plain.matchAll(PAIR);
  return Array.from(pairs, ({ 0: whole, 1: path = "", 2: value = "", index }) => {
    const name = path.slice(path.lastIndexOf(".") + 1);
    return { name, value, start: index + whole.length - 1 };
  });
}

function listsIn(plain: string): readonly Setting[] {
  return [...plain.matchAll(LIST)].flatMap(({ 0: whole, 1: name = "", 2: list = "", index }) =>
    itemsOf(name, list, index + whole.length - list.length),
  );
}

function itemsOf(name: string, list: string, from: number): readonly Setting[] {
  const items = [...list.matchAll(/[^\s,"'[\]{}-][^,"'\n[\]{}]*/g)];
  return items
    .filter(([item]) => !HARMLESS.test(item))
    .map(({ 0: item, index }) => ({
      name: `${name}: ${item.trim()}`,
      value: ITEM,
      start: from + index,
    }));
}

// ---- compare ------------------------------------------------------------------------------------

/** Not implied by `strict`, neither TypeScript's nor mypy's. */
const BESIDE_STRICT = /^(?:no(?:Un|Property|Fallthrough)|exact|checkJs|isolated|erasable|strict$)/;

type Found = Pick<Loosened, "detail" | "start">;

function compare(how: How, base: readonly Setting[], now: readonly Setting[]): readonly Found[] {
  const [before, after] = [ranked(how, base), ranked(how, now)];
  const names = new Set(now.map(({ name }) => name));
  const isStrict = now.some(({ name, value }) => name === "strict" && ON.test(value));
  const isHeld = (name: string): boolean =>
    names.has(name) || (isStrict && !BESIDE_STRICT.test(name));
  const isHeldByStanding = how === "limit" || how === "switch";
  const gone = [...before].flatMap(([name, [first]]) =>
    isHeldByStanding && first !== undefined && first.rank !== 0 && !isHeld(name)
      ? [{ detail: `${name} was ${first.value}, and is gone`, start: null }]
      : [],
  );
  const milder = [...after].flatMap(([name, is]) => {
    const was = before.get(name);
    if (was === undefined) {
      const isLoose = how !== "limit" && is[0]?.rank === 0;
      const words = is[0]?.value === ITEM ? `added: ${name}` : `${name} is ${is[0]?.value ?? ""}`;
      return isLoose ? [{ detail: words, start: is[0]?.start ?? null }] : [];
    }
    // The same name may stand in several places; in order, none may be looser than before.
    const same = was.length === is.length ? was : was.slice(0, 1);
    const at = is.findIndex(({ rank }, place) => rank < (same[place]?.rank ?? -Infinity));
    const [old, found] = [same[at], is[at]];
    if (old === undefined || found === undefined) return [];
    return [{ detail: `${name} is ${found.value}, was ${old.value}`, start: found.start }];
  });
  return [...gone, ...milder].slice(0, FOUND_MAX);
}

const FOUND_MAX = 50;

type Ranked = Setting & { readonly rank: number };

/** By name, each from loose to strict. */
function ranked(how: How, all: readonly Setting[]): ReadonlyMap<string, readonly Ranked[]> {
  const groups = new Map<string, Ranked[]>();
  for (const each of all) {
    const rank = RANK[how](each.value, each.name);
    const group = groups.get(each.name) ?? [];
    if (rank !== null) groups.set(each.name, group);
    if (rank !== null) group.push({ ...each, rank });
  }
  for (const group of groups.values()) group.sort((a, b) => a.rank - b.rank);
  return groups;
}
