// How does a file that also holds dependencies get back what proves, and keep the rest of the work?

import { isObject, jsonIn } from "../../core/model/json.ts";

/** The work's text with what proves as in the base's. null: it cannot be taken apart. */
type Merge = (base: string, work: string) => string | null;

/** With the slash that ends the folder. */
export function split(path: string): readonly [folder: string, name: string] {
  const at = path.lastIndexOf("/") + 1;
  return [path.slice(0, at), path.slice(at)];
}

/** null: the file is put back whole, or not at all. */
export function mergeOf(path: string): Merge | null {
  return MERGES.get(split(path)[1]) ?? null;
}

const PACKAGE_KEYS =
  "scripts imports exports config jest mocha ava tap vitest c8 nyc jasmine karma cypress cucumber wireit uvu eslintConfig eslintIgnore xo";
/** Sections of Python's settings, and of a manifest of Rust. */
const PROVES =
  /^(?:tool[.:])?(?:pytest|tox|coverage|nox|nosetests|aliases|poe|taskipy|pdm\.scripts|ruff|mypy(?:-[^.]*)?|(?:based)?pyright|pylint|flake8|bandit)(?:[.:]|$)|^(?:test|(?:workspace\.)?lints|lib\.(?:test|doctest|harness)|package\.autotests|profile\.test)(?:\.|$)/;

const MERGES: ReadonlyMap<string, Merge> = new Map<string, Merge>([
  ["package.json", (base, work) => mergeJson(PACKAGE_KEYS, base, work)],
  ["composer.json", (base, work) => mergeJson("scripts", base, work)],
  ["deno.json", (base, work) => mergeJson("tasks test lint compilerOptions", base, work)],
  ["pnpm-workspace.yaml", mergeWorkspace],
  ["pyproject.toml", mergeSections],
  ["setup.cfg", mergeSections],
  ["Cargo.toml", mergeSections],
]);

const DEPENDENCY_LIST =
  /^(?:package\.json|pyproject\.toml|Gemfile|composer\.json|(?=[\w.-]*requirements)[\w.-]*\.txt|(?:[\w.-]*[.-])?lock(?:b|file|\.(?:json|ya?ml|hcl))?)$/;

/** Whoever changes such a file may rightly change what is installed. */
export function isDependencyList(path: string): boolean {
  return DEPENDENCY_LIST.test(split(path)[1]);
}

/** The work's source of Rust with the base's modules of tests. One that moved out of the file stays where it is. */
export function mergeTestModules(base: string, work: string): string {
  const [before, after] = [testModulesIn(base), testModulesIn(work)];
  let merged = work;
  for (const { name, start, text } of after.toReversed()) {
    const old = before.find((one) => one.name === name)?.text ?? text;
    merged = merged.slice(0, start) + old + merged.slice(start + text.length);
  }
  const isThere = (name: string): boolean => new RegExp(`\\bmod\\s+${name}\\b`).test(work);
  const missing = before.filter(({ name }) => !isThere(name)).map(({ text }) => `\n${text}\n`);
  return [merged, ...missing].join("");
}

const TEST_MODULE =
  /#\[cfg\((?:all\()?test\b[^\]]{0,200}\]\s{0,200}(?:#\[[^\]]{0,200}\]\s{0,200}){0,9}(?:pub\s{1,20})?mod\s{1,20}(\w{1,200})\s{0,20}\{/g;

