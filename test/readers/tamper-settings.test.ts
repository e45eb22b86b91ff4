import { describe, expect, test } from "vitest";

import { alarmsOf, checkOne } from "./tamper-change.ts";

type Row = readonly [
  name: string,
  path: string,
  before: string,
  after: string,
  alarms: readonly string[],
];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const vitest = (inner: string): string =>
  `import { defineConfig } from "vitest/config";\n\nexport default defineConfig({\n  test: { ${inner} },\n});\n`;
const coverage = (inner: string): string => vitest(`coverage: { ${inner} }`);

describe("thresholds", () => {
  test.each<Row>([
    [
      "vitest lowers one",
      "vitest.config.ts",
      coverage("thresholds: { lines: 90, branches: 80 }"),
      coverage("thresholds: { lines: 70, branches: 80 }"),
      ["threshold-loosened:4"],
    ],
    [
      "vitest drops one",
      "vitest.config.ts",
      coverage("thresholds: { lines: 90, branches: 80 }"),
      coverage("thresholds: { lines: 90 }"),
      ["threshold-loosened"],
    ],
    [
      "vitest drops all",
      "vitest.config.ts",
      coverage("thresholds: { lines: 90 }"),
      coverage("enabled: true"),
      ["threshold-loosened"],
    ],
    [
      "vitest raises one",
      "vitest.config.ts",
      coverage("thresholds: { lines: 90 }"),
      coverage("thresholds: { lines: 95, branches: 70 }"),
      [],
    ],
    [
      "a name in place of a number",
      "vitest.config.ts",
      coverage("thresholds: { lines: 90 }"),
      coverage("thresholds: { lines: LINES }"),
      [],
    ],
    [
      "a number in a comment",
      "vitest.config.ts",
      coverage("thresholds: { lines: 90 }"),
      `// lines: 70\n${coverage("thresholds: { lines: 90 }")}`,
      [],
    ],
    [
      "the shared settings of another file",
      "vitest.config.ts",
      coverage("thresholds: { lines: 90 }"),
      coverage("...shared"),
      [],
    ],
    [
      "jest lowers one",
      "jest.config.js",
      "module.exports = { coverageThreshold: { global: { branches: 80 } } };\n",
      "module.exports = { coverageThreshold: { global: { branches: 50 } } };\n",
      ["threshold-loosened:1"],
    ],
    [
      "jest in package.json",
      "package.json",
      json({ jest: { coverageThreshold: { global: { lines: 80 } } } }),
      json({ jest: { coverageThreshold: { global: { lines: 8 } } } }),
      ["threshold-loosened:5"],
    ],
    [
      "nyc",
      ".nycrc",
      json({ "check-coverage": true, lines: 90 }),
      json({ "check-coverage": false, lines: 90 }),
      ["threshold-loosened:2"],
    ],
    ["c8", ".c8rc.json", json({ lines: 90 }), json({ lines: 80 }), ["threshold-loosened:2"]],
    [
      "coverage.py",
      ".coveragerc",
      "[report]\nfail_under = 90\n",
      "[report]\nfail_under = 80\n",
      ["threshold-loosened:2"],
    ],
    [
      "coverage.py in pyproject",
      "pyproject.toml",
      "[tool.coverage.report]\nfail_under = 90\n",
      "[tool.coverage.report]\nshow_missing = true\n",
      ["threshold-loosened"],
    ],
    [
      "coverage.py leaves out more",
      ".coveragerc",
      "[run]\nomit =\n    */migrations/*\n",
      "[run]\nomit =\n    */migrations/*\n    src/core/*\n",
      ["threshold-loosened:2"],
    ],
    [
      "pytest-cov in addopts",
      "pytest.ini",
      "[pytest]\naddopts = -q --cov-fail-under=90\n",
      "[pytest]\naddopts = -q --cov-fail-under=60\n",
      ["threshold-loosened:2"],
    ],
    [
      "complexity of flake8",
      ".flake8",
      "[flake8]\nmax-complexity = 10\n",
      "[flake8]\nmax-complexity = 40\n",
      ["threshold-loosened:2"],
    ],
    [
      "codecov",
      "codecov.yml",
      "coverage:\n  status:\n    project:\n      default:\n        target: 90%\n",
      "coverage:\n  status:\n    project:\n      default:\n        target: 10%\n",
      ["threshold-loosened:5"],
    ],
    [
      "coverage leaves out sources",
      "vitest.config.ts",
      coverage('exclude: ["node_modules"]'),
      coverage('exclude: ["node_modules", "src/cart/**"]'),
      ["threshold-loosened:4"],
    ],
    [
      "coverage leaves out products",
      "vitest.config.ts",
      coverage('exclude: ["node_modules"]'),
      coverage('exclude: ["node_modules", "dist/**"]'),
      [],
    ],
  ])("%s", (...[, path, before, after, alarms]) => {
    checkOne(path, [before, after], alarms);
  });
});

