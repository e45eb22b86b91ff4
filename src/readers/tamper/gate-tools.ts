// Which tools do the gates run?

/** Words by which a tool is known on a command line; a script of such a name is taken for it. */
const WORDS = {
  types: "tsc|tsgo|vue-tsc|svelte-check|ts-node|tsd|deno|type-?check|types",
  "js-lint": "pre-commit|eslint|oxlint|biome|tslint|xo|standard|deno|lint",
  "js-tests": "vitest|jest|c8|nyc|--coverage|coverage|cov|mocha|ava|tap|test",
  "js-coverage": "c8|nyc|--coverage(?:\\.enabled)?|--experimental-test-coverage|coverage|cov",
  "py-types": "pre-commit|tox|nox|mypy|dmypy|pyright|basedpyright|ty|type-?check|types",
  "py-lint": "pre-commit|tox|nox|ruff|flake8|pylint|bandit|lint",
  "py-tests": "tox|nox|pytest|py\\.test|coverage|--cov|cov",
  "py-coverage": "coverage|--cov|cov",
  golangci: "golangci-lint|staticcheck|revive|gosec|lint",
  clippy: "clippy|lint",
  "c-like-lint":
    "checkstyle|pmd|spotbugs|clang-tidy|cppcheck|swiftlint|ktlint|detekt|phpstan|psalm|phpcs|lint",
  rubocop: "rubocop|standardrb|lint",
  shellcheck: "shellcheck|lint",
} as const;

export type GateTool = keyof typeof WORDS;

const TEXT_CHARS_MAX = 400_000;

/** Of all that they come to run, as lines of shell. */
export function toolTeller(lines: readonly string[]): (tool: GateTool) => boolean {
  const text = lines.join("\n").slice(0, TEXT_CHARS_MAX);
  const told = new Map<GateTool, boolean>();
  return (tool) => {
    const word = new RegExp(`(?:^|[\\s/"'=;&|(:@])(?:${WORDS[tool]})(?=$|[\\s"';&|)@:=,])`);
    const isRun = told.get(tool) ?? word.test(text);
    told.set(tool, isRun);
    return isRun;
  };
}
