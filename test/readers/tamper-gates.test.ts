import { describe, expect, test } from "vitest";

import { alarmsAt, alarmsIn, alarmsOf } from "./tamper-change.ts";

const scripts = (all: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ name: "x", scripts: all }, null, 2)}\n`;

describe("scripts of package.json", () => {
  alarmsIn("package.json", {
    "a failure is swallowed → gate-weakened:4": scripts({ test: "vitest run«→ || true»" }),
    "in other words → gate-weakened:4": scripts({ test: "vitest run«→ || exit 0»" }),
    "with an echo → gate-weakened:4": scripts({ lint: "eslint .«→ || echo failed»" }),
    "by what comes after → gate-weakened:4": scripts({ test: "jest«→; exit 0»" }),
    "no tests are fine → gate-weakened:4": scripts({ test: "jest«→ --passWithNoTests»" }),
    "findings are fine → gate-weakened:4": scripts({ lint: "ruff check .«→ --exit-zero»" }),
    "nothing is run → gate-weakened:4": scripts({ test: "«vitest run→echo ok»" }),
    "a step is gone → gate-weakened:4": scripts({ check: "«tsc --noEmit && →»eslint ." }),
    "a step is gone through another script → gate-weakened:4": [
      scripts({ check: "npm run lint && npm test", lint: "eslint .", test: "vitest run" }),
      scripts({ check: "npm test", lint: "eslint .", test: "vitest run" }),
    ],
    "the script is gone → gate-weakened": [
      scripts({ test: "vitest run", build: "x" }),
      scripts({ build: "x" }),
    ],
    "only some tests are run → test-excluded:4": scripts({ test: "vitest run«→ test/unit»" }),
    "only some of them → test-excluded:4": scripts({ test: "pytest tests«→/unit»" }),
    "go: only one package → test-excluded:4": scripts({ test: "go test ./«→cart/»..." }),
    "a filter → test-excluded:4": scripts({ test: "vitest run«→ -t adds»" }),
    "files left out → test-excluded:4": scripts({ test: "jest«→ --testPathIgnorePatterns=cart»" }),
    "more warnings are fine → threshold-loosened:4": scripts({
      lint: "eslint . --max-warnings «0→50»",
    }),
    "the limit is gone → threshold-loosened:4": scripts({ lint: "eslint .« --max-warnings=0→»" }),
    "less coverage is fine → threshold-loosened:4": scripts({
      test: "pytest --cov-fail-under=«90→50»",
    }),
    "a reporter": scripts({ test: "vitest run«→ --reporter dot»" }),
    "a config file": scripts({ test: "jest«→ --config config/jest.config.js»" }),
    "another runner": scripts({ test: "«jest→vitest run»" }),
    "a step more": scripts({ check: "eslint .«→ && tsc --noEmit»" }),
    "steps became scripts": [
      scripts({ check: "eslint . && tsc" }),
      scripts({ check: "npm run lint && npm run types", lint: "eslint .", types: "tsc" }),
    ],
    "steps run side by side": [
      scripts({ check: "eslint . && tsc" }),
      scripts({ check: "run-p lint types", lint: "eslint .", types: "tsc" }),
    ],
    "a script was renamed": [
      scripts({ unit: "vitest run" }),
      scripts({ "test:unit": "vitest run" }),
    ],
    wider: scripts({ test: "vitest run test«/unit→»" }),
    "cleaning up may fail": scripts({ clean: "rm -r x«→ || true»" }),
    "a server may be gone": scripts({ test: "vitest run«→ && (docker stop test || true)»" }),
    "no script of a gate": scripts({ start: "node «a.js→b.js»" }),
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

  alarmsAt({
    ".github/workflows/ci.yml: a job may fail → gate-weakened:3": CI.replace(
      "    steps",
      "«    steps→    continue-on-error: true\n    steps»",
    ),
    ".github/workflows/ci.yml: a step may fail → gate-weakened:5": CI.replace(
      "test\n      -",
      "«test\n      -→test\n        continue-on-error: true\n      -»",
    ),
    ".github/workflows/ci.yml: a step swallows its failure → gate-weakened:4": CI.replace(
      "npm test",
      "«npm test→npm test || true»",
    ),
    ".github/workflows/ci.yml: a check is gone → gate-weakened": CI.replace(
      "      - run: npm run lint\n",
      "«      - run: npm run lint\n→»",
    ),
    ".github/workflows/ci.yml: checks became scripts of other names": CI.replace(
      "npm test",
      "«npm test→npm run unit»",
    ),
    ".github/workflows/ci.yml: another version of node": [`${CI}# node 20\n`, `${CI}# node 22\n`],
    ".github/workflows/ci.yml: an experiment may fail": CI.replace(
      "    steps",
      "«    steps→    continue-on-error: ${{ matrix.experimental }}\n    steps»",
    ),
    ".gitlab-ci.yml: gitlab → gate-weakened:2": [
      "test:\n  script:\n    - pytest\n",
      "test:\n  allow_failure: true\n  script:\n    - pytest\n",
    ],
    "Makefile: make ignores a failure → gate-weakened:2": [
      "test:\n\tgo test ./...\n",
      "test:\n\t-go test ./...\n",
    ],
    "Makefile: make swallows a failure → gate-weakened:2": [
      "test:\n\tgo test ./...\n",
      "test:\n\tgo test ./... || true\n",
    ],
    "Makefile: make runs less → gate-weakened": [
      "check:\n\tgolangci-lint run\n\tgo test ./...\n",
      "check:\n\tgo test ./...\n",
    ],
    "Makefile: make has a new target": [
      "test:\n\tgo test ./...\n",
      "test:\n\tgo test ./...\n\nclean:\n\t-rm x\n",
    ],
    "scripts/check.sh: a script goes on after a failure → gate-weakened": [
      "set -euo pipefail\ntsc\nvitest run\n",
      "tsc\nvitest run\n",
    ],
    "scripts/check.sh: a script swallows a failure → gate-weakened:2": [
      "set -e\npytest\n",
      "set -e\npytest || true\n",
    ],
    "scripts/find.sh: a script looks for something": ["set -e\n", "set -e\ngrep test x || true\n"],
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
