import { describe, expect, test } from "vitest";

import { compileProving } from "../../src/readers/proof/proving.ts";
import { foundAt, foundIn } from "./tamper-change.ts";

/** A number or a switch that changes is no string in JSON. */
const json = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replaceAll(/"(«[\dtruefals→]+»)"/g, "$1")}\n`;
const coverage = (inner: string): string =>
  `export default defineConfig({\n  test: { coverage: { ${inner} } },\n});\n`;

describe("thresholds", () => {
  foundAt({
    "vitest.config.ts: a lower limit → threshold-loosened:2": coverage(
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
    "package.json: nothing of it": json({ name: "x", "«a→b»": "1", version: "1.«2→1».0" }),
    ".nycrc → threshold-loosened:2": json({ "check-coverage": "«true→false»", lines: 90 }),
    ".c8rc.json → threshold-loosened:2": json({ lines: "«90→80»" }),
    ".coveragerc: a lower limit → threshold-loosened:2": "[report]\nfail_under = «90→80»\n",
    "pyproject.toml → threshold-loosened":
      "[tool.coverage.report]\n«fail_under = 90→show_missing = true»\n",
    ".coveragerc: sources left out → threshold-loosened:4":
      "[run]\nomit =\n    */migrations/*\n«→    src/core/*\n»",
    "pytest.ini → threshold-loosened:2": "[pytest]\naddopts = -q --cov-fail-under=«90→60»\n",
  });
});

const ts = (compilerOptions: unknown, more: object = {}): string =>
  json({ compilerOptions, ...more });
const flat = (rules: string): string => `export default [\n  { rules: ${rules} },\n];\n`;

describe("rules", () => {
  foundAt({
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
    "eslint.config.js: a switch of another kind": flat("{ eqeqeq: 2 }, jsx: «true→false"),
    "eslint.config.js → rules-loosened:1":
      'export default [{ ignores: ["dist/**"«→, "src/legacy/**"»] }];\n',
    ".eslintignore → rules-loosened:2": "dist\n«→src/legacy\n»",
    ".oxlintrc.json → rules-loosened:3": json({ categories: { correctness: "«error→warn»" } }),
    "biome.json → rules-loosened:5": json({
      linter: { rules: { style: { useConst: "«error→off»" } } },
    }),
    "biome.json: a level → rules-loosened:4": json({
      rules: { useConst: { level: "«error→off»" } },
    }),
    "biome.json → rules-loosened:3": json({ linter: { enabled: "«true→false»" } }),
    "pyproject.toml: ruff → rules-loosened:4":
      '[tool.ruff.lint]\nignore = [«"E501"→\n  "E501",\n  "F401", # later\n»]\n',
    "setup.cfg: flake8 → rules-loosened:2": "[flake8]\nextend-ignore = E203«→,W503»\n",
    ".flake8 → rules-loosened:2": "[flake8]\nextend-ignore = E203«→,W503»\n",
    "mypy.ini → rules-loosened:2": "[mypy]\nstrict = «True→False»\n",
    "pyproject.toml: a dependency": '[project]\ndependencies = ["a"«→, "b"»]\n',
    ".golangci.yml → rules-loosened:4": "linters:\n  disable:\n    - lll\n«→    - errcheck\n»",
    "Cargo.toml: allowed → rules-loosened:2": '[lints.clippy]\nunwrap_used = "«deny→allow»"\n',
    "Cargo.toml: a dependency more": '[dependencies]\nserde = "1"\n«→rand = "0.8"\n»',
    "pyrightconfig.json → rules-loosened:2": json({ typeCheckingMode: "«strict→basic»" }),
    ".rubocop.yml → rules-loosened:2": "Style/Foo:\n  Enabled: «true→false»\n",
    "tsconfig.json: a broken file": [ts({ strict: true }), "{{{{"],
    ".orchestrator.config.js: orch's own → gate-edited": ["gates: {}\n", "gates: null\n"],
    ".orchestrator.config.js: written by it": [null, "gates: null\n"],
  });

  test("a file that is new is held to nothing yet", () => {
    expect(foundIn({ "packages/x/tsconfig.json": [null, ts({ strict: false })] })).toEqual([]);
  });

  test("a deleted file is loosened, unless its settings may be elsewhere now", () => {
    const old = ts({ strict: true });
    expect(foundIn({ "tsconfig.json": [old, null] })).toEqual(["rules-loosened"]);
    expect(foundIn({ "tsconfig.json": [old, null], "tsconfig.base.json": [null, old] })).toEqual(
      [],
    );
  });
});

describe("which tools the gates run", () => {
  const change = { "tsconfig.json": ['{ "strict": true }\n', '{ "strict": false }\n'] } as const;
  const scripts = (all: Readonly<Record<string, string>>) => ({
    "package.json": json({ name: "x", scripts: all }),
  });

  function foundWith(command: string, texts: Readonly<Record<string, string>>): readonly string[] {
    const base = { paths: new Set(Object.keys(texts)), texts: new Map(Object.entries(texts)) };
    return foundIn(change, { lines: compileProving([command], base).lines });
  }

  test.each<readonly [title: string, command: string, texts: Readonly<Record<string, string>>]>([
    ["by a command", "npx tsc --noEmit", {}],
    ["by its path", "./node_modules/.bin/tsc", {}],
    ["by a script", "npm run -s check", scripts({ check: "eslint . && tsc" })],
    ["by a script of a script", "pnpm test", scripts({ test: "pnpm run t:a", "t:a": "tsc" })],
    [
      "by scripts side by side",
      "yarn check",
      scripts({ check: "run-p check:*", "check:a": "tsc" }),
    ],
    ["by a hook", "npm t", scripts({ pretest: "tsc", test: "vitest" })],
    ["by a makefile", "make check", { Makefile: "check:\n\ttsc -b\n" }],
    ["by a file that it names", "sh ./ci/check.sh", { "ci/check.sh": "set -e\ntsc\n" }],
    ["by the name of a script that is not at hand", "turbo run typecheck", {}],
  ])("%s", (_title, command, texts) => {
    expect(foundWith(command, texts)).toEqual(["rules-loosened:1"]);
  });

  test.each<readonly [title: string, command: string, texts: Readonly<Record<string, string>>]>([
    ["no gate runs it", "npm test", scripts({ test: "vitest run", check: "tsc" })],
    ["a word holds its name", "node tsc-report.js", {}],
    ["there is no gate", "", {}],
  ])("a note where %s", (_title, command, texts) => {
    expect(foundWith(command, texts)).toEqual(["(rules-loosened:1)"]);
  });
});
