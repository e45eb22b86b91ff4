import { describe, expect, test } from "vitest";

import { alarmsAt, alarmsOf } from "./tamper-change.ts";

/** A number or a switch that changes is no string in JSON. */
const json = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replaceAll(/"(«[\dtruefals→]+»)"/g, "$1")}\n`;
const vitest = (inner: string): string =>
  `import { defineConfig } from "vitest/config";\n\nexport default defineConfig({\n  test: { ${inner} },\n});\n`;
const coverage = (inner: string): string => vitest(`coverage: { ${inner} }`);

describe("thresholds", () => {
  alarmsAt([
    [
      "vitest.config.ts",
      coverage("thresholds: { lines: «90→70», branches: 80 }"),
      "threshold-loosened:4",
    ],
    [
      "vitest.config.ts",
      coverage("thresholds: { lines: 90«, branches: 80→» }"),
      "threshold-loosened",
    ],
    [
      "vitest.config.ts",
      coverage("«thresholds: { lines: 90 }→enabled: true»"),
      "threshold-loosened",
    ],
    ["vitest.config.ts", coverage("thresholds: { lines: «90→95, branches: 70» }")],
    ["vitest.config.ts", coverage("thresholds: { lines: «90→LINES» }")],
    [
      "vitest.config.ts: a number in a comment",
      `«→// lines: 70\n»${coverage("thresholds: { lines: 90 }")}`,
    ],
    ["vitest.config.ts", coverage("«thresholds: { lines: 90 }→...shared»")],
    [
      "jest.config.js",
      "module.exports = { coverageThreshold: { global: { branches: «80→50» } } };\n",
      "threshold-loosened:1",
    ],
    [
      "package.json",
      json({ jest: { coverageThreshold: { global: { lines: "«80→8»" } } } }),
      "threshold-loosened:5",
    ],
    [".nycrc", json({ "check-coverage": "«true→false»", lines: 90 }), "threshold-loosened:2"],
    [".c8rc.json", json({ lines: "«90→80»" }), "threshold-loosened:2"],
    [".coveragerc", "[report]\nfail_under = «90→80»\n", "threshold-loosened:2"],
    [
      "pyproject.toml",
      "[tool.coverage.report]\n«fail_under = 90→show_missing = true»\n",
      "threshold-loosened",
    ],
    [
      ".coveragerc",
      "[run]\nomit =\n    */migrations/*\n«→    src/core/*\n»",
      "threshold-loosened:2",
    ],
    ["pytest.ini", "[pytest]\naddopts = -q --cov-fail-under=«90→60»\n", "threshold-loosened:2"],
    [".flake8", "[flake8]\nmax-complexity = «10→40»\n", "threshold-loosened:2"],
    [
      "codecov.yml",
      "coverage:\n  status:\n    project:\n      default:\n        target: «90→10»%\n",
      "threshold-loosened:5",
    ],
    [
      "vitest.config.ts",
      coverage('exclude: ["node_modules"«→, "src/cart/**"»]'),
      "threshold-loosened:4",
    ],
    ["vitest.config.ts", coverage('exclude: ["node_modules"«→, "dist/**"»]')],
  ]);
});

const ts = (compilerOptions: unknown, more: object = {}): string =>
  json({ compilerOptions, ...more });
const flat = (rules: string): string => `export default [\n  { rules: ${rules} },\n];\n`;

