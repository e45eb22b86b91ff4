import { describe, expect, test } from "vitest";

import { alarmsAt, alarmsOf } from "./tamper-change.ts";

/** A number or a switch that changes is no string in JSON. */
const json = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replaceAll(/"(«[\dtruefals→]+»)"/g, "$1")}\n`;
const vitest = (inner: string): string =>
  `import { defineConfig } from "vitest/config";\n\nexport default defineConfig({\n  test: { ${inner} },\n});\n`;
const coverage = (inner: string): string => vitest(`coverage: { ${inner} }`);

describe("thresholds", () => {
  alarmsAt({
    "vitest.config.ts: a lower limit → threshold-loosened:4": coverage(
      "thresholds: { lines: «90→70», branches: 80 }",
    ),
    "vitest.config.ts: a limit gone → threshold-loosened": coverage(
      "thresholds: { lines: 90«, branches: 80→» }",
    ),
    "vitest.config.ts: all limits gone → threshold-loosened": coverage(
      "«thresholds: { lines: 90 }→enabled: true»",
    ),
    "vitest.config.ts: a higher limit, and a new one": coverage(
      "thresholds: { lines: «90→95, branches: 70» }",
    ),
    "vitest.config.ts: a limit by name": coverage("thresholds: { lines: «90→LINES» }"),
    "vitest.config.ts: a number in a comment": `«→// lines: 70\n»${coverage("thresholds: { lines: 90 }")}`,
    "vitest.config.ts: limits that may be elsewhere": coverage(
      "«thresholds: { lines: 90 }→...shared»",
    ),
    "jest.config.js → threshold-loosened:1":
      "module.exports = { coverageThreshold: { global: { branches: «80→50» } } };\n",
    "package.json → threshold-loosened:5": json({
      jest: { coverageThreshold: { global: { lines: "«80→8»" } } },
    }),
    ".nycrc → threshold-loosened:2": json({ "check-coverage": "«true→false»", lines: 90 }),
    ".c8rc.json → threshold-loosened:2": json({ lines: "«90→80»" }),
    ".coveragerc: a lower limit → threshold-loosened:2": "[report]\nfail_under = «90→80»\n",
    "pyproject.toml → threshold-loosened":
      "[tool.coverage.report]\n«fail_under = 90→show_missing = true»\n",
    ".coveragerc: sources left out → threshold-loosened:2":
      "[run]\nomit =\n    */migrations/*\n«→    src/core/*\n»",
    "pytest.ini → threshold-loosened:2": "[pytest]\naddopts = -q --cov-fail-under=«90→60»\n",
    ".flake8 → threshold-loosened:2": "[flake8]\nmax-complexity = «10→40»\n",
    "codecov.yml → threshold-loosened:5":
      "coverage:\n  status:\n    project:\n      default:\n        target: «90→10»%\n",
    "vitest.config.ts: sources left out → threshold-loosened:4": coverage(
      'exclude: ["node_modules"«→, "src/cart/**"»]',
    ),
    "vitest.config.ts: products left out": coverage('exclude: ["node_modules"«→, "dist/**"»]'),
  });
});

const ts = (compilerOptions: unknown, more: object = {}): string =>
  json({ compilerOptions, ...more });
const flat = (rules: string): string => `export default [\n  { rules: ${rules} },\n];\n`;

