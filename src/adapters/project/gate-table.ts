// Which files tell that a project can be tested, linted, type-checked or built, and by which command?

export const GATE_NAMES = ["test", "types", "lint", "build"] as const;
export type GateName = (typeof GATE_NAMES)[number];

export type ProjectKind =
  | ScriptFile["kind"]
  | "python"
  | "go"
  | "rust"
  | "maven"
  | "gradle"
  | "dotnet"
  | "ruby"
  | "elixir"
  | "cmake";

/** A file in which a project names its commands. */
export interface ScriptFile {
  readonly kind: "node" | "deno" | "php" | "just" | "make";
  /** Any of these, the first that is there. */
  readonly files: readonly string[];
  /** Where the JSON has them; of any other text a name begins a line: `test: build`. */
  readonly json: string | null;
  /** {script} is one of the names below. */
  readonly run: string;
}

export const SCRIPT_FILES: readonly ScriptFile[] = [
  { kind: "node", files: ["package.json"], json: "scripts", run: "{npm} run {script}" },
  { kind: "deno", files: ["deno.json", "deno.jsonc"], json: "tasks", run: "deno task {script}" },
  { kind: "php", files: ["composer.json"], json: "scripts", run: "composer run-script {script}" },
  { kind: "just", files: ["justfile", "Justfile", ".justfile"], json: null, run: "just {script}" },
  {
    kind: "make",
    files: ["GNUmakefile", "makefile", "Makefile"],
    json: null,
    run: "make {script}",
  },
];

/** Names of scripts and targets, the best first. No other name ever gets into a command. */
export const SCRIPT_NAMES: Readonly<Record<GateName, readonly string[]>> = {
  test: "test test:unit test-unit test:ci test-ci unit unit-test tests spec test-api".split(" "),
  types: "typecheck type-check types check:types check-types test:types tsc mypy".split(" "),
  lint: "lint lint:check eslint".split(" "),
  build: "build compile".split(" "),
};
/** GNU's name for what tests. */
export const TESTS_OF_MAKE = "check";

/** Of no use as a gate: what `npm init` writes, what never ends, and what changes files. */
export const UNFIT = /no test specified|--watch(?!=false|All=false)|--fix\b|--write\b/;

/** What {word} stands for: the first whose file is there, beside the project or at the root. */
export const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  python: {
    "uv.lock": "uv run python",
    "poetry.lock": "poetry run python",
    ".venv/bin/python": ".venv/bin/python",
    "": "python3",
  },
  tool: {
    "uv.lock": "uv run ",
    "poetry.lock": "poetry run ",
    ".venv/bin/python": ".venv/bin/python -m ",
    "": "",
  },
  yarn: { ".yarnrc.yml": "yarn workspaces foreach --all run", "": "yarn workspaces run" },
  mvn: { mvnw: "./mvnw", "": "mvn" },
  gradle: { gradlew: "./gradlew", "": "gradle" },
};

export const MANAGERS = ["npm", "pnpm", "yarn", "bun"] as const;
export type PackageManager = (typeof MANAGERS)[number];
export const LOCKS = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
] as const;
/** How each starts a program of an installed package. */
export const EXEC = { npm: "npx --no-install", pnpm: "pnpm exec", yarn: "yarn run", bun: "bun x" };
/** The script of each package that has it. */
export const IN_WORKSPACES = {
  npm: "npm run {script} --workspaces --if-present",
  pnpm: "pnpm -r --if-present run {script}",
  yarn: "{yarn} {script}",
  bun: "bun run --filter '*' {script}",
};

/**
 * A command that follows from files alone. Any of them must be there (a name, `*.ext` in a folder, or a
 * folder's name and a slash), and one must say what the pattern says.
 */
export type Inference = readonly [
  kind: ProjectKind,
  gate: GateName,
  run: string,
  files: readonly string[],
  says?: RegExp,
];

const PYTHON =
  "pyproject.toml pytest.ini setup.py setup.cfg tox.ini conftest.py requirements.txt".split(" ");
const UNITTESTS = /^(?:import|from) unittest\b/m;
const NODE_TESTS = ["", "test/", "tests/", "src/"].flatMap((folder) =>
  ["*.js", "*.mjs", "*.cjs", "*.ts"].map((name) => folder + name),
);

