// Which files prove the work: tests and what they need, settings of runners, and what gates name?

import { isObject, jsonIn, objectAt } from "../../core/model/json.ts";
import type { Call } from "../shell/call.ts";
import { eachCall } from "../shell/each-call.ts";
import { tidyPath } from "../shell/folder.ts";
import { roleOf } from "./paths.ts";
import { mergeOf } from "./put-back.ts";

/** The tree as the task found it, as far as it was read. */
export interface BaseFiles {
  readonly paths: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * A runner finds "settings" by their name: ones that were not there change how all tests run. Of
 * "sections" only a part proves. null: nothing does.
 */
export type Proves = "file" | "settings" | "sections" | null;

export interface Proving {
  howProves(path: string): Proves;
  /** All that the commands come to run, as lines of shell. */
  readonly lines: readonly string[];
  /** Files of the base that may name others. */
  readonly unread: readonly string[];
}

export function compileProving(commands: readonly string[], base: BaseFiles): Proving {
  const walk: Walk = { base, named: new Set(), unread: new Set(), lines: new Map(), hasTsc: false };
  for (const line of commands) enqueue(line, "", walk);
  for (const path of base.paths) if (isSettings(path)) readSettings(path, walk);
  // Grows while it is walked.
  for (const { text, folder } of walk.lines.values())
    eachCall(text, { root: "/", cwd: `/${folder}`, home: null }, (call) =>
      readCall(call, folder, walk),
    );
  return {
    howProves: (path) => howProves(path, walk),
    lines: Array.from(walk.lines.values(), ({ text }) => text),
    unread: [...walk.unread],
  };
}

function howProves(path: string, { named, hasTsc }: Walk): Proves {
  const [folder, name] = split(path);
  const parts = folder.split("/");
  if (INSTALLED.test(folder)) return null;
  if (parts.some((part) => DATA_FOLDER.test(part))) return "file";
  if (mergeOf(path) !== null) return "sections";
  if (isSettings(path)) return "settings";
  if (parts.some((part) => TEST_FOLDER.test(part)) || TEST_FILE.test(name)) return "file";
  if (roleOf(path)?.isTest === true || named.has(path)) return "file";
  if (parts.some((_part, at) => named.has(`${parts.slice(0, at).join("/")}/`))) return "file";
  return hasTsc && /^tsconfig[\w.-]*\.json$/.test(name) ? "file" : null;
}

const INSTALLED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third_party|\.git|\.orch|\.?venv|site-packages|target)\//;
const DATA_FOLDER = /^(?:fixtures?|testdata|test[-_]data|__(?:fixtures|snapshots|mocks)__)$/i;
const TEST_FOLDER =
  /(?:^|[._-])(?:tests?|specs?)$|^(?:e2e|tests?[-_]\w+|test(?:ing|utils?)|__tests?__|Tests?|Specs?)$|[a-z\d]Tests?$/;
const TEST_FILE =
  /^(?:tests?|specs?|run-?tests?|setup-?tests?|test-?setup)\.\w+$|\.(?:snap|ambr|snapshot|golden|feature|bats|t|test-d\.ts)$|^test_.*\.rb$|^\.env\.test/i;

function isSettings(path: string): boolean {
  const [folder, name] = split(path);
  return SETTINGS.some((pattern) => pattern.test(name)) && !INSTALLED.test(folder);
}

const SETTINGS: readonly RegExp[] = [
  /^(?:vite|vitest|jest|ava|karma|playwright|cypress|wdio|jasmine|nyc|codecept|web-test-runner)[.-](?:conf|setup|workspace|preset|environment|teardown)[\w.-]*$/,
  /^\.(?:mocha|tap|nyc|c8|ava|coverage|npm|jasmine|cucumber)rc(?:\.\w+)?$/,
  /^(?:\.?pytest\.ini|tox\.ini|(?:conftest|noxfile|sitecustomize|usercustomize)\.py|\.?nextest\.toml)$/,
  /^(?:\.rspec|\.simplecov|(?:spec|test|rails)_helper\.\w+|phpunit(?:\.\w+)?\.xml(?:\.dist)?|bunfig\.toml)$/,
  /^(?:jasmine|cypress)\.json$|^cucumber\.[cm]?js$/,
];

/** With the slash that ends the folder. */
function split(path: string): readonly [folder: string, name: string] {
  const at = path.lastIndexOf("/") + 1;
  return [path.slice(0, at), path.slice(at)];
}

// ---- what the gates name ------------------------------------------------------------------------

interface Walk {
  readonly base: BaseFiles;
  /** Files, and folders with a slash at their end. */
  readonly named: Set<string>;
  readonly unread: Set<string>;
  /** Lines of shell, with the folder that they may be run in. */
  readonly lines: Map<string, { readonly text: string; readonly folder: string }>;
  hasTsc: boolean;
}

const LINES_MAX = 300;

function enqueue(text: string, folder: string, { lines }: Walk): void {
  if (lines.size < LINES_MAX) lines.set(`${folder} ${text}`, { text, folder });
}

function textOf(path: string, { base, unread }: Walk): string {
  const text = base.texts.get(path);
  if (text === undefined) unread.add(path);
  return text ?? "";
}

const STARTS_FILES =
  /^(?:node|nodejs|tsx|ts-node|bun|deno|python[\d.]*|ruby|perl|php|lua|(?:ba|z|da|k)?sh|source|\.|c8|nyc|coverage|mocha|ava|tape?|jasmine|uvu|bats|prove)$/;
const OPTION = /^(?:-[crf]|--?\w*(?:config|require|import|loader|setup|rcfile|settings|file)\w*)$/i;
const MANAGER =
  /^(?:npm|pnpm|yarn|bun|deno|node|composer|npm-run-all2?|run-[sp]|turbo|nx|lerna|wireit)$/;
