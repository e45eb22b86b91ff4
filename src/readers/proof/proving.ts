// Which files prove the work: tests and what they need, settings of runners, and what gates name?

import { isObject, jsonIn, objectAt } from "../../core/model/json.ts";
import { type Call, tidyPath, setOf } from "../shell/call.ts";
import { eachCall } from "../shell/each-call.ts";
import { roleOf } from "../tamper/paths.ts";
import { mergeOf, split } from "./put-back.ts";

/** The tree as the task found it, as far as it was read. */
export interface BaseFiles {
  readonly paths: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * A runner finds "settings" by their name: ones that were not there change how all tests run. Of
 * "sections" only a part proves, and of a source of Rust its "test-modules". null: nothing does.
 */
export type Proves = "file" | "settings" | "sections" | "test-modules" | null;

export interface Proving {
  howProves(path: string): Proves;
  /** All that the commands come to run, as lines of shell. */
  readonly lines: readonly string[];
  /** Files of the base that may name others. */
  readonly unread: readonly string[];
}

export function compileProving(commands: readonly string[], base: BaseFiles): Proving {
  const manifests = [...base.paths].filter(isManifest).slice(0, MANIFESTS_MAX);
  const walk: Walk = {
    base,
    named: new Set(),
    unread: new Set(),
    lines: new Map(),
    manifests,
    hasTsc: false,
    hasRecipes: false,
  };
  for (const line of commands) enqueue(line, "", walk);
  for (const path of base.paths)
    if (isSettings(path) || RULES.test(split(path)[1])) readSettings(path, walk);
  // Grows while it is walked.
  for (const { text, folder } of walk.lines.values())
    eachCall(text, { root: "/", cwd: tidyPath(`/${folder}`), home: null }, (call) =>
      readCall(call, folder, walk),
    );
  return {
    howProves: (path) => howProves(path, walk),
    lines: Array.from(walk.lines.values(), ({ text }) => text),
    unread: [...walk.unread],
  };
}

function howProves(path: string, { base, named, hasTsc, hasRecipes }: Walk): Proves {
  const [folder, name] = split(path);
  // What is installed among tests is theirs; tests of what is installed are not this work's.
  const [outer = ""] = folder.split(INSTALLED);
  const parts = outer.split("/");
  if (parts.some((part) => DATA_FOLDER.test(part))) return "file";
  const isOfGo = folder.startsWith("vendor/") && base.paths.has("vendor/modules.txt");
  if (isOfGo) return "file";
  if (outer !== folder) return parts.some((part) => TEST_FOLDER.test(part)) ? "file" : null;
  if (mergeOf(path) !== null) return "sections";
  if (isSettings(path) || (hasRecipes && RECIPES.test(name))) return "settings";
  if (parts.some((part) => TEST_FOLDER.test(part)) || TEST_FILE.test(name)) return "file";
  if (named.has(path) || (roleOf(path) === "test" && !isAboutTests(path))) return "file";
  if (parts.some((_part, at) => named.has(`${parts.slice(0, at).join("/")}/`))) return "file";
  if (name.endsWith(".rs")) return "test-modules";
  return RULES.test(name) || (hasTsc && /^[tj]sconfig[\w.-]*\.json$/.test(name)) ? "file" : null;
}

const INSTALLED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third_party|\.git|\.orch|\.?venv|site-packages|target)\//;
const DATA_FOLDER = /^(?:fixtures?|testdata|test[-_]data|__(?:fixtures|snapshots|mocks)__)$/i;
const TEST_FOLDER =
  /(?:^|[._-])(?:tests?|specs?)$|^(?:e2e|qa|tests?[-_]\w+|test(?:ing|utils?)|__tests?__|Tests?|Specs?)$|[a-z\d]Tests?$/;
const TEST_FILE =
  /^(?:tests?|specs?|run-?tests?|setup-?tests?|test-?setup|test[-_]helpers?)\.\w+$|\.(?:snap|ambr|snapshot|golden|feature|bats|t|test-d\.ts)$|^test_.*\.rb$|^\.env\.test/i;

function isSettings(path: string): boolean {
  const [folder, name] = split(path);
  const isCargo = /(?:^|\/)\.cargo\/config(?:\.toml)?$/.test(path);
  return (isCargo || SETTINGS.some((pattern) => pattern.test(name))) && !INSTALLED.test(folder);
}