/** The first that fits counts, for each kind and gate. */
export const INFERENCES: readonly Inference[] = [
  ...["vitest", "jest", "mocha", "ava"].map((runner): Inference => {
    const run = `{exec} ${runner}${runner === "vitest" ? " run" : ""}`;
    return ["node", "test", run, ["package.json"], new RegExp(`"${runner}" *: *"`)];
  }),
  ["node", "test", "bun test", NODE_TESTS, /from "bun:test"/],
  ["node", "test", "node --test", NODE_TESTS, /["']node:test["']/],
  ["node", "types", "{exec} tsc --noEmit", ["tsconfig.json"]],
  ["node", "lint", "{exec} biome check", ["biome.json", "biome.jsonc"]],
  [
    "node",
    "lint",
    "{exec} eslint .",
    [
      ...["js", "mjs", "cjs", "ts"].map((ext) => `eslint.config.${ext}`),
      ...["", ".js", ".cjs", ".json", ".yml", ".yaml"].map((ext) => `.eslintrc${ext}`),
    ],
  ],
  ["deno", "test", "deno test", ["deno.json", "deno.jsonc"]],
  ["deno", "lint", "deno lint", ["deno.json", "deno.jsonc"]],
  ["python", "test", "tox", ["tox.ini"], /^\[tox\]/m],
  ["python", "test", "{python} -m pytest", ["pytest.ini", "conftest.py", "tests/conftest.py"]],
  ["python", "test", "{python} -m pytest", [...PYTHON, "requirements-dev.txt"], /\bpytest\b/],
  ["python", "test", "{python} -m unittest discover", ["test_*.py"], UNITTESTS],
  ["python", "test", "{python} -m unittest discover -s tests", ["tests/test_*.py"], UNITTESTS],
  ["python", "test", "{python} -m unittest discover -s test", ["test/test_*.py"], UNITTESTS],
  ["python", "test", "{python} -m pytest", PYTHON],
  ["python", "types", "{tool}mypy .", ["pyproject.toml", "setup.cfg"], /^\[(?:tool\.)?mypy/m],
  ["python", "types", "{tool}mypy .", ["mypy.ini", ".mypy.ini"]],
  ["python", "types", "{tool}pyright", ["pyrightconfig.json"]],
  ["python", "types", "{tool}pyright", ["pyproject.toml"], /^\[tool\.(?:based)?pyright/m],
  ["python", "lint", "{tool}ruff check .", ["pyproject.toml"], /^\[tool\.ruff/m],
  ["python", "lint", "{tool}ruff check .", ["ruff.toml", ".ruff.toml"]],
  ["python", "lint", "{tool}flake8", [".flake8"]],
  ["go", "test", "go test ./...", ["go.mod"]],
  ["go", "lint", "golangci-lint run", [".golangci.yml", ".golangci.yaml", ".golangci.toml"]],
  ["go", "lint", "go vet ./...", ["go.mod"]],
  ["rust", "test", "cargo test --workspace", ["Cargo.toml"], /^\[workspace\]/m],
  ["rust", "test", "cargo test", ["Cargo.toml"]],
  ["rust", "lint", "cargo clippy --all-targets -- -D warnings", ["Cargo.toml"]],
  ["maven", "test", "{mvn} -B test", ["pom.xml"]],
  ["gradle", "test", "{gradle} test", ["build.gradle", "build.gradle.kts"]],
  ["dotnet", "test", "dotnet test", ["*.sln", "*.slnx", "*.csproj", "*.fsproj"]],
  ["php", "test", "vendor/bin/phpunit", ["phpunit.xml", "phpunit.xml.dist"]],
  ["php", "types", "vendor/bin/phpstan analyse", ["phpstan.neon", "phpstan.neon.dist"]],
  ["ruby", "test", "bundle exec rspec", [".rspec", "spec/"]],
  ["ruby", "test", "bin/rails test", ["bin/rails"]],
  ["ruby", "test", "bundle exec rake test", ["Rakefile"]],
  ["ruby", "lint", "bundle exec rubocop", [".rubocop.yml"]],
  ["elixir", "test", "mix test", ["mix.exs"]],
  ["elixir", "lint", "mix format --check-formatted", [".formatter.exs"]],
  [
    "cmake",
    "test",
    "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
    ["CMakeLists.txt"],
    /\b(?:enable_testing|include) *\( *(?:\)|CTest\b)/i,
  ],
  ["cmake", "build", "cmake -S . -B build && cmake --build build", ["CMakeLists.txt"]],
];

/** A kind for which other files count only where one of these is there. */
export const NEEDS: Partial<Record<ProjectKind, readonly string[]>> = {
  node: ["package.json"],
  php: ["composer.json"],
  ruby: ["Gemfile"],
};
