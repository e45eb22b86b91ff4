// Which commands test, lint, type-check and build this project, as far as its files tell?

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { isObject, jsonIn, objectAt } from "../../core/model/json.ts";
import { readFileBounded } from "../files/small-file.ts";
import { withoutByteOrderMark } from "../../schema/parsed.ts";

const FILE_BYTES_MAX = 1024 * 1024;

type GateName = "test" | "types" | "lint" | "build" | "prepare";

export interface DetectedGate {
  readonly name: string;
  readonly run: string;
}

interface Candidate {
  readonly kind: string;
  readonly run: string;
}

/** A project's folder, and the root of its repository, where lock files may lie. */
interface Place {
  readonly folder: string;
  readonly root: string;
}

/** Names of scripts and targets, the best first. No other name ever gets into a command. */
const SCRIPT_NAMES: Readonly<Record<GateName, readonly string[]>> = {
  test: "test test:unit test:ci unit tests check".split(" "),
  types: "typecheck type-check types check:types tsc".split(" "),
  lint: "lint lint:check eslint".split(" "),
  build: "build compile".split(" "),
  prepare: "generate codegen gen".split(" "),
};

/** Of no use as a gate: what `npm init` writes, what never ends, and what changes files. */
const UNFIT = /no test specified|--watch(?!=false|All=false)|--fix\b|--write\b/;

/** Where a project names its commands as JSON, and how each is run. */
const SCRIPT_FILES = [
  { kind: "node", file: "package.json", key: "scripts", run: "{npm} run {script}" },
  { kind: "deno", file: "deno.json", key: "tasks", run: "deno task {script}" },
  { kind: "php", file: "composer.json", key: "scripts", run: "composer run-script {script}" },
] as const;

/** Where targets begin a line, `test: build`. */
const TARGET_FILES = [
  ["just", "justfile"],
  ["make", "Makefile"],
] as const;

/** A command that follows from files alone; the first that fits counts, for each kind and gate. */
type Inference = readonly [kind: string, gate: GateName, run: string, file: string, says?: RegExp];