describe("rules", () => {
  alarmsAt([
    ["tsconfig.json: strict off", ts({ strict: "«true→false»" }), "rules-loosened:3"],
    [
      "tsconfig.json: strict gone",
      [ts({ strict: true, target: "es2023" }), ts({ target: "es2023" })],
      "rules-loosened",
    ],
    [
      "tsconfig.json: strict gone to a base",
      [
        ts({ strict: true, target: "es2023" }),
        json({ extends: "./base.json", compilerOptions: { target: "es2023" } }),
      ],
    ],
    ["tsconfig.json", ts({ "«noImplicitAny→strict»": true, target: "es5" })],
    [
      "tsconfig.json: a switch newly off",
      [ts({ strict: true }), ts({ strict: true, noUncheckedIndexedAccess: false })],
      "rules-loosened:4",
    ],
    [
      "tsconfig.json",
      '{\n  // strict\n  "compilerOptions": { "strict": «true→false», },\n}\n',
      "rules-loosened:3",
    ],
    [
      "tsconfig.json: sources left out",
      [
        ts({ strict: true }, { exclude: ["dist"] }),
        ts({ strict: true }, { exclude: ["dist", "src/cart.ts"] }),
      ],
      "rules-loosened:7",
    ],
    [
      "tsconfig.json: products left out",
      [
        ts({ strict: true }, { exclude: ["dist"] }),
        ts({ strict: true }, { exclude: ["dist", "coverage"] }),
      ],
    ],
    ["tsconfig.json: another target", ts({ strict: true, target: "«es5→es2023»" })],
    ["packages/x/tsconfig.json", ts({ strict: "«true→false»" }), "rules-loosened:3"],
    [".eslintrc.json", json({ rules: { eqeqeq: "«error→off»" } }), "rules-loosened:3"],
    ["eslint.config.js", flat('{ eqeqeq: "«error→warn»" }'), "rules-loosened:2"],
    ["eslint.config.js", flat('{ eqeqeq: [«"error"→1», "always"] }'), "rules-loosened:2"],
    ["eslint.config.mjs", flat('{ eqeqeq: 2«→, "no-console": 0» }'), "rules-loosened:2"],
    ["eslint.config.js: only an option", flat('{ indent: ["error", «2→0»] }')],
    ["eslint.config.js: stricter", flat('{ eqeqeq: "«warn→error", "no-var": "error»" }')],
    ["eslint.config.js: a new warning", flat('{ eqeqeq: "warn"«→, "no-var": "warn"» }')],
    [
      "eslint.config.js",
      'export default [{ ignores: ["dist/**"«→, "src/legacy/**"»] }];\n',
      "rules-loosened:1",
    ],
    [".eslintignore", "dist\n«→src/legacy\n»", "rules-loosened:2"],
    [".oxlintrc.json", json({ categories: { correctness: "«error→warn»" } }), "rules-loosened:3"],
    [
      "biome.json",
      json({ linter: { rules: { style: { useConst: "«error→off»" } } } }),
      "rules-loosened:5",
    ],
    ["biome.json", json({ linter: { enabled: "«true→false»" } }), "rules-loosened:3"],
    [
      "pyproject.toml",
      '[tool.ruff.lint]\nignore = [«"E501"→\n  "E501",\n  "F401", # later\n»]\n',
      "rules-loosened:2",
    ],
    ["ruff.toml", '[lint]\nselect = ["E"«, "F", "B"→»]\n', "rules-loosened rules-loosened"],
    ["setup.cfg: flake8", "[flake8]\nextend-ignore = E203«→,W503»\n", "rules-loosened:2"],
    [".flake8", "[flake8]\nextend-ignore = E203«→,W503»\n", "rules-loosened:2"],
    ["mypy.ini", "[mypy]\nstrict = «True→False»\n", "rules-loosened:2"],
    [
      "pyproject.toml",
      '[tool.mypy]\nstrict = true\n«→\n[[tool.mypy.overrides]]\nmodule = "cart.*"\nignore_errors = true\n»',
      "rules-loosened:6",
    ],
    ["mypy.ini", "[mypy]\nstrict = True\n«→\n[mypy-requests.*]\nignore_missing_imports = True\n»"],
    [".golangci.yml", "linters:\n  disable:\n    - lll\n«→    - errcheck\n»", "rules-loosened:4"],
    [".golangci.yml", "linters:\n  enable: [«errcheck, →»govet]\n", "rules-loosened"],
    ["Cargo.toml", '[lints.clippy]\nunwrap_used = "«deny→allow»"\n', "rules-loosened:2"],
    [
      "Cargo.toml",
      '[lints.clippy]\nall = { level = "«deny→warn»", priority = -1 }\n',
      "rules-loosened:2",
    ],
    ["Cargo.toml: a dependency more", '[dependencies]\nserde = "1"\n«→rand = "0.8"\n»'],
    ["pyrightconfig.json", json({ typeCheckingMode: "«strict→basic»" }), "rules-loosened:2"],
    ["tsconfig.json: a broken file", [ts({ strict: true }), "{{{{"]],
  ]);

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
