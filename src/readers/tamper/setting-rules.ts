// Which settings hold the work to a standard, and in which direction are they looser?

import type { AlarmKind } from "../../core/model/alarm.ts";

/** How a value can be looser than the one before. */
export type Looser =
  /** A number, lower or gone. */
  | "lower"
  /** A number, higher or gone. */
  | "higher"
  /** A switch that was on, and is off or gone. */
  | "off"
  /** A switch that is on, and was off or absent. */
  | "on"
  /** A severity such as "error" or 2, reduced, or newly "off". */
  | "milder"
  /** A list that has more. */
  | "more"
  /** A list that has less. */
  | "less";

export interface SettingRule {
  readonly kind: AlarmKind;
  readonly tools: readonly string[];
  readonly path: RegExp;
  readonly looser: Looser;
}

/** The end of a path: "*" is any part of a name, "**" any names, "[]" an item of a list. */
type Row = readonly [tools: string, looser: Looser, path: string];

const JS_TESTS = "vitest jest mocha js-coverage package browser-tests deno";
const PYTHON = "python pytest python-coverage mypy python-lint pyright";
const ESLINT = "eslint oxlint package";

const METRIC = "(lines|branches|functions|statements)";
const IGNORES = "(extend-)?(ignore|per-file-ignores(.**)?|exclude|disable)[]";

const ROWS: Readonly<Partial<Record<AlarmKind, readonly Row[]>>> = {
  "threshold-loosened": [
    [JS_TESTS, "lower", `(coverageThreshold|thresholds?|coverage|c8|nyc)**.${METRIC}`],
    ["js-coverage", "lower", METRIC],
    ["js-coverage package", "off", "check-?[cC]overage"],
    ["vitest", "off", "thresholds.(100|perFile)"],
    [PYTHON, "lower", "(report|coverage).fail_under"],
    ["codecov", "lower", "target"],
    ["python-lint python eslint golangci", "higher", "max[-_]complexity"],
    ["cargo", "higher", "cognitive-complexity-threshold"],
    [JS_TESTS, "more", "((coverage|nyc|c8).exclude|coveragePathIgnorePatterns)[]"],
    ["js-coverage", "more", "exclude[]"],
    [PYTHON, "more", "(run|report).omit[]"],
  ],
  "test-excluded": [
    ["vitest deno", "more", "test(.projects[])?(.test)?.exclude[]"],
    ["vitest deno", "less", "test.include[]"],
    ["jest package", "more", "(test|module)PathIgnorePatterns[]"],
    ["jest package", "less", "(testMatch|roots|projects)[]"],
    ["mocha", "more", "(ignore|exclude)([])?"],
    ["package", "more", "mocha.(ignore|exclude)([])?"],
    ["mocha", "less", "spec[]"],
    ["browser-tests", "more", "(testIgnore|excludeSpecPattern)([])?"],
    ["python pytest", "less", "pytest(.ini_options)?.(testpaths|python_*)[]"],
    ["python pytest", "more", "pytest(.ini_options)?.(norecursedirs|collect_ignore*)[]"],
    ["golangci", "more", "run.skip-(files|dirs)[]"],
  ],
  "gate-weakened": [
    [JS_TESTS, "on", "passWithNoTests"],
    ["vitest", "on", "(dangerouslyIgnoreUnhandledErrors|allowOnly)"],
    ["browser-tests mocha", "off", "forbid-?[oO]nly"],
    ["ci", "on", "(continue-on-error|allow_failure|continueOnError)"],
  ],
  "rules-loosened": [
    // Compilers and type checkers.
    ["typescript", "off", "compilerOptions.(strict|alwaysStrict|useUnknown|noImplicit|noUn)*"],
    ["typescript", "off", "compilerOptions.(noProperty|noFallthrough|exact|checkJs|force)*"],
    ["typescript", "off", "compilerOptions.(isolatedDeclarations|erasableSyntaxOnly)"],
    ["typescript", "on", "compilerOptions.(skipLibCheck|suppress*|allowUn*)"],
    ["typescript", "more", "exclude[]"],
    ["typescript", "less", "(include|files)[]"],
    ["deno", "off", "compilerOptions.strict"],
    ["mypy python", "off", "mypy(-**)?.(strict|disallow_|warn_|check_|no_implicit_|extra_checks)*"],
    ["mypy python", "on", "mypy(.overrides|-**)?.(ignore_errors|implicit_optional)"],
    ["mypy python", "on", "mypy.(ignore_missing_imports|allow_*)"],
    ["mypy python", "more", "mypy(-**)?.(disable_error_code|exclude)[]"],
    ["pyright", "milder", "(report*|typeCheckingMode)"],
    ["python", "milder", "pyright.(report*|typeCheckingMode)"],
    ["pyright", "more", "(exclude|ignore)[]"],
    ["python", "more", "pyright.(exclude|ignore)[]"],
    // Linters.
    [ESLINT, "milder", "rules.**([])?"],
    ["oxlint", "milder", "categories.*"],
    [ESLINT, "more", "(ignorePatterns|ignores)([])?"],
    ["eslint", "more", "patterns[]"],
    ["biome", "milder", "rules.*.*(.level)?"],
    ["biome", "off", "(linter.enabled|rules.recommended)"],
    ["biome", "more", "(linter|files).ignore[]"],
    ["deno", "more", "lint.(rules.)?exclude[]"],
    ["python-lint", "more", IGNORES],
    ["python", "more", `(ruff|ruff.lint|flake8|pylint.*).${IGNORES}`],
    ["python-lint python", "less", "((extend-)?select|pylint**.enable)[]"],
    ["golangci", "more", "linters.(disable|exclusions.(paths|rules))[]"],
    ["golangci", "more", "issues.exclude(-rules|-files|-dirs)?[]**([])?"],
    ["golangci", "less", "linters.enable[]"],
    ["golangci", "on", "(linters.disable-all|issues.new)"],
    ["golangci", "off", "(run.tests|linters.enable-all)"],
    ["cargo", "milder", "lints.(rust|clippy|rustdoc).*(.level)?"],
    ["rubocop", "off", "*.Enabled"],
    ["rubocop", "more", "*.Exclude[]"],
  ],
};

const SIGNS: Readonly<Record<string, string>> = {
  ".": String.raw`\.`,
  "[]": String.raw`\[\]`,
  "(": "(?:",
  "*": String.raw`[^.[\]]{0,100}`,
  "**": String.raw`[^[\]]{0,200}`,
};

function pathFrom(text: string): RegExp {
  const pattern = text.replace(/\.|\[\]|\(|\*{1,2}/g, (sign) => SIGNS[sign] ?? sign);
  return new RegExp(String.raw`(?:^|[.:]|\[\])${pattern}$`);
}

export const SETTING_RULES: readonly SettingRule[] = (
  ["threshold-loosened", "test-excluded", "gate-weakened", "rules-loosened"] as const
).flatMap((kind) =>
  (ROWS[kind] ?? []).map(([tools, looser, path]) => ({
    kind,
    tools: tools.split(" "),
    path: pathFrom(path),
    looser,
  })),
);
