// Was a setting of a gate loosened?

import type { Alarm } from "../../core/model/alarm.ts";
import { setOf } from "../shell/call.ts";
import type { ReadFile } from "./reading.ts";
import { SETTING_RULES } from "./setting-rules.ts";
import type { Looser, SettingRule } from "./setting-rules.ts";
import { settingsIn } from "./setting-values.ts";
import type { Setting } from "./setting-values.ts";
import { surplus } from "./surplus.ts";

/** Only where the file was there before and still is: a new one is held to nothing yet. */
export function settingAlarms(files: readonly ReadFile[]): readonly Alarm[] {
  return files.flatMap(({ path, role, before, after }) => {
    const { settings } = role;
    if (settings === null || before === null || after === null) return [];
    const rules = SETTING_RULES.filter(({ tools }) => tools.includes(settings.tool));
    if (rules.length === 0) return [];
    const base = settingsIn(before, settings.syntax);
    const now = settingsIn(after, settings.syntax);
    // A file that can no longer be read has other problems than that.
    if (now.length === 0) return [];
    const inherited = inheritsMore(base, now);
    return rules.flatMap((rule) =>
      COMPARE[rule.looser](base.filter(isOf(rule)), now.filter(isOf(rule)))
        .filter(({ line }) => line !== null || !inherited)
        .map((each) => ({ kind: rule.kind, path, ...each })),
    );
  });
}

function isOf(rule: SettingRule): (setting: Setting) => boolean {
  return ({ path }) => rule.path.test(path);
}

interface Loosened {
  readonly detail: string;
  readonly line: number | null;
}

type Compare = (base: readonly Setting[], now: readonly Setting[]) => readonly Loosened[];

const COMPARE: Readonly<Record<Looser, Compare>> = {
  lower: (base, now) => numbers(base, now, 1),
  higher: (base, now) => numbers(base, now, -1),
  off: switchedOff,
  on: (base, now) =>
    surplus(now.filter(isOn), base.filter(isOn), ({ path }) => path).map(
      ({ path, value, line }) => ({
        detail: `${path} is ${value}`,
        line,
      }),
    ),
  milder,
  more: (base, now) => items(base, now, "now has"),
  // A list that is gone altogether means the default, which is usually everything.
  less: (base, now) => (now.length === 0 ? [] : items(now, base, "no longer has")),
};

function isOn({ value }: Setting): boolean {
  return ON.test(value);
}

/** What is gone from this file may come from another now. */
function inheritsMore(base: readonly Setting[], now: readonly Setting[]): boolean {
  const inherits = ({ path }: Setting): boolean => INHERITS.test(lastName(path));
  const before = new Set(base.filter(inherits).map(({ value }) => value));
  return now.filter(inherits).some(({ value }) => !before.has(value));
}

const INHERITS = /^(?:extends?|preset|inherit|extend)$|^\(spread\)$/;

function lastName(path: string): string {
  return path.replace(/\[\]$/, "").split(".").at(-1) ?? path;
}

function sameName(all: readonly Setting[], { path }: Setting): readonly Setting[] {
  const exact = all.filter((other) => other.path === path);
  if (exact.length > 0) return exact;
  return all.filter((other) => lastName(other.path) === lastName(path));
}

function numbers(
  base: readonly Setting[],
  now: readonly Setting[],
  sign: 1 | -1,
): readonly Loosened[] {
  return base.flatMap((old): readonly Loosened[] => {
    const was = numberIn(old.value);
    if (was === null || was < 0) return [];
    const found = sameName(now, old);
    if (found.length === 0)
      return sign === 1 && was === 0
        ? []
        : [{ detail: `${old.path} was ${old.value}, and is gone`, line: null }];
    const looser = found.find((each) => {
      const is = numberIn(each.value);
      return is !== null && is >= 0 && (is - was) * sign < 0;
    });
    const isMoved = found.some((each) => numberIn(each.value) === was);
    return looser === undefined || isMoved
      ? []
      : [{ detail: `${old.path} is ${looser.value}, was ${old.value}`, line: looser.line }];
  });
}

function numberIn(value: string): number | null {
  const match = /^(-?\d{1,9}(?:\.\d{1,9})?)\s?%?$/.exec(value.trim());
  return match === null ? null : Number(match[1]);
}

const ON = /^(?:true|yes|on|1)$/i;
const OFF = /^(?:false|no|off|0)$/i;