const RECIPES: ReadonlyMap<string, RegExp> = new Map([
  ["make", /^(?:GNUm|M|m)akefile$|\.mk$/],
  ["just", /^\.?[Jj]ustfile$/],
  ["rake", /^Rakefile$/],
  ["task", /^Taskfile\.ya?ml$/],
]);

function readCall({ program, args, text, where }: Call, folder: string, walk: Walk): void {
  walk.hasTsc ||= program === "tsc" || program === "vue-tsc";
  const places = [...new Set([where.cwd?.slice(1) ?? folder, folder, ""])];
  const own = text.split(/[\s"';&|()]+/).filter((word) => word.endsWith(`/${program}`));
  const started = STARTS_FILES.test(program) && !args.includes("--check") ? args : [];
  for (const word of [...own, ...started]) nameFile(word, { places, isScript: true }, walk);
  for (const [at, arg] of args.entries()) {
    const [name = "", value = args[at + 1] ?? ""] = arg.split("=", 2);
    if (OPTION.test(name)) nameFile(value, { places, isScript: false }, walk);
  }
  if (program === "concurrently") for (const arg of args) enqueue(arg, folder, walk);
  const recipes = RECIPES.get(program);
  for (const path of walk.base.paths) {
    const [place, name] = split(path);
    if (INSTALLED.test(place)) continue;
    if (recipes?.test(name) === true) readRecipes(path, walk);
    else if (MANAGER.test(program) && /^(?:package|composer|deno)\.json$/.test(name))
      followScripts(path, args, walk);
  }
}

/** All that a makefile runs: which of it is reached is its own language's matter. */
function readRecipes(path: string, walk: Walk): void {
  walk.named.add(path);
  const lines = textOf(path, walk).split("\n");
  const plain = lines.flatMap((line) => (/^\s/.test(line) ? [line.replace(/^[\s@+-]+/, "")] : []));
  // A program that a variable names is mostly called as the variable.
  const called = plain.map((line) =>
    line.replace(/\$[({](\w+)[)}]/g, (_all, name: string) => name.toLowerCase()),
  );
  for (const line of new Set(called)) enqueue(line, split(path)[0].slice(0, -1), walk);
}

function followScripts(path: string, args: readonly string[], walk: Walk): void {
  const json = jsonIn(textOf(path, walk));
  if (!isObject(json)) return;
  const scripts = { ...objectAt(json, "tasks"), ...objectAt(json, "scripts") };
  const wanted = args.map((arg) => (arg === "t" ? "test" : arg));
  const isWanted = (name: string): boolean =>
    wanted.some((arg) => arg === name || (arg.endsWith("*") && name.startsWith(arg.slice(0, -1))));
  for (const name of Object.keys(scripts).filter(isWanted))
    for (const each of [`pre${name}`, name, `post${name}`]) {
      const lines = [scripts[each]].flat().filter((line) => typeof line === "string");
      if (lines.length > 0) enqueue(lines.join("\n"), split(path)[0].slice(0, -1), walk);
    }
}

interface Mention {
  readonly places: readonly string[];
  /** It is run: what stands beside it belongs to it. */
  readonly isScript: boolean;
}

const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".py", ".sh"];

function nameFile(word: string, { places, isScript }: Mention, walk: Walk): void {
  // What begins with a variable, as in "$(dirname "$0")/x", stands beside the script or at the root.
  const plain = word.split("\ufdd2").at(-1) ?? "";
  if (plain === "" || plain.length > 500) return;
  const names = ENDINGS.map((ending) => plain + ending);
  for (const place of places)
    for (const name of [...names, `${plain.replaceAll(".", "/")}.py`]) {
      const path = tidyPath(`/${place}/${name}`).slice(1);
      if (!walk.base.paths.has(path) || isSource(path) || walk.named.has(path)) continue;
      walk.named.add(path);
      const [folder, file] = split(path);
      if (isScript && folder !== "" && !isPackage(folder, walk.base)) walk.named.add(folder);
      if (/\.(?:ba|z)?sh$|^[^.]+$/.test(file))
        enqueue(textOf(path, walk), folder.slice(0, -1), walk);
    }
}

const SOURCE =
  /(?:^|\/)(?:src|lib|apps?|pkg|internal|cmd|sources?|bin)\/|(?:^|\/)(?:index|main|app|server|cli|mod|manage|__main__)\.\w+$/;
const PROVING_NAME = /test|spec|check|verif|lint|setup|teardown|smoke|hook|helper|mock|global/i;

/** Whoever runs the work itself to check it does not want the old one. */
function isSource(path: string): boolean {
  return SOURCE.test(path) && !PROVING_NAME.test(split(path)[1]);
}

function isPackage(folder: string, { paths }: BaseFiles): boolean {
  const manifests = ["package.json", "pyproject.toml", "Cargo.toml", "go.mod", "composer.json"];
  return SOURCE.test(folder) || manifests.some((name) => paths.has(folder + name));
}

const QUOTED = /["'`\s](?:<rootDir>\/)?([\w@.][\w@./-]{1,200})/g;
const TEXT_CHARS_MAX = 100_000;

/** Files that prepare the tests; a source may stand there, too, where a short name is given to it. */
function readSettings(path: string, walk: Walk): void {
  const places = [split(path)[0], ""];
  for (const [, word = ""] of textOf(path, walk).slice(0, TEXT_CHARS_MAX).matchAll(QUOTED))
    if (PROVING_NAME.test(word)) nameFile(word, { places, isScript: false }, walk);
}