const ts = (compilerOptions: unknown, more: object = {}): string =>
  json({ compilerOptions, ...more });
const flat = (rules: string): string => `export default [\n  { rules: ${rules} },\n];\n`;

describe("rules", () => {
  test.each<Row>([
    [
      "strict off",
      "tsconfig.json",
      ts({ strict: true }),
      ts({ strict: false }),
      ["rules-loosened:3"],
    ],
    [
      "strict gone",
      "tsconfig.json",
      ts({ strict: true, target: "es2023" }),
      ts({ target: "es2023" }),
      ["rules-loosened"],
    ],
    [
      "strict gone to a base",
      "tsconfig.json",
      ts({ strict: true, target: "es2023" }),
      json({ extends: "./base.json", compilerOptions: { target: "es2023" } }),
      [],
    ],
    [
      "single switches in place of strict",
      "tsconfig.json",
      ts({ noImplicitAny: true, target: "es5" }),
      ts({ strict: true, target: "es5" }),
      [],
    ],
    [
      "a switch newly off",
      "tsconfig.json",
      ts({ strict: true }),
      ts({ strict: true, noUncheckedIndexedAccess: false }),
      ["rules-loosened:4"],
    ],
    [
      "with comments and a trailing comma",
      "tsconfig.json",
      '{\n  // strict\n  "compilerOptions": { "strict": true, },\n}\n',
      '{\n  "compilerOptions": { "strict": false, },\n}\n',
      ["rules-loosened:2"],
    ],
    [
      "sources left out",
      "tsconfig.json",
      ts({ strict: true }, { exclude: ["dist"] }),
      ts({ strict: true }, { exclude: ["dist", "src/cart.ts"] }),
      ["rules-loosened:7"],
    ],
    [
      "products left out",
      "tsconfig.json",
      ts({ strict: true }, { exclude: ["dist"] }),
      ts({ strict: true }, { exclude: ["dist", "coverage"] }),
      [],
    ],
    [
      "another target",
      "tsconfig.json",
      ts({ strict: true, target: "es5" }),
      ts({ strict: true, target: "es2023" }),
      [],
    ],
    ["a new file", "packages/x/tsconfig.json", "", ts({ strict: false }), ["rules-loosened:3"]],
    [
      "eslint: a rule off",
      ".eslintrc.json",
      json({ rules: { eqeqeq: "error" } }),
      json({ rules: { eqeqeq: "off" } }),
      ["rules-loosened:3"],
    ],
    [
      "eslint: a rule milder",
      "eslint.config.js",
      flat('{ eqeqeq: "error" }'),
      flat('{ eqeqeq: "warn" }'),
      ["rules-loosened:2"],
    ],
    [
      "eslint: with options",
      "eslint.config.js",
      flat('{ eqeqeq: ["error", "always"] }'),
      flat('{ eqeqeq: [1, "always"] }'),
      ["rules-loosened:2"],
    ],
    [
      "eslint: newly off",
      "eslint.config.mjs",
      flat("{ eqeqeq: 2 }"),
      flat('{ eqeqeq: 2, "no-console": 0 }'),
      ["rules-loosened:2"],
    ],
    [
      "eslint: only an option",
      "eslint.config.js",
      flat('{ indent: ["error", 2] }'),
      flat('{ indent: ["error", 0] }'),
      [],
    ],
    [
      "eslint: stricter",
      "eslint.config.js",
      flat('{ eqeqeq: "warn" }'),
      flat('{ eqeqeq: "error", "no-var": "error" }'),
      [],
    ],
    [
      "eslint: a new warning",
      "eslint.config.js",
      flat('{ eqeqeq: "warn" }'),
      flat('{ eqeqeq: "warn", "no-var": "warn" }'),
      [],
    ],
    [
      "eslint: files ignored",
      "eslint.config.js",
      'export default [{ ignores: ["dist/**"] }];\n',
      'export default [{ ignores: ["dist/**", "src/legacy/**"] }];\n',
      ["rules-loosened:1"],
    ],
    [".eslintignore", ".eslintignore", "dist\n", "dist\nsrc/legacy\n", ["rules-loosened:2"]],
    [
      "oxlint",
      ".oxlintrc.json",
      json({ categories: { correctness: "error" } }),
      json({ categories: { correctness: "warn" } }),
      ["rules-loosened:3"],
    ],
    [
      "biome",
      "biome.json",
      json({ linter: { rules: { style: { useConst: "error" } } } }),
      json({ linter: { rules: { style: { useConst: "off" } } } }),
      ["rules-loosened:5"],
    ],
    [
      "biome switched off",
      "biome.json",
      json({ linter: { enabled: true } }),
      json({ linter: { enabled: false } }),
      ["rules-loosened:3"],
    ],
    [
      "ruff ignores more",
      "pyproject.toml",
      '[tool.ruff.lint]\nignore = ["E501"]\n',
      '[tool.ruff.lint]\nignore = [\n  "E501",\n  "F401", # later\n]\n',
      ["rules-loosened:2"],
    ],
    [
      "ruff selects less",
      "ruff.toml",
      '[lint]\nselect = ["E", "F", "B"]\n',
      '[lint]\nselect = ["E"]\n',
      ["rules-loosened", "rules-loosened"],
    ],
    [
      "flake8",
      "setup.cfg",
      "[flake8]\nextend-ignore = E203\n",
      "[flake8]\nextend-ignore = E203,W503\n",
      ["rules-loosened:2"],
    ],
    [
      "flake8 in a file of its own",
      ".flake8",
      "[flake8]\nextend-ignore = E203\n",
      "[flake8]\nextend-ignore = E203,W503\n",
      ["rules-loosened:2"],
    ],
    [
      "mypy strict off",
      "mypy.ini",
      "[mypy]\nstrict = True\n",
      "[mypy]\nstrict = False\n",
      ["rules-loosened:2"],
    ],
    [
      "mypy ignores errors of a package",
      "pyproject.toml",
      "[tool.mypy]\nstrict = true\n",
      '[tool.mypy]\nstrict = true\n\n[[tool.mypy.overrides]]\nmodule = "cart.*"\nignore_errors = true\n',
      ["rules-loosened:6"],
    ],
    [
      "mypy: a library without types",
      "mypy.ini",
      "[mypy]\nstrict = True\n",
      "[mypy]\nstrict = True\n\n[mypy-requests.*]\nignore_missing_imports = True\n",
      [],
    ],
    [
      "golangci disables",
      ".golangci.yml",
      "linters:\n  disable:\n    - lll\n",
      "linters:\n  disable:\n    - lll\n    - errcheck\n",
      ["rules-loosened:4"],
    ],
    [
      "golangci enables less",
      ".golangci.yml",
      "linters:\n  enable: [errcheck, govet]\n",
      "linters:\n  enable: [govet]\n",
      ["rules-loosened"],
    ],
    [
      "clippy",
      "Cargo.toml",
      '[lints.clippy]\nunwrap_used = "deny"\n',
      '[lints.clippy]\nunwrap_used = "allow"\n',
      ["rules-loosened:2"],
    ],
    [
      "clippy with a priority",
      "Cargo.toml",
      '[lints.clippy]\nall = { level = "deny", priority = -1 }\n',
      '[lints.clippy]\nall = { level = "warn", priority = -1 }\n',
      ["rules-loosened:2"],
    ],
    [
      "a dependency more",
      "Cargo.toml",
      '[dependencies]\nserde = "1"\n',
      '[dependencies]\nserde = "1"\nrand = "0.8"\n',
      [],
    ],
    [
      "pyright",
      "pyrightconfig.json",
      json({ typeCheckingMode: "strict" }),
      json({ typeCheckingMode: "basic" }),
      ["rules-loosened:2"],
    ],
    ["a broken file", "tsconfig.json", ts({ strict: true }), "{{{{", []],
  ])("%s", (...[, path, before, after, alarms]) => {
    checkOne(path, [path.startsWith("packages") ? ts({ strict: true }) : before, after], alarms);
  });

  test("a file that is new is held to nothing yet", () => {
    expect(alarmsOf({ "packages/x/tsconfig.json": [null, ts({ strict: false })] })).toEqual([]);
  });

  test("a deleted file is loosened, unless its settings may be elsewhere now", () => {
    expect(alarmsOf({ ".eslintrc.json": [json({ rules: {} }), null] })).toEqual(["rules-loosened"]);
    expect(
      alarmsOf({
        ".eslintrc.json": [json({ rules: {} }), null],
        "eslint.config.js": [null, flat("{}")],
      }),
    ).toEqual([]);
    expect(alarmsOf({ ".github/workflows/ci.yml": ["- run: npm test\n", null] })).toEqual([
      "gate-weakened",
    ]);
    expect(alarmsOf({ ".github/workflows/stale.yml": ["- uses: stale\n", null] })).toEqual([]);
    expect(
      alarmsOf({
        ".travis.yml": ["script:\n  - npm test\n", null],
        ".github/workflows/ci.yml": [null, "- run: npm test\n"],
      }),
    ).toEqual([]);
  });
});
