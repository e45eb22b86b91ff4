// Which settings of which tools stand in which files?

import type { GateTool } from "./gate-tools.ts";

/** By what a value is judged: a limit, a switch, a severity, or that it stands in a list of what is left out. */
export type How = "limit" | "switch" | "severity" | "left-out";

export type Rule = readonly [tool: GateTool, how: How, names: RegExp];

/** null: no file of settings. */
export function rulesAt(path: string): readonly Rule[] | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return FILES.find(([names]) => names.test(name))?.[1] ?? null;
}

export function isOwnConfig(path: string): boolean {
  return rulesAt(path) === OWN;
}

const OWN: readonly Rule[] = [];
const JS_TESTS: readonly Rule[] = [
  ["js-tests", "limit", /^(?:lines|branches|functions|statements)$/],
  ["js-tests", "switch", /^check-?[cC]overage$/],
];
const TSC: Rule = [
  "types",
  "switch",
  /^(?:strict\w*|alwaysStrict|useUnknown\w+|no(?:Implicit|Un|Property|Fallthrough)\w+|exact\w+|checkJs|isolatedDeclarations|erasableSyntaxOnly)$/,
];
const JS_LINT: readonly Rule[] = [
  ["js-lint", "severity", /./],
  ["js-lint", "left-out", /^(?:ignorePatterns|ignores?|patterns): /],
];
const FAIL_UNDER: Rule = ["py-tests", "limit", /^(?:cov-)?fail[_-]under$/];
const OMIT: Rule = ["py-tests", "left-out", /^omit: /];
const MYPY: readonly Rule[] = [
  [
    "py-types",
    "switch",
    /^(?:strict|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_\w+|extra_checks)$/,
  ],
  ["py-types", "left-out", /^disable_error_code: /],
];
const PYRIGHT: readonly Rule[] = [
  ["py-types", "severity", /^(?:report\w+|typeCheckingMode)$/],
  ["py-types", "left-out", /^(?:exclude|ignore): /],
];
const GOLANGCI: readonly Rule[] = [
  ["golangci", "left-out", /^(?:disable|paths|exclude-(?:dirs|files)): /],
];
const PY_LINT: Rule = ["py-lint", "left-out", /^(?:(?:extend-)?ignore|per-file-ignores): /];

const FILES: readonly (readonly [names: RegExp, rules: readonly Rule[]])[] = [
  [/^\.?orchestrator\.config\.[cm]?[jt]s$/, OWN],
  [/^(?:package\.json|\.(?:mocha|nyc|c8)rc(?:\.\w{1,5})?)$/, JS_TESTS],
  [
    /^(?:vite|vitest|jest|nyc)\.(?:config|workspace)(?:\.[\w-]+)?\.(?:[cm]?[jt]s|json[c5]?)$/,
    JS_TESTS,
  ],
  [/^deno\.jsonc?$/, [...JS_TESTS, TSC]],
  [/^(?:ts|js)config(?:\.[\w.-]+)?\.json$/, [TSC, ["types", "left-out", /^exclude: /]]],
  [/^\.(?:eslint|oxlint|biome)(?:ignore|rc(?:\.\w{1,5})?)$/, JS_LINT],
  [/^(?:eslint|oxlint)\.config\.(?:[cm]?[jt]s|json[c5]?)$/, JS_LINT],
  [/^biome\.jsonc?$/, [...JS_LINT, ["js-lint", "switch", /^(?:enabled|recommended)$/]]],
  [/^pyrightconfig\.json$/, PYRIGHT],
  [/^(?:pyproject\.toml|setup\.cfg|tox\.ini)$/, [FAIL_UNDER, OMIT, ...MYPY, PY_LINT]],
  [/^(?:\.?pytest\.ini|\.coveragerc)$/, [FAIL_UNDER, OMIT]],
  [/^\.?mypy\.ini$/, MYPY],
  [/^(?:\.flake8|\.?ruff\.toml|\.?pylintrc)$/, [PY_LINT]],
  [/^\.golangci\.(?:ya?ml|toml)$/, GOLANGCI],
  [/^(?:Cargo\.toml|\.?clippy\.toml)$/, [["clippy", "severity", /_/]]],
  [/^\.rubocop\.ya?ml$/, [["rubocop", "switch", /^Enabled$/]]],
];
