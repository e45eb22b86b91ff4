// Which tools do the gates run?

import { isObject, jsonIn, nameAt, objectAt } from "../../core/model/json.ts";
import type { GateLines } from "./change.ts";

/** Words by which a tool is known on a command line; a script of such a name is taken for it. */
const WORDS = {
  types: "tsc|tsgo|vue-tsc|svelte-check|ts-node|tsd|deno|type-?check|types",
  "js-lint": "eslint|oxlint|biome|tslint|xo|standard|deno|lint",
  "js-tests": "vitest|jest|c8|nyc|--coverage|coverage|cov|mocha|ava|tap|test",
  "js-coverage": "c8|nyc|--coverage(?:\\.enabled)?|--experimental-test-coverage|coverage|cov",
  "py-types": "mypy|dmypy|pyright|basedpyright|ty|type-?check|types",
  "py-lint": "ruff|flake8|pylint|bandit|lint",
  "py-tests": "pytest|py\\.test|coverage|--cov|cov",
  "py-coverage": "coverage|--cov|cov",
  golangci: "golangci-lint|staticcheck|revive|gosec|lint",
  clippy: "clippy|lint",
  "c-like-lint":
    "checkstyle|pmd|spotbugs|clang-tidy|cppcheck|swiftlint|ktlint|detekt|phpstan|psalm|phpcs|lint",
  rubocop: "rubocop|standardrb|lint",
  shellcheck: "shellcheck|lint",
} as const;

export type GateTool = keyof typeof WORDS;

/** By their commands, and by what those reach: scripts of package.json, and files that they name. */
export function toolTeller(gates: GateLines): (tool: GateTool) => boolean {
  const text = reached(gates);
  const told = new Map<GateTool, boolean>();
  return (tool) => {
    const word = new RegExp(`(?:^|[\\s/"'=;&|(:@])(?:${WORDS[tool]})(?=$|[\\s"';&|)@:=,])`);
    const isRun = told.get(tool) ?? word.test(text);
    told.set(tool, isRun);
    return isRun;
  };
}

const TEXT_CHARS_MAX = 400_000;
const ROUNDS_MAX = 8;
const MANAGER = /\b(?:npm|pnpm|yarn|bun|npm-run-all2?|run-[sp]|concurrently|wireit|turbo|nx|vp)\b/;

function reached({ commands, files }: GateLines): string {
  const scripts = files.flatMap(({ path, text }) =>
    path.endsWith("package.json") ? scriptsIn(text) : [],
  );
  const others = files.filter(({ path }) => !path.endsWith("package.json"));
  let text = [...commands, ...others.map((file) => file.text)].join("\n").slice(0, TEXT_CHARS_MAX);
  const left = new Map(scripts);
  for (let round = 0; round < ROUNDS_MAX && MANAGER.test(text); round++) {
    const words = new Set(text.split(/[\s;&|()"'`=,]+/).map((word) => word.replace(/^npm:/, "")));
    const named = [...left.keys()].filter((name) => isNamed(name, words));
    if (named.length === 0) break;
    text = [text, ...named.map((name) => left.get(name) ?? "")].join("\n").slice(-TEXT_CHARS_MAX);
    for (const name of named) left.delete(name);
  }
  return text;
}

/** By itself, as a hook of it, as `npm t`, or as one of `lint:*`. */
function isNamed(name: string, words: ReadonlySet<string>): boolean {
  const own = name.replace(/^(?:pre|post)(?=\w)/, "");
  const family = `${name.split(":", 1).join("")}:*`;
  return [name, own, family].some((each) => words.has(each)) || (own === "test" && words.has("t"));
}

function scriptsIn(text: string): readonly (readonly [string, string])[] {
  const whole = jsonIn(text);
  const scripts = isObject(whole) ? objectAt(whole, "scripts") : null;
  return scripts === null
    ? []
    : Object.keys(scripts).map((name) => [name, nameAt(scripts, name)] as const);
}

/** Files that say what a program runs, by a word of the command. */
const READS: readonly (readonly [RegExp, string])[] = [
  [MANAGER, "package.json"],
  [/\bnode --run\b/, "package.json"],
  [/\bg?make\b/, "Makefile makefile GNUmakefile"],
  [/\bjust\b/, "justfile Justfile .justfile"],
  [/\btask\b/, "Taskfile.yml"],
  [/\brake\b/, "Rakefile"],
  [/\b(?:tox|nox)\b/, "tox.ini noxfile.py"],
  [/\bpre-commit\b/, ".pre-commit-config.yaml"],
  [/\bmvnw?\b/, "pom.xml"],
  [/\bgradlew?\b/, "build.gradle build.gradle.kts"],
];

const FILES_MAX = 60;

/** Paths to read for `toolTeller`, there or not: what commands name, and what their programs read. */
export function filesOfGates(commands: readonly string[]): readonly string[] {
  const text = commands.join("\n").slice(0, TEXT_CHARS_MAX);
  const known = READS.flatMap(([word, files]) => (word.test(text) ? files.split(" ") : []));
  const words = text.split(/[\s;&|()"'`=]+/).map((word) => word.replace(/^(?:\.\/)+|\/+$/g, ""));
  const named = words
    .filter((word) => /^[\w@][\w@./-]{0,200}$/.test(word) && !word.includes(".."))
    .flatMap((word) => [word, `${word}/package.json`]);
  return [...new Set([...known, ...named])].slice(0, FILES_MAX);
}
