// What does a line of shell run, and can it still fail?

import { setOf } from "../shell/call.ts";
import { readShell, type SimpleCommand } from "../shell/parse.ts";

/** One command of a line, with what it is known by. */
export interface Step {
  /** For example "vitest", "go test", or "script:lint" for a script of package.json. */
  readonly tool: string;
  readonly args: readonly string[];
  readonly text: string;
}

/** The commands of a line or of several; what stands behind `||` runs only when another failed. */
export function stepsOf(line: string): readonly Step[] {
  return readShell(line.slice(0, LINE_CHARS_MAX).replace(UNHEEDED, ""))
    .items.slice(0, ITEMS_MAX)
    .flatMap((item) => (item.kind === "command" && !item.isFallback ? stepOf(item) : []));
}

export function isCheck({ tool }: Step): boolean {
  if (tool.startsWith("script:")) return CHECK_NAME.test(tool.slice(7));
  return CHECK_TOOLS.has(tool) || CHECK_TARGET.test(tool);
}

/** What a check is for: a program that took another's place keeps it. */
export function purposeOf(tool: string): string {
  return KIN.find((kin) => kin.includes(tool))?.[0] ?? tool;
}

/** Those of a row check the same. */
const KIN: readonly (readonly string[])[] = [
  "vitest, jest, mocha, ava, tap, jasmine, karma, node --test, bun test",
  "eslint, oxlint, tslint, biome check, biome lint, biome ci, deno lint",
  "tsc, vue-tsc, deno check",
  "ruff, ruff check, flake8, pylint",
  "mypy, pyright, basedpyright",
  "pytest, unittest, nox, tox",
  "cargo test, cargo nextest",
  "cargo check, cargo clippy, clippy",
  "go vet, golangci-lint, staticcheck",
  "playwright test, cypress run",
].map((row) => row.split(", "));

const CHECK_TOOLS = new Set([
  ...KIN.flat(),
  ..."stylelint phpunit phpstan rspec rubocop minitest ctest bats knip depcruise publint attw".split(
    " ",
  ),
  ..."bandit shellcheck wtr tsd".split(" "),
  ..."go deno dotnet mix swift".split(" ").map((tool) => `${tool} test`),
]);
const CHECK_TARGET =
  /^(?:make|just|rake|turbo|nx|gradle|gradlew|mvn) (?:test|check|lint|verify|typecheck|ci)$/;

/** Names of scripts and targets that check something. */
export const CHECK_NAME =
  /(?:^|[:\-_.])(?:tests?|lint|check|checks|types?|typecheck|tsc|verify|validate|ci|unit|e2e|integration|spec|coverage|cov|audit|prepush|precommit)(?:$|[:\-_.])/i;

/** How a check on this line is kept from failing; null: it is not. */
export function softenerIn(line: string): string | null {
  const text = line.slice(0, LINE_CHARS_MAX);
  const always = ALWAYS.exec(text)?.[0]?.trim() ?? null;
  if (always !== null && stepsOf(text).some(isCheck)) return always;
  for (const { 0: found, index } of text.matchAll(SWALLOWS)) {
    // The command that it stands behind is the last one before it.
    const last = stepsOf(text.slice(0, index)).at(-1);
    if (last !== undefined && isCheck(last)) return found.trim();
  }
  return null;
}

/** Does the second list of arguments name less than the first? */
export function isNarrower(base: readonly string[], now: readonly string[]): boolean {
  if (now.some((arg, at) => isFilter(arg, now[at + 1]) && !base.includes(arg))) return true;
  const was = pathsIn(base);
  const is = pathsIn(now);
  if (is.length === 0) return false;
  if (was.length === 0) return true;
  const isBelow = (path: string): boolean => was.some((other) => covers(other, path));
  return is.every(isBelow) && was.some((path) => !is.some((other) => covers(other, path)));
}

const LINE_CHARS_MAX = 4_000;
const ITEMS_MAX = 100;
const WORDS_MAX = 200;
/** make: "-" ignores a failure, "@" prints nothing; YAML: "-" begins an item. */
const UNHEEDED = /^\s*[-@+]{1,3}\s{0,9}(?=[\w./])/gm;