const INFERENCES: readonly Inference[] = [
  ["node", "test", "npx --no-install vitest run", "package.json", /"vitest" *:/],
  ["node", "test", "npx --no-install jest", "package.json", /"jest" *:/],
  ["node", "types", "npx --no-install tsc --noEmit", "tsconfig.json"],
  ["node", "prepare", "npx --no-install prisma generate", "prisma/schema.prisma"],
  ["deno", "test", "deno test", "deno.json"],
  ["python", "test", "{python} -m pytest", "pytest.ini"],
  ["python", "test", "{python} -m pytest", "pyproject.toml"],
  ["python", "test", "{python} -m pytest", "setup.py"],
  ["python", "test", "{python} -m pytest", "requirements.txt", /\bpytest\b/],
  ["python", "types", "{tool}mypy .", "pyproject.toml", /^\[tool\.mypy/m],
  ["python", "lint", "{tool}ruff check .", "pyproject.toml", /^\[tool\.ruff/m],
  ["go", "test", "go test ./...", "go.mod"],
  ["go", "lint", "go vet ./...", "go.mod"],
  ["rust", "test", "cargo test --workspace", "Cargo.toml"],
  ["rust", "lint", "cargo clippy --all-targets -- -D warnings", "Cargo.toml"],
  ["maven", "test", "./mvnw -B test", "mvnw"],
  ["maven", "test", "mvn -B test", "pom.xml"],
  ["gradle", "test", "./gradlew test", "gradlew"],
  ["gradle", "test", "gradle test", "build.gradle"],
  ["gradle", "test", "gradle test", "build.gradle.kts"],
  ["dotnet", "test", "dotnet test", "*.sln"],
  ["dotnet", "test", "dotnet test", "*.csproj"],
  ["php", "test", "vendor/bin/phpunit", "phpunit.xml"],
  ["ruby", "test", "bundle exec rspec", ".rspec"],
  ["ruby", "test", "bundle exec rake test", "Rakefile"],
  ["elixir", "test", "mix test", "mix.exs"],
];

/** What {word} stands for: the first whose file is there, beside the project or at the root. */
const WORDS: Readonly<Record<string, readonly (readonly [file: string, word: string])[]>> = {
  npm: [
    ["pnpm-lock.yaml", "pnpm"],
    ["yarn.lock", "yarn"],
    ["bun.lock", "bun"],
    ["", "npm"],
  ],
  python: [
    ["uv.lock", "uv run python"],
    ["poetry.lock", "poetry run python"],
    [".venv/bin/python", ".venv/bin/python"],
    ["", "python3"],
  ],
  tool: [
    ["uv.lock", "uv run "],
    ["poetry.lock", "poetry run "],
    [".venv/bin/python", ".venv/bin/python -m "],
    ["", ""],
  ],
};

/**
 * `gates`: in the order in which they are worth running; empty: none could be found. `prepare`: makes what
 * the gates need and no commit holds, such as generated code; null: none could be found. `readsModules`:
 * a `.js` file with `export` is read as a module without further ado.
 */
export function detectProject(folder: string, root = folder) {
  const place = { folder, root };
  const names = ["test", "types", "lint", "build"] as const;
  const all = names.flatMap((gate) => ofGate(gate, place).map((one) => ({ ...one, gate })));
  const gates = all.map(({ kind, gate, run }): DetectedGate => {
    const isOnly = all.every((other) => other.gate !== gate || other.kind === kind);
    return { name: isOnly ? gate : `${kind}-${gate}`, run };
  });
  // Without a package.json, Node finds out by itself and says nothing; with one, its type counts.
  const isPlain = !existsSync(join(folder, "package.json"));
  const readsModules = isPlain || jsonOf(folder, "package.json")["type"] === "module";
  const made = ofGate("prepare", place)[0];
  const prepare: DetectedGate | null =
    made === undefined ? null : { name: "prepare", run: made.run };
  return { gates, prepare, readsModules };
}

/** Whether a package of its own lies there, of whatever kind. */
export function isPackage(folder: string): boolean {
  const marks = ["package.json", "pyproject.toml", "go.mod", "Cargo.toml", "composer.json"];
  return [...marks, "Gemfile", "mix.exs", "pom.xml"].some((name) => existsSync(join(folder, name)));
}

/** One for each kind. A target of make or just, which may run all the others, gives way to scripts only. */
function ofGate(gate: GateName, place: Place): readonly Candidate[] {
  const scripts = SCRIPT_FILES.flatMap(({ kind, file, key, run }) => {
    const lines = objectAt(jsonOf(place.folder, file), key) ?? {};
    const script = SCRIPT_NAMES[gate].find((name) => isFit(lines[name]));
    return script === undefined
      ? []
      : [{ kind, run: filled(run.replace("{script}", script), place) }];
  });
  const targets = TARGET_FILES.flatMap(([kind, file]) => {
    const lines = textOf(place.folder, file).split("\n");
    const target = SCRIPT_NAMES[gate].find((name) => lines.some((line) => isTarget(line, name)));
    return target === undefined ? [] : [{ kind, run: `${kind} ${target}` }];
  });
  if (scripts.length === 0 && targets.length > 0) return targets.slice(0, 1);
  const inferred = INFERENCES.filter((one) => one[1] === gate && isMeant(one, place.folder));
  const all = [...scripts, ...inferred.map(([kind, , run]) => ({ kind, run: filled(run, place) }))];
  return all.filter(({ kind }, at) => all.findIndex((one) => one.kind === kind) === at);
}

function isFit(line: unknown): boolean {
  const text = Array.isArray(line) ? line.join(" && ") : line;
  return typeof text === "string" && text.trim() !== "" && !UNFIT.test(text);
}

function isTarget(line: string, name: string): boolean {
  const [before = "", after = "="] = line.split(":", 2);
  return /^\w/.test(line) && !after.startsWith("=") && before.split(" ").includes(name);
}

function isMeant([, , , file, says]: Inference, folder: string): boolean {
  if (says !== undefined) return says.test(textOf(folder, file));
  if (!file.startsWith("*")) return existsSync(join(folder, file));
  return readdirSync(folder).some((name) => name.endsWith(file.slice(1)));
}

function filled(run: string, { folder, root }: Place): string {
  const isThere = ([file]: readonly [string, string]): boolean =>
    existsSync(join(folder, file)) || existsSync(join(root, file));
  const line = run.replace(
    /\{(\w+)\}/g,
    (all, word: string) => WORDS[word]?.find(isThere)?.[1] ?? all,
  );
  // As people write it.
  return line.replace(/^(npm|pnpm|yarn) run test$/, "$1 test");
}

/** What is wrong with it its own program will say better than orch could. */
function jsonOf(folder: string, file: string): Readonly<Record<string, unknown>> {
  const value = jsonIn(withoutByteOrderMark(textOf(folder, file)));
  return isObject(value) ? value : {};
}

function textOf(folder: string, file: string): string {
  const read = readFileBounded(join(folder, file), FILE_BYTES_MAX, "followed");
  return read.kind === "read" ? read.text : "";
}