const SETTINGS: readonly RegExp[] = [
  /^(?:vite|vitest|jest|ava|karma|playwright|cypress|wdio|jasmine|nyc|codecept|web-test-runner)[.-](?:conf|setup|workspace|preset|environment|teardown)[\w.-]*$/,
  /^\.(?:mocha|tap|nyc|c8|ava|coverage|npm|yarn|babel|swc|lab|jasmine|cucumber)rc(?:\.\w+)?$|^\.borp\.ya?ml$/,
  /^(?:\.?pytest\.(?:ini|toml)|tox\.ini|babel\.config\.\w+|rust-toolchain(?:\.toml)?|go\.work|(?:conftest|noxfile|pytest|sitecustomize|unittest|usercustomize)\.py|\.?nextest\.toml)$/,
  /^(?:\.rspec|\.simplecov|(?:spec|test|rails)_helper\.\w+|phpunit(?:\.\w+)?\.xml(?:\.dist)?|bunfig\.toml)$/,
  /^(?:jasmine|cypress|turbo|nx|lerna)\.jsonc?$|^cucumber\.[cm]?js$/,
];

/** What linters and type checkers accept. */
const RULES =
  /^[._]?(?:eslint|oxlint|biome|xo|rubocop|pylint|flake8|ruff|mypy|pyright|golangci|clippy|swiftlint|shellcheck|detekt|phpstan|psalm|phpcs|checkstyle|pmd|spotbugs)(?:(?:rc|\.config)(?:\.[\w.-]+)?|config\.json|ignore|\.(?:json\w?|ya?ml|toml|ini|xml|neon))?$/;

interface Walk {
  readonly base: BaseFiles;
  /** Files, and folders with a slash at their end. */
  readonly named: Set<string>;
  readonly unread: Set<string>;
  /** Lines of shell, with the folder that they may be run in. */
  readonly lines: Map<string, { readonly text: string; readonly folder: string }>;
  /** Files of the base that hold scripts by their names. */
  readonly manifests: readonly string[];
  hasTsc: boolean;
  hasRecipes: boolean;
}

const LINES_MAX = 300;
const MANIFESTS_MAX = 200;

function isManifest(path: string): boolean {
  const [folder, name] = split(path);
  return (SCRIPTS.has(name) || RECIPES.test(name)) && !INSTALLED.test(folder);
}

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
const OPTION =
  /^(?:-[crf]|--?[\w-]*(?:config|require|import|loader|setup|rcfile|settings|file)[\w-]*)$/i;
const MANAGERS = setOf(
  "npm pnpm yarn bun deno node composer npm-run-all npm-run-all2 run-s run-p turbo nx lerna wireit",
);
const SCRIPTS = setOf("package.json composer.json deno.json");
const TYPE_CHECKERS = setOf("tsc tsgo vue-tsc svelte-check tsd");
const RECIPE_RUNNERS = setOf("make just rake task");
const RECIPES =
  /^(?:(?:GNUm|M|m)akefile|.*\.mk|\.?[Jj]ustfile|[Rr]akefile(?:\.rb)?|Taskfile\.ya?ml)$/;