describe("rules", () => {
  alarmsAt({
    "tsconfig.json: strict off → rules-loosened:3": ts({ strict: "«true→false»" }),
    "tsconfig.json: strict gone → rules-loosened": [
      ts({ strict: true, target: "es2023" }),
      ts({ target: "es2023" }),
    ],
    "tsconfig.json: strict gone to a base": [
      ts({ strict: true, target: "es2023" }),
      json({ extends: "./base.json", compilerOptions: { target: "es2023" } }),
    ],
    "tsconfig.json": ts({ "«noImplicitAny→strict»": true, target: "es5" }),
    "tsconfig.json: a switch newly off → rules-loosened:4": [
      ts({ strict: true }),
      ts({ strict: true, noUncheckedIndexedAccess: false }),
    ],
    "tsconfig.json → rules-loosened:3":
      '{\n  // strict\n  "compilerOptions": { "strict": «true→false», },\n}\n',
    "tsconfig.json: sources left out → rules-loosened:7": [
      ts({ strict: true }, { exclude: ["dist"] }),
      ts({ strict: true }, { exclude: ["dist", "src/cart.ts"] }),
    ],
    "tsconfig.json: products left out": [
      ts({ strict: true }, { exclude: ["dist"] }),
      ts({ strict: true }, { exclude: ["dist", "coverage"] }),
    ],
    "tsconfig.json: another target": ts({ strict: true, target: "«es5→es2023»" }),
    "packages/x/tsconfig.json → rules-loosened:3": ts({ strict: "«true→false»" }),
    ".eslintrc.json → rules-loosened:3": json({ rules: { eqeqeq: "«error→off»" } }),
    "eslint.config.js: a warning → rules-loosened:2": flat('{ eqeqeq: "«error→warn»" }'),
    "eslint.config.js: a warning with options → rules-loosened:2": flat(
      '{ eqeqeq: [«"error"→1», "always"] }',
    ),
    "eslint.config.mjs → rules-loosened:2": flat('{ eqeqeq: 2«→, "no-console": 0» }'),
    "eslint.config.js: only an option": flat('{ indent: ["error", «2→0»] }'),
    "eslint.config.js: stricter": flat('{ eqeqeq: "«warn→error", "no-var": "error»" }'),
    "eslint.config.js: a new warning": flat('{ eqeqeq: "warn"«→, "no-var": "warn"» }'),
    "eslint.config.js → rules-loosened:1":
      'export default [{ ignores: ["dist/**"«→, "src/legacy/**"»] }];\n',
    ".eslintignore → rules-loosened:2": "dist\n«→src/legacy\n»",
    ".oxlintrc.json → rules-loosened:3": json({ categories: { correctness: "«error→warn»" } }),
    "biome.json → rules-loosened:5": json({
      linter: { rules: { style: { useConst: "«error→off»" } } },
    }),
    "biome.json → rules-loosened:3": json({ linter: { enabled: "«true→false»" } }),
    "pyproject.toml → rules-loosened:2":
      '[tool.ruff.lint]\nignore = [«"E501"→\n  "E501",\n  "F401", # later\n»]\n',
    "ruff.toml → rules-loosened rules-loosened": '[lint]\nselect = ["E"«, "F", "B"→»]\n',
    "setup.cfg: flake8 → rules-loosened:2": "[flake8]\nextend-ignore = E203«→,W503»\n",
    ".flake8 → rules-loosened:2": "[flake8]\nextend-ignore = E203«→,W503»\n",
    "mypy.ini → rules-loosened:2": "[mypy]\nstrict = «True→False»\n",
    "pyproject.toml → rules-loosened:6":
      '[tool.mypy]\nstrict = true\n«→\n[[tool.mypy.overrides]]\nmodule = "cart.*"\nignore_errors = true\n»',
    "mypy.ini": "[mypy]\nstrict = True\n«→\n[mypy-requests.*]\nignore_missing_imports = True\n»",
    ".golangci.yml → rules-loosened:4": "linters:\n  disable:\n    - lll\n«→    - errcheck\n»",
    ".golangci.yml → rules-loosened": "linters:\n  enable: [«errcheck, →»govet]\n",
    "Cargo.toml: allowed → rules-loosened:2": '[lints.clippy]\nunwrap_used = "«deny→allow»"\n',
    "Cargo.toml: a warning → rules-loosened:2":
      '[lints.clippy]\nall = { level = "«deny→warn»", priority = -1 }\n',
    "Cargo.toml: a dependency more": '[dependencies]\nserde = "1"\n«→rand = "0.8"\n»',
    "pyrightconfig.json → rules-loosened:2": json({ typeCheckingMode: "«strict→basic»" }),
    "tsconfig.json: a broken file": [ts({ strict: true }), "{{{{"],
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
