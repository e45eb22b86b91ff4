// Was a setting of a tool loosened?

import type { GateTool } from "./gate-tools.ts";
import { mask } from "./mask.ts";
import { rulesAt, type How } from "./settings-files.ts";

export interface Loosened {
  /** Of how much is tested, and no rule. */
  readonly isLimit: boolean;
  /** Whose setting it is. */
  readonly tool: GateTool;
  readonly detail: string;
  /** Offset in the file as it is now; null: it is gone. */
  readonly start: number | null;
}

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

/** All others are rules. */
const LIMITS = /^(?:js|py)-tests$/;

/** `now` is null where the file was deleted. One that is new is held to nothing yet. */
export function loosened(path: string, base: string, now: string | null): readonly Loosened[] {
  const [was, is] = [settingsIn(base, path), settingsIn(now ?? "", path)];
  // A file that can no longer be read has other problems than that.
  if (now !== null && is.all.length === 0) return [];
  // What is gone from this file may come from another now.
  const inherits = is.inherited > was.inherited;
  return (rulesAt(path) ?? []).flatMap(([tool, how, names]) => {
    const [before, after] = [was, is].map(({ all }) => all.filter(({ name }) => names.test(name)));
    return compare(how, before ?? [], after ?? [])
      .filter(({ start }) => start !== null || !inherits)
      .map((each) => ({ isLimit: LIMITS.test(tool), tool, ...each }));
  });
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
  String.raw`(?:--|(?<![\w@/.-]))([\w@][\w@/.-]{0,60})(?:${SIGN}|(?<=--[\w-]{1,30}) )(?:\[\s{0,20}|${LEVEL})?["']?([\w.]{1,60})`,
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

/** In JSON and JavaScript, comments begin with slashes. */
const CODE = /(?:^|\/)(?:\.\w{1,20}rc|[^/]{1,100}\.(?:[cm]?[jt]s|jsonc?|json5))$/;

function settingsIn(text: string, path: string) {
  const isCode = CODE.test(path) && !/\.(?:coverage|pylint)rc$/.test(path);
  const marked = isCode ? text : text.replace(/^(\s{0,40});/gm, "$1#");
  const plain = mask(marked, isCode ? "js" : "hash").withStrings;
  const items = path.endsWith("ignore") ? itemsOf("patterns", plain, 0) : [];
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