function readCall({ program, args, text, where }: Call, folder: string, walk: Walk): void {
  walk.hasTsc ||= TYPE_CHECKERS.has(program);
  const places = [...new Set([where.cwd?.slice(1) ?? folder, folder, ""])];
  const paths = text.split(/[\s"';&|()]+/).filter((word) => word.endsWith(`/${program}`));
  const isStarter = STARTS_FILES.test(program) && !args.includes("--check");
  // What stands behind a module of Python is what that looks at.
  const module = args.indexOf("-m") + 1;
  const started = isStarter ? (module > 0 ? args.slice(module, module + 1) : args) : [];
  for (const word of [...paths, ...started]) nameFile(word, places, walk, true);
  for (const [at, arg] of args.entries()) {
    const [name = "", value = args[at + 1] ?? ""] = arg.split("=", 2);
    if (OPTION.test(name)) nameFile(value, places, walk);
  }
  if (MANAGERS.has(program)) for (const path of walk.manifests) followScripts(path, args, walk);
  else if (RECIPE_RUNNERS.has(program)) {
    walk.hasRecipes = true;
    for (const path of walk.manifests) readRecipes(path, walk);
  }
}

/** All that a makefile runs; a program that a variable names is mostly called as the variable. */
function readRecipes(path: string, walk: Walk): void {
  const [folder, name] = split(path);
  if (!RECIPES.test(name)) return;
  walk.named.add(path);
  for (const [, words = ""] of textOf(path, walk).matchAll(/^-?s?include[ \t](.+)$/gm))
    for (const word of words.split(" ")) nameFile(word, [folder, ""], walk);
  for (const [, line = ""] of textOf(path, walk).matchAll(/^[ \t][ \t@+-]{0,99}(.+)$/gm))
    enqueue(
      line.replace(/\$[({](\w+)[)}]/g, (_, one: string) => one.toLowerCase()),
      folder,
      walk,
    );
}

function followScripts(path: string, args: readonly string[], walk: Walk): void {
  const [folder, name] = split(path);
  const json = SCRIPTS.has(name) ? jsonIn(textOf(path, walk)) : null;
  const scripts = isObject(json)
    ? { ...objectAt(json, "tasks"), ...objectAt(json, "scripts") }
    : {};
  const words = args.map((arg) => (arg === "t" ? "test" : arg));
  const isWanted = (one: string): boolean =>
    words.some((arg) => arg === one || (arg.endsWith("*") && one.startsWith(arg.slice(0, -1))));
  for (const one of Object.keys(scripts).filter(isWanted))
    for (const line of [scripts[`pre${one}`], scripts[one], scripts[`post${one}`]].flat())
      if (typeof line === "string") enqueue(line, folder, walk);
}

const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".py", ".sh"];

/** In one of the folders. What stands beside a script that is run belongs to it. */
function nameFile(word: string, places: readonly string[], walk: Walk, isScript = false): void {
  // What begins with a variable, as in "$(dirname "$0")/x", stands beside the script or at the root.
  const plain = word.replace(/^.*(?:\$\w+|[)}`])/s, "");
  if (plain === "" || plain.length > 500) return;
  const [below, files] = split(plain.replace("**/", ""));
  if (isScript && files.startsWith("*") && /^[\w./-]+$/.test(below) && !isPackage(below, walk.base))
    for (const place of places) walk.named.add(`${tidyPath(`/${place}/${below}`).slice(1)}/`);
  const names = [...ENDINGS.map((end) => plain + end), `${plain.replaceAll(".", "/")}.py`];
  for (const place of places)
    for (const name of names) {
      const path = tidyPath(`/${place}/${name}`).slice(1);
      if (!walk.base.paths.has(path) || isSource(path) || walk.named.has(path)) continue;
      walk.named.add(path);
      const [folder, file] = split(path);
      if (isScript && folder !== "" && !isPackage(folder, walk.base)) walk.named.add(folder);
      if (/\.(?:ba|z)?sh$|^[^.]+$/.test(file)) enqueue(textOf(path, walk), folder, walk);
    }
}

const SOURCE =
  /(?:^|\/)(?:src|lib|apps?|pkg|internal|cmd|sources?|bin)\/|(?:^|\/)(?:index|main|app|server|cli|mod|manage|__main__)\.\w+$/;
const PROVING_NAME = /test|spec|check|verif|lint|setup|teardown|smoke|hook|helper|mock|global/i;

/** Whoever runs the work itself to check it does not want the old one. */
function isSource(path: string): boolean {
  return SOURCE.test(path) && !PROVING_NAME.test(split(path)[1]);
}

/** A source that only begins like a test's name, as `src/test-runner.ts` does. */
function isAboutTests(path: string): boolean {
  return SOURCE.test(path) && /^test[-_][\w-]+\.[cm]?[jt]sx?$/.test(split(path)[1]);
}

function isPackage(folder: string, { paths }: BaseFiles): boolean {
  const names = ["package.json", "pyproject.toml", "Cargo.toml", "go.mod", "composer.json"];
  return SOURCE.test(folder) || names.some((name) => paths.has(folder + name));
}

const QUOTED = /["'`\s](?:<rootDir>\/)?([\w@.][\w@./-]{1,200})/g;
const EXTENDS = /\b(?:extends|from|import|require)\b[^\n]{0,20}?["'](\.{1,2}\/[\w@./-]{1,200})/g;
const TEXT_CHARS_MAX = 100_000;

/** Files that prepare tests, and what the settings extend; a source may be named so, too, for a short name of it. */
function readSettings(path: string, walk: Walk): void {
  const text = textOf(path, walk).slice(0, TEXT_CHARS_MAX);
  const named = [...text.matchAll(QUOTED)].filter(([, word = ""]) => PROVING_NAME.test(word));
  for (const [, word = ""] of [...named, ...text.matchAll(EXTENDS)])
    nameFile(word, [split(path)[0], ""], walk);
}