/** In these a brace is text; "'" begins a character or a lifetime, and strings span lines. */
const RUST_TEXT =
  /\br(#{0,8})"[\s\S]*?(?:"\1|$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\]|\\[\s\S])*"?|'(?:\\[^']{1,9}|[^\\'\n])'/g;

export function testModulesIn(text: string) {
  const code = text.replace(RUST_TEXT, (token) => token.replace(/[^\n]/g, " "));
  return [...code.matchAll(TEST_MODULE)].map(({ 0: head, 1: name = "", index }) => {
    let [end, depth] = [index + head.length, 1];
    for (; end < code.length && depth > 0; end += 1)
      depth += code[end] === "{" ? 1 : code[end] === "}" ? -1 : 0;
    return { name, start: index, text: text.slice(index, end) };
  });
}

function mergeJson(keys: string, base: string, work: string): string | null {
  const [before, after] = [jsonIn(base), jsonIn(work)];
  if (!isObject(before) || !isObject(after)) return null;
  const merged: Record<string, unknown> = { ...after };
  for (const key of keys.split(" "))
    if (before[key] === undefined) delete merged[key];
    else merged[key] = before[key];
  const [was, is] = [before["workspaces"], after["workspaces"]];
  if (was !== undefined)
    merged["workspaces"] = Array.isArray(was) && Array.isArray(is) ? joinMembers(was, is) : was;
  // Written as package managers and formatters do, for a check may look at that.
  const [indent = "  "] = /^[ \t]+(?=")/m.exec(work) ?? [];
  const isSame = JSON.stringify(merged) === JSON.stringify(after);
  return isSame ? work : `${JSON.stringify(merged, null, indent)}\n`;
}

/** All that was a member still is one, and what the work adds is, too. */
function joinMembers(was: readonly unknown[], is: readonly unknown[]): readonly unknown[] {
  return [...was, ...is.filter((one) => !was.includes(one) && !/^[-\s"']*!/.test(String(one)))];
}

/** The list of pnpm, over all its lines. */
const MEMBERS = /^packages:.*(?:\n[ \t]*(?:[-#].*)?(?=\n|$))*/m;

function mergeWorkspace(base: string, work: string): string {
  const [was = "", is = ""] = [base, work].map((text) => MEMBERS.exec(text)?.[0].trimEnd());
  const items = is.split("\n").filter((line) => /^\s*-/.test(line));
  const joined = joinMembers(was.split("\n"), items).join("\n");
  if (was === "") return work;
  return is === "" ? `${work}\n${joined}\n` : work.replace(is, () => joined);
}

/** Its name is "" before the first header. */
type Section = { readonly name: string; readonly lines: string[] };

function mergeSections(base: string, work: string): string | null {
  const [before, after] = [sectionsIn(base), sectionsIn(work)];
  if (before === null || after === null) return null;
  const proofOf = (all: readonly Section[]) => all.filter(({ name }) => PROVES.test(name));
  // What one line says elsewhere cannot be moved without knowing the language.
  const single = (all: readonly Section[]) =>
    textOf(all.flatMap(({ name, lines }) => lines.filter((line) => PROVES.test(full(name, line)))));
  const rest = (all: readonly Section[]) => all.filter(({ name }) => !PROVES.test(name));
  if (single(rest(before)) !== single(rest(after))) return null;
  const [was, is] = [before, after].map((all) => proofOf(all).flatMap(({ lines }) => lines));
  if (textOf(was ?? []) === textOf(is ?? [])) return work;
  return `${[...rest(after), ...proofOf(before)].flatMap(({ lines }) => lines).join("\n")}\n`;
}

function textOf(lines: readonly string[]): string {
  const trimmed = lines.map((line) => line.trim());
  return trimmed.filter((line) => line !== "" && !line.startsWith("#")).join("\n");
}

const HEADER = /^\s{0,20}\[{1,2}\s{0,9}([A-Za-z][^\]]{0,200})\]{1,2}\s{0,9}(?:[#;].*)?$/;
const KEY = /^\s{0,20}(["'\w][\w."' -]{0,200}?)\s{0,9}=/;

function full(section: string, line: string): string {
  const key = (KEY.exec(line)?.[1] ?? "").replace(/["'\s]/g, "");
  return section === "" || key === "" ? key : `${section}.${key}`;
}

/** null: a text over several lines does not end. */
function sectionsIn(text: string): readonly Section[] | null {
  const sections: Section[] = [{ name: "", lines: [] }];
  let quote: string | null = null;
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const header = quote === null ? HEADER.exec(line)?.[1] : undefined;
    if (header !== undefined) sections.push({ name: header.replace(/["'\s]/g, ""), lines: [] });
    sections.at(-1)?.lines.push(line);
    for (const [mark] of line.matchAll(/"""|'''/g))
      quote = quote === null ? mark : quote === mark ? null : quote;
  }
  return quote === null ? sections : null;
}
