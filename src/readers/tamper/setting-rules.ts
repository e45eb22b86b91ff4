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
  readonly tools: RegExp;
  readonly path: RegExp;
  readonly looser: Looser;
}

type Row = readonly [kind: AlarmKind, tools: string, path: RegExp, looser: Looser];

const JS_TESTS = "vitest|jest|mocha|js-coverage|package|browser-tests|deno";
const PYTHON = "python|pytest|python-coverage|mypy|python-lint|pyright";
const ESLINT = "eslint|oxlint|package";

const METRIC = "(?:lines|branches|functions|statements)";

const ROWS: readonly Row[] = [
  // Coverage and other limits.
  [
    "threshold-loosened",
    JS_TESTS,
    new RegExp(
      `(?:^|\\.)(?:coverageThreshold|thresholds?|coverage|c8|nyc)(?:\\..{1,200})?\\.${METRIC}$`,
    ),
    "lower",
  ],
  ["threshold-loosened", "js-coverage", new RegExp(`^${METRIC}$|\\.${METRIC}$`), "lower"],
  ["threshold-loosened", "js-coverage|package", /(?:^|\.)check-?coverage$/i, "off"],
  ["threshold-loosened", "vitest", /(?:^|\.)thresholds\.(?:100|perFile)$/, "off"],
  ["threshold-loosened", PYTHON, /(?:^|[.:])report\.fail_under$|^coverage\.fail_under$/, "lower"],
  ["threshold-loosened", "codecov", /\.target$/, "lower"],
  [
    "threshold-loosened",
    "python-lint|python|cargo|eslint|golangci",
    /(?:max[-_]complexity|cognitive-complexity-threshold|max-complexity)$/,
    "higher",
  ],
  // What coverage leaves out.
  [
    "threshold-loosened",
    JS_TESTS,
    /(?:^|\.)(?:coverage\.exclude|coveragePathIgnorePatterns|nyc\.exclude|c8\.exclude)\[\]$/,
    "more",
  ],
  ["threshold-loosened", "js-coverage", /^exclude\[\]$/, "more"],
  ["threshold-loosened", PYTHON, /(?:^|[.:])(?:run|report)\.omit\[\]$/, "more"],
  // What the runner leaves out.
  [
    "test-excluded",
    "vitest|deno",
    /(?:^|\.)test(?:\.projects\[\])?(?:\.test)?\.exclude\[\]$/,
    "more",
  ],
  ["test-excluded", "vitest|deno", /(?:^|\.)test\.include\[\]$/, "less"],
  [
    "test-excluded",
    "jest|package",
    /(?:^|\.)(?:testPathIgnorePatterns|modulePathIgnorePatterns)\[\]$/,
    "more",
  ],
  ["test-excluded", "jest|package", /(?:^|\.)(?:testMatch|roots|projects)\[\]$/, "less"],
  ["test-excluded", "mocha|package", /(?:^|mocha\.)(?:ignore|exclude)(?:\[\])?$/, "more"],
  ["test-excluded", "mocha", /^spec\[\]$/, "less"],
  ["test-excluded", "browser-tests", /(?:^|\.)(?:testIgnore|excludeSpecPattern)(?:\[\])?$/, "more"],
  [
    "test-excluded",
    "python|pytest",
    /(?:pytest(?:\.ini_options)?)\.(?:testpaths|python_files|python_functions|python_classes)\[\]$/,
    "less",
  ],
  [
    "test-excluded",
    "python|pytest",
    /(?:pytest(?:\.ini_options)?)\.(?:norecursedirs|collect_ignore(?:_glob)?)\[\]$/,
    "more",
  ],
  ["test-excluded", "golangci", /^run\.skip-(?:files|dirs)\[\]$/, "more"],
  ["gate-weakened", JS_TESTS, /(?:^|\.)passWithNoTests$/, "on"],
  ["gate-weakened", "vitest", /(?:^|\.)dangerouslyIgnoreUnhandledErrors$/, "on"],
  ["gate-weakened", "vitest", /(?:^|\.)allowOnly$/, "on"],
  ["gate-weakened", "browser-tests|mocha", /(?:^|\.)forbid-?[oO]nly$/, "off"],
  // Compilers and type checkers.
  [
    "rules-loosened",
    "typescript",
    /^compilerOptions\.(?:strict\w{0,40}|noImplicit\w{1,40}|noUn\w{1,40}|noPropertyAccessFromIndexSignature|exactOptionalPropertyTypes|useUnknownInCatchVariables|noFallthroughCasesInSwitch|alwaysStrict|checkJs|isolatedDeclarations|erasableSyntaxOnly|forceConsistentCasingInFileNames)$/,
    "off",
  ],
  [
    "rules-loosened",
    "typescript",
    /^compilerOptions\.(?:skipLibCheck|suppress\w{1,60}|allowUnreachableCode|allowUnusedLabels)$/,
    "on",
  ],
  ["rules-loosened", "typescript", /^exclude\[\]$/, "more"],
  ["rules-loosened", "typescript", /^(?:include|files)\[\]$/, "less"],
  ["rules-loosened", "deno", /^compilerOptions\.strict$/, "off"],
  [
    "rules-loosened",
    "mypy|python",
    /mypy(?:-.{1,100})?\.(?:strict\w{0,40}|disallow_\w{1,60}|warn_\w{1,60}|check_untyped_defs|no_implicit_\w{1,60}|extra_checks)$/,
    "off",
  ],
  [
    "rules-loosened",
    "mypy|python",
    /mypy(?:\.overrides|-.{1,100})?\.(?:ignore_errors|implicit_optional)$/,
    "on",
  ],
  ["rules-loosened", "mypy|python", /mypy\.(?:ignore_missing_imports|allow_\w{1,60})$/, "on"],
  [
    "rules-loosened",
    "mypy|python",
    /mypy(?:-.{1,100})?\.(?:disable_error_code|exclude)\[\]$/,
    "more",
  ],
  [
    "rules-loosened",
    "pyright|python",
    /(?:^|pyright\.)(?:report\w{1,60}|typeCheckingMode)$/,
    "milder",
  ],
  ["rules-loosened", "pyright|python", /(?:^|pyright\.)(?:exclude|ignore)\[\]$/, "more"],
  // Linters.
  ["rules-loosened", ESLINT, /(?:^|\.|\[\])rules\.[^[\]]{1,200}(?:\[\])?$/, "milder"],
  ["rules-loosened", "oxlint", /^categories\.\w{1,40}$/, "milder"],
  ["rules-loosened", ESLINT, /(?:^|\.|\[\])(?:ignorePatterns|ignores)(?:\[\])?$/, "more"],
  ["rules-loosened", "biome", /(?:^|\.)rules\.\w{1,60}\.\w{1,80}(?:\.level)?$/, "milder"],
  ["rules-loosened", "biome", /(?:^|\.)(?:linter\.enabled|rules\.recommended)$/, "off"],
  ["rules-loosened", "biome", /(?:^|\.)(?:linter|files)\.ignore\[\]$/, "more"],
  ["rules-loosened", "deno", /^lint\.(?:exclude|rules\.exclude)\[\]$/, "more"],
  [
    "rules-loosened",
    "python-lint",
    /(?:^|[.:])(?:extend-)?(?:ignore|per-file-ignores(?:\..{1,200})?|exclude|disable)\[\]$/,
    "more",
  ],
  [
    "rules-loosened",
    "python",
    /(?:^|\.)(?:ruff|ruff\.lint|flake8|pylint\.[\w ]{1,60})\.(?:extend-)?(?:ignore|per-file-ignores(?:\..{1,200})?|exclude|disable)\[\]$/,
    "more",
  ],
  [
    "rules-loosened",
    "python-lint|python",
    /(?:^|ruff\.|lint\.|flake8\.)(?:extend-)?select\[\]$|pylint[\w. ]{0,60}\.enable\[\]$/i,
    "less",
  ],
  [
    "rules-loosened",
    "golangci",
    /^linters\.(?:disable|exclusions\.(?:paths|rules))\[\]$|^issues\.exclude(?:-rules|-files|-dirs)?\[\]/,
    "more",
  ],
  ["rules-loosened", "golangci", /^linters\.enable\[\]$/, "less"],
  ["rules-loosened", "golangci", /^linters\.disable-all$|^issues\.new$/, "on"],
  ["rules-loosened", "golangci", /^run\.tests$|^linters\.enable-all$/, "off"],
  [
    "rules-loosened",
    "cargo",
    /(?:^|\.)lints\.(?:rust|clippy|rustdoc)\.[\w-]{1,80}(?:\.level)?$/,
    "milder",
  ],
  ["rules-loosened", "rubocop", /^[A-Z][\w/]{0,100}\.Enabled$/, "off"],
  ["rules-loosened", "rubocop", /^[A-Z][\w/]{0,100}\.Exclude\[\]$/, "more"],
  // Pipelines of forges.
  ["gate-weakened", "ci", /(?:^|\.)(?:continue-on-error|allow_failure|continueOnError)$/, "on"],
];

export const SETTING_RULES: readonly SettingRule[] = ROWS.map(([kind, tools, path, looser]) => ({
  kind,
  tools: new RegExp(`^(?:${tools})$`),
  path,
  looser,
}));