const ALWAYS = /--pass-?[wW]ith-?[nN]o-?[tT]ests\b(?!\s?=\s?false)|--exit-zero\b|--no-fail\b/;
const SWALLOWS =
  /\|\|\s{0,9}(?:true|:|exit 0|echo\b[^|&;\n]{0,200})(?=$|[\s;)&"'])|;\s{0,9}(?:true|exit 0)(?=\s*(?:$|["']))/g;

/** Words before the command itself. */
const BEFORE =
  /^(?:[A-Za-z_]\w{0,60}=\S{0,200}|@|-|@-|npx|bunx|pnpx|dlx|exec|time|sudo|command|env|cross-env|dotenv|--|-y|--yes|poetry|pipenv|uv|hatch|pdm|rye|bundle|run:|-\s?run:|run|if|then|do|\(|!|python3?|-m|coverage|c8|nyc|xvfb-run|--?[a-z][\w-]{0,60}(?:=\S{0,200})?)$/;
const MANAGERS = new Set(["npm", "pnpm", "yarn", "bun"]);
const WITH_SUBCOMMAND = setOf(
  "go cargo make just node deno dotnet mvn gradle gradlew mix swift bundle rake biome ruff tox playwright cypress turbo nx",
);

function stepOf({ words, text }: Pick<SimpleCommand, "words" | "text">): readonly Step[] {
  const start = words.findIndex((word) => !BEFORE.test(bare(word)));
  const name = bare(words[start] ?? "");
  if (name === "") return [];
  const args = words.slice(start + 1, start + WORDS_MAX);
  if (MANAGERS.has(name)) return managed(name, args, text);
  if (name === "node" && args.includes("--test")) return [{ tool: "node --test", args, text }];
  if (WITH_SUBCOMMAND.has(name) && /^[a-z]/.test(args[0] ?? ""))
    return [{ tool: `${name} ${args[0] ?? ""}`, args: args.slice(1), text }];
  return [{ tool: name, args, text }];
}

function bare(word: string): string {
  const plain = word.replace(/^["'@]+(?=\w)|["']+$/g, "");
  return plain.includes("/") && !plain.includes("=")
    ? plain.slice(plain.lastIndexOf("/") + 1)
    : plain;
}

function managed(manager: string, words: readonly string[], text: string): readonly Step[] {
  const rest = words.filter(
    (word) => !/^-(?:s|w|r|-silent|-quiet|-if-present|-recursive|-ws)$/.test(word),
  );
  const [first = "", second = ""] = rest;
  if (/^(?:exec|dlx|x)$/.test(first)) return stepOf({ words: rest.slice(1), text });
  if (/^(?:run|run-script)$/.test(first))
    return [{ tool: `script:${second}`, args: rest.slice(2), text }];
  if (manager === "bun" && first === "test")
    return [{ tool: "bun test", args: rest.slice(1), text }];
  const name = /^(?:t|tst)$/.test(first) ? "test" : first;
  return [{ tool: `script:${name}`, args: rest.slice(1), text }];
}

/** Options that choose among tests, and options that take the next word. */
const FILTER =
  /^(?:-t|--testNamePattern|--test-name-pattern|--grep|-g|--ignore|--deselect|--testPathIgnorePatterns|--exclude|--skip|-skip|-run|--test-skip-pattern|--shard|--changed|--onlyChanged|-o|--lf|--last-failed)(?:=|$)/;
const TAKES_VALUE =
  /^(?:-[a-zA-Z]|--(?:config|project|reporter|reporters|require|import|loader|env|environment|timeout|workers|threads|dir|root|rootDir|outputFile|format|ext|cov|cov-report|max-warnings|tsconfig|parser|plugin|rulesdir|cache-location|features|package|target|manifest-path|count|parallel|tags|timeout))$/;

function isFilter(arg: string, next: string | undefined): boolean {
  if (arg === "-k" || arg === "-m") return /^["']?not\b/.test(next ?? "");
  return FILTER.test(arg);
}

function pathsIn(args: readonly string[]): readonly string[] {
  return args
    .filter((arg, at) => !arg.startsWith("-") && !TAKES_VALUE.test(args[at - 1] ?? ""))
    .map((arg) => arg.replace(/^["']|["']$/g, "").replace(/^\.\//, ""))
    .filter((arg) => /[/.*]/.test(arg) && !/^[<>|$]/.test(arg));
}

function covers(path: string, other: string): boolean {
  const folder = path.replace(/(?:\*.*|\.\.\.)$/, "").replace(/\/$/, "");
  return path === other || folder === "" || folder === "." || other.startsWith(`${folder}/`);
}