function switchedOff(base: readonly Setting[], now: readonly Setting[]): readonly Loosened[] {
  const off = now
    .filter(
      ({ path, value }) =>
        OFF.test(value) && !base.some((s) => s.path === path && OFF.test(s.value)),
    )
    .map(({ path, value, line }) => ({ detail: `${path} is ${value}`, line }));
  const isStrict = now.some(({ path, value }) => /(?:^|\.)strict$/.test(path) && ON.test(value));
  const gone = base
    .filter(({ path, value }) => ON.test(value) && !now.some((setting) => setting.path === path))
    .filter(({ path }) => !isStrict || !PART_OF_STRICT.test(path))
    .map(({ path, value }) => ({ detail: `${path} was ${value}, and is gone`, line: null }));
  return [...off, ...gone];
}

/** Implied by TypeScript's or mypy's `strict`. */
const PART_OF_STRICT =
  /\.(?:strict\w{1,40}|noImplicitAny|noImplicitThis|alwaysStrict|useUnknownInCatchVariables|disallow_\w{1,60}|warn_\w{1,60}|check_untyped_defs|no_implicit_\w{1,60}|extra_checks)$/;

/** From what lets everything pass to what lets nothing pass. */
const SEVERITIES: readonly RegExp[] = [
  /^(?:off|0|none|false|allow)$/,
  /^(?:warn|1|warning|info|information|basic)$/,
  /^(?:error|2|on|true|deny|standard)$/,
  /^(?:forbid|strict)$/,
];

function severity({ value }: Setting): number {
  // TOML writes { level = "allow", priority = -1 }.
  const level = /\blevel\s{0,9}=\s{0,9}["']?(\w{1,20})/.exec(value)?.[1] ?? value;
  return SEVERITIES.findIndex((pattern) => pattern.test(level.trim()));
}

function milder(base: readonly Setting[], now: readonly Setting[]): readonly Loosened[] {
  const nameOf = ({ path }: Setting): string => path.replace(/\[\]$/, "");
  const judged = (all: readonly Setting[]): readonly Setting[] =>
    all.filter((s) => s.isFirst && severity(s) >= 0);
  const [old, is] = [judged(base), judged(now)];
  const names = new Set(is.map(nameOf));
  return [...names].flatMap((name) => {
    const was = old.filter((setting) => nameOf(setting) === name).map(severity);
    const mine = is.filter((setting) => nameOf(setting) === name);
    // The same rule may be set for several groups of files; what is new is compared with the mildest.
    const mildest = mine.reduce((a, b) => (severity(b) < severity(a) ? b : a));
    const isNew = was.length === 0;
    const isMilder = isNew ? severity(mildest) === 0 : severity(mildest) < Math.min(...was);
    const from = isNew ? "" : `, was ${old.find((s) => nameOf(s) === name)?.value ?? ""}`;
    return isMilder ? [{ detail: `${name} is ${mildest.value}${from}`, line: mildest.line }] : [];
  });
}

/** Folders and files that hold copies or products: leaving them out leaves out no work. */
const HARMLESS =
  /node_modules|\b(?:dist|build|coverage|out|target|vendor|tmp|temp|venv|site-packages|fixtures?|generated|__pycache__|storybook-static)\b|\.(?:git|next|nuxt|output|cache|tox|venv|eggs|turbo|svelte-kit|vercel|idea|vscode|orch)\b|\.d\.ts$|\.(?:min|gen)\.|\.config\.|^\*\*?$|^\.\*rc/;

/** Linters that golangci-lint has dropped, renamed, merged, or made formatters. */
const RETIRED = setOf(
  "golint interfacer maligned deadcode structcheck varcheck megacheck gas gosimple stylecheck scopelint exportloopref ifshort nosnakecase typecheck tenv execinquery gomnd goerr113 exhaustivestruct gofmt goimports gofumpt gci",
);

function items(
  fewer: readonly Setting[],
  more: readonly Setting[],
  words: string,
): readonly Loosened[] {
  const known = new Set(fewer.map(({ value }) => value));
  return more
    .filter(({ value }) => value.length > 0 && !known.has(value))
    .filter(({ value }) => !HARMLESS.test(value) && !RETIRED.has(value))
    .map(({ path, value, line }) => ({
      detail: `${path.replace(/\[\]$/, "")} ${words} ${JSON.stringify(value.slice(0, 100))}`,
      line: words === "now has" ? line : null,
    }));
}
