import { describe, expect, test } from "vitest";

import { alarmsOf, checkOne } from "./tamper-change.ts";

const scripts = (all: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ name: "x", scripts: all }, null, 2)}\n`;

type Scripts = Readonly<Record<string, string>>;
type Row = readonly [name: string, before: Scripts, after: Scripts, alarms: readonly string[]];

describe("scripts of package.json", () => {
  test.each<Row>([
    [
      "a failure is swallowed",
      { test: "vitest run" },
      { test: "vitest run || true" },
      ["gate-weakened:4"],
    ],
    [
      "in other words",
      { test: "vitest run" },
      { test: "vitest run || exit 0" },
      ["gate-weakened:4"],
    ],
    [
      "with an echo",
      { lint: "eslint ." },
      { lint: "eslint . || echo failed" },
      ["gate-weakened:4"],
    ],
    ["by what comes after", { test: "jest" }, { test: "jest; exit 0" }, ["gate-weakened:4"]],
    [
      "no tests are fine",
      { test: "jest" },
      { test: "jest --passWithNoTests" },
      ["gate-weakened:4"],
    ],
    [
      "findings are fine",
      { lint: "ruff check ." },
      { lint: "ruff check . --exit-zero" },
      ["gate-weakened:4"],
    ],
    ["nothing is run", { test: "vitest run" }, { test: "echo ok" }, ["gate-weakened:4"]],
    [
      "a step is gone",
      { check: "tsc --noEmit && eslint ." },
      { check: "eslint ." },
      ["gate-weakened:4"],
    ],
    [
      "a step is gone through another script",
      { check: "npm run lint && npm test", lint: "eslint .", test: "vitest run" },
      { check: "npm test", lint: "eslint .", test: "vitest run" },
      ["gate-weakened:4"],
    ],
    ["the script is gone", { test: "vitest run", build: "x" }, { build: "x" }, ["gate-weakened"]],
    [
      "only some tests are run",
      { test: "vitest run" },
      { test: "vitest run test/unit" },
      ["test-excluded:4"],
    ],
    [
      "only some of them",
      { test: "pytest tests" },
      { test: "pytest tests/unit" },
      ["test-excluded:4"],
    ],
    [
      "go: only one package",
      { test: "go test ./..." },
      { test: "go test ./cart/..." },
      ["test-excluded:4"],
    ],
    ["a filter", { test: "vitest run" }, { test: "vitest run -t adds" }, ["test-excluded:4"]],
    [
      "files left out",
      { test: "jest" },
      { test: "jest --testPathIgnorePatterns=cart" },
      ["test-excluded:4"],
    ],
    [
      "more warnings are fine",
      { lint: "eslint . --max-warnings 0" },
      { lint: "eslint . --max-warnings 50" },
      ["threshold-loosened:4"],
    ],
    [
      "the limit is gone",
      { lint: "eslint . --max-warnings=0" },
      { lint: "eslint ." },
      ["threshold-loosened:4"],
    ],
    [
      "less coverage is fine",
      { test: "pytest --cov-fail-under=90" },
      { test: "pytest --cov-fail-under=50" },
      ["threshold-loosened:4"],
    ],
    ["a reporter", { test: "vitest run" }, { test: "vitest run --reporter dot" }, []],
    ["a config file", { test: "jest" }, { test: "jest --config config/jest.config.js" }, []],
    ["another runner", { test: "jest" }, { test: "vitest run" }, []],
    ["a step more", { check: "eslint ." }, { check: "eslint . && tsc --noEmit" }, []],
    [
      "steps became scripts",
      { check: "eslint . && tsc" },
      { check: "npm run lint && npm run types", lint: "eslint .", types: "tsc" },
      [],
    ],
    [
      "steps run side by side",
      { check: "eslint . && tsc" },
      { check: "run-p lint types", lint: "eslint .", types: "tsc" },
      [],
    ],
    ["a script was renamed", { unit: "vitest run" }, { "test:unit": "vitest run" }, []],
    ["wider", { test: "vitest run test/unit" }, { test: "vitest run test" }, []],
    ["cleaning up may fail", { clean: "rm -r x" }, { clean: "rm -r x || true" }, []],
    [
      "a server may be gone",
      { test: "vitest run" },
      { test: "vitest run && (docker stop test || true)" },
      [],
    ],
    ["no script of a gate", { start: "node a.js" }, { start: "node b.js" }, []],
  ])("%s", (_name, before, after, alarms) => {
    checkOne("package.json", [scripts(before), scripts(after)], alarms);
  });

  test("where it is known what the gates run, only that counts, and a new script is no excuse", () => {
    const before = scripts({ check: "eslint . && tsc", e2e: "playwright test" });
    const after = scripts({ check: "tsc", lint: "eslint .", e2e: "echo later" });
    const files = { "package.json": [before, after] } as const;
    expect(alarmsOf(files, { commands: ["npm run check"] })).toEqual(["gate-weakened:4"]);
    expect(alarmsOf(files)).toEqual(["gate-weakened:6"]);
    expect(alarmsOf(files, { commands: ["npm run e2e"] })).toEqual(["gate-weakened:6"]);
  });

  test("hooks of a script belong to it", () => {
    const before = scripts({ pretest: "eslint .", test: "vitest run" });
    const after = scripts({ test: "vitest run" });
    expect(alarmsOf({ "package.json": [before, after] })).toEqual([
      "gate-weakened",
      "gate-weakened:4",
    ]);
  });
});

describe("pipelines, build files and scripts", () => {
  const CI = "jobs:\n  test:\n    steps:\n      - run: npm test\n      - run: npm run lint\n";

  test.each<
    readonly [name: string, path: string, before: string, after: string, alarms: readonly string[]]
  >([
    [
      "a job may fail",
      ".github/workflows/ci.yml",
      CI,
      CI.replace("    steps", "    continue-on-error: true\n    steps"),
      ["gate-weakened:3"],
    ],
    [
      "a step may fail",
      ".github/workflows/ci.yml",
      CI,
      CI.replace("test\n      -", "test\n        continue-on-error: true\n      -"),
      ["gate-weakened:5"],
    ],
    [
      "a step swallows its failure",
      ".github/workflows/ci.yml",
      CI,
      CI.replace("npm test", "npm test || true"),
      ["gate-weakened:4"],
    ],
    [
      "a check is gone",
      ".github/workflows/ci.yml",
      CI,
      CI.replace("      - run: npm run lint\n", ""),
      ["gate-weakened"],
    ],
    [
      "checks became scripts of other names",
      ".github/workflows/ci.yml",
      CI,
      CI.replace("npm test", "npm run unit"),
      [],
    ],
    [
      "another version of node",
      ".github/workflows/ci.yml",
      `${CI}# node 20\n`,
      `${CI}# node 22\n`,
      [],
    ],
    [
      "an experiment may fail",
      ".github/workflows/ci.yml",
      CI,
      CI.replace("    steps", "    continue-on-error: ${{ matrix.experimental }}\n    steps"),
      [],
    ],
    [
      "gitlab",
      ".gitlab-ci.yml",
      "test:\n  script:\n    - pytest\n",
      "test:\n  allow_failure: true\n  script:\n    - pytest\n",
      ["gate-weakened:2"],
    ],
    [
      "make ignores a failure",
      "Makefile",
      "test:\n\tgo test ./...\n",
      "test:\n\t-go test ./...\n",
      ["gate-weakened:2"],
    ],
    [
      "make swallows a failure",
      "Makefile",
      "test:\n\tgo test ./...\n",
      "test:\n\tgo test ./... || true\n",
      ["gate-weakened:2"],
    ],
    [
      "make runs less",
      "Makefile",
      "check:\n\tgolangci-lint run\n\tgo test ./...\n",
      "check:\n\tgo test ./...\n",
      ["gate-weakened"],
    ],
    [
      "make has a new target",
      "Makefile",
      "test:\n\tgo test ./...\n",
      "test:\n\tgo test ./...\n\nclean:\n\t-rm x\n",
      [],
    ],
    [
      "a script goes on after a failure",
      "scripts/check.sh",
      "set -euo pipefail\ntsc\nvitest run\n",
      "tsc\nvitest run\n",
      ["gate-weakened"],
    ],
    [
      "a script swallows a failure",
      "scripts/check.sh",
      "set -e\npytest\n",
      "set -e\npytest || true\n",
      ["gate-weakened:2"],
    ],
    [
      "a script looks for something",
      "scripts/find.sh",
      "set -e\n",
      "set -e\ngrep test x || true\n",
      [],
    ],
  ])("%s", (...[, path, before, after, alarms]) => {
    checkOne(path, [before, after], alarms);
  });

  test("a script that a gate names is not to be changed, only added to", () => {
    const path = "scripts/verify.mjs";
    const commands = ["node ./scripts/verify.mjs --all"];
    const before = "check(a);\ncheck(b);\n";
    expect(alarmsOf({ [path]: [before, "check(a);\n"] }, { commands })).toEqual(["gate-edited"]);
    expect(alarmsOf({ [path]: [before, null] }, { commands })).toEqual(["gate-edited"]);
    expect(alarmsOf({ [path]: [before, `${before}check(c);\n`] }, { commands })).toEqual([]);
    expect(alarmsOf({ [path]: [before, "check(a);\n"] })).toEqual([]);
    expect(alarmsOf({ "src/cli.ts": [before, "x\n"] }, { commands: ["node src/cli.ts"] })).toEqual(
      [],
    );
  });

  test("orch's own config is not the agent's to change", () => {
    const files = { ".orchestrator.config.js": ["gates: {}\n", "gates: null\n"] } as const;
    expect(alarmsOf(files)).toEqual(["gate-edited"]);
  });
});
