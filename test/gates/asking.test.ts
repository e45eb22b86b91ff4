import { describe, expect, test } from "vitest";

import { askForReport } from "../../src/readers/tools/asking.ts";

const SCRIPTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/w": {
    test: "vitest run",
    unit: "npm run test",
    again: "npm run again",
    own: "yarn test",
    both: "tsc && vitest run",
    more: "vitest run && tsc",
    json: "vitest run --reporter=json",
    swallowed: "vitest run || true",
    jest: "cross-env CI=1 jest",
    lint: "eslint .",
  },
  "/w/web": { test: "mocha" },
};

function ask(line: string, env: Readonly<Record<string, string>> = {}) {
  return askForReport({
    line,
    cwd: "/w",
    env,
    scriptsIn: (folder) => SCRIPTS[folder] ?? {},
    report: "/r/test.report",
  });
}

const V = "--reporter=default --reporter=json --outputFile.json=/r/test.report.json";
const J = "--json --outputFile=/r/test.report.json";

describe("words for the runner stand where they reach it", () => {
  test.each([
    ["vitest run", `vitest run ${V}`],
    ["npx vitest run", `npx vitest run ${V}`],
    ["node_modules/.bin/vitest run", `node_modules/.bin/vitest run ${V}`],
    ["A=b CI=1 vitest run", `A=b CI=1 vitest run ${V}`],
    ["npm test", `npm test -- ${V}`],
    ["npm run test -- cart", `npm run test -- cart ${V}`],
    ["npm run -s unit", `npm run -s unit -- -- ${V}`],
    ["yarn test", `yarn test ${V}`],
    ["pnpm run test", `pnpm run test ${V}`],
    ["npm run own", `npm run own -- ${V}`],
    ["npm run both", `npm run both -- ${V}`],
    [
      "npm run lint && npm test && npm run build",
      `npm run lint && npm test -- ${V} && npm run build`,
    ],
    ["npm run jest", `npm run jest -- ${J}`],
    [
      "node --experimental-vm-modules node_modules/jest/bin/jest.js",
      `node --experimental-vm-modules node_modules/jest/bin/jest.js ${J}`,
    ],
    ["c8 --all vitest run", `c8 --all vitest run ${V}`],
    ["cd web && npx jest", `cd web && npx jest ${J}`],
    [
      "python3 -m pytest -q",
      "python3 -m pytest -q --junitxml=/r/test.report.xml -o junit_family=xunit1",
    ],
    ["vendor/bin/phpunit", "vendor/bin/phpunit --log-junit /r/test.report.xml"],
  ])("%s", (line, asked) => {
    expect(ask(line).line).toBe(asked);
  });
});

describe("a command stays as it is", () => {
  test.each([
    ["whose output goes through a pipe", "vitest run | cat", "vitest"],
    ["that has a way out", "vitest run || true", "vitest"],
    ["that is followed whatever it says", "vitest run; echo done", "vitest"],
    ["that goes to the background", "vitest run &", "vitest"],
    ["that names its reporter", "vitest run --reporter=dot", "vitest"],
    ["whose script names its reporter", "npm run json", "vitest"],
    ["whose script goes on after it", "npm run more", "vitest"],
    ["whose script has a way out", "npm run swallowed", "vitest"],
    ["whose runner is not read", "python -m unittest discover", null],
    ["in a script of its own", 'bash -c "vitest run"', "vitest"],
    ["in a subshell", "(cd web && vitest run)", "vitest"],
    ["that runs two runners", "vitest run && jest", "jest"],
    ["in a container", "docker compose run web vitest run", "vitest"],
    ["whose options npm would take", "npm exec vitest run", "vitest"],
    ["without a script", "npm run missing", null],
    ["whose script calls itself", "npm run again", null],
    ["that retells them in other words", "tape test/*.js | tap-spec", null],
    ["of a compiler", "tsc --noEmit && npm run lint", null],
    ["that builds tests and runs none", "cargo test --no-run", null],
    ["that may run tests", "mvn package", null],
    ["whose text says it all", "mocha", "mocha"],
    ["of Node's runner", "node --test test/", "node:test"],
    ["that is no shell line", "'((", null],
  ])("%s", (_what, line, runner) => {
    expect(ask(line)).toMatchObject({ line, env: {}, runner });
  });
});

describe("variables are added to what they are", () => {
  test.each<[line: string, before: Readonly<Record<string, string>>, added: object]>([
    ["go test ./...", {}, { GOFLAGS: "-v" }],
    ["go vet ./... && go test ./...", { GOFLAGS: "-mod=mod" }, { GOFLAGS: "-mod=mod -v" }],
    ["go test -v ./...", {}, {}],
    ["GOFLAGS=-race go test ./...", {}, {}],
    [
      "pytest | tee log",
      { PYTEST_ADDOPTS: "-q" },
      { PYTEST_ADDOPTS: "-q --junitxml=/r/test.report.xml -o junit_family=xunit1" },
    ],
  ])("%s", (line, before, added) => {
    expect(ask(line, before)).toMatchObject({ line, env: added });
  });
});

test("a path with blanks and quotes stays one word", () => {
  const asked = askForReport({
    line: "pytest",
    cwd: "/w",
    env: {},
    scriptsIn: () => ({}),
    report: "/it's here/r",
  });
  expect(asked.line).toBe("pytest '--junitxml=/it'\\''s here/r.xml' -o junit_family=xunit1");
});

test("Maven and Gradle write reports anyway", () => {
  expect(ask("./mvnw -q verify").reports.map(({ file }) => file)).toEqual([
    "**/target/surefire-reports/TEST-*.xml",
    "**/target/failsafe-reports/TEST-*.xml",
  ]);
  expect(ask("./gradlew :app:test").reports.map(({ file }) => file)).toEqual([
    "**/build/test-results/**/TEST-*.xml",
  ]);
});

test("a long command is read in no more time than it takes", () => {
  for (const line of ["npm test && ".repeat(20_000), "vitest ".repeat(20_000), "(".repeat(9_000)])
    expect(ask(line)).toMatchObject({ line, env: {} });
});
