import { describe, expect, test } from "vitest";

import { checkEach, alarmsIn } from "./tamper-change.ts";

const ADDS = 'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n';

describe("a mark that lets only some tests run", () => {
  checkEach({
    "test/a.test.ts: only → test-focused:1": ADDS.replace("it(", "it«→.only»("),
    "test/a.test.ts: of a table → test-focused:1": "it«→.only».each([1])('%s', f);\n",
    "test/a.test.ts: side by side → test-focused:1": "it.concurrent«→.only»('x', f);\n",
    "test/a.test.ts: fit → test-focused:1": ADDS.replace("it(", "«→f»it("),
    "test/a.test.ts: a suite → test-focused:1": "«→f»describe('x', f);\n",
    "test/a.test.ts: as an option → test-focused:1": "test('x', «→{ only: true }, »f);\n",
    "src/round.check.mjs: beside the code → test-focused:2":
      'import { test } from "node:test";\ntest«→.only»("x", f);\n',
    "src/round.check.mjs: mocha by require → test-focused:2":
      'const { it } = require("mocha");\nit«→.only»("x", f);\n',
    "spec/a_spec.rb: rspec → test-focused:1": 'it "adds"«→, focus: true» do\nend\n',
    "spec/b_spec.rb: rspec by name → test-focused:1": '«→f»describe "adds" do\nend\n',
    "a_test.go: ginkgo → test-focused:1": 'var _ = «→F»Describe("x", f)\n',
    "ATest.java: an annotation → test-focused:1": "«→@Focus »@Test void adds() {}\n",
    "test/a.test.ts: that was there": ["it.only('x', f);\n", "a();\nit.only('x', f);\n"],
    "test/a.test.ts: that is gone": "it«.only→»('x', f);\n",
    "test/a.test.ts: in a comment": `«→// it.only("adds") would be wrong\n»${ADDS}`,
    "test/a.test.ts: in a string": `«→const text = 'it.only("adds")';\n»${ADDS}`,
    "test/a.test.ts: behind a regular expression": `«→const r = /["'\`]/;\nconst s = "it.only(";\n»${ADDS}`,
    "test/a.test.ts: a query with only": `${ADDS}«→const rest = query.only("id");\n»`,
    "test/a.test.ts: an option of what is tested":
      "it('x', () => {\n«→  contain(a, b, { only: true });\n»});\n",
    "src/fit.ts: outside of tests": "«→fit(model);\n»",
    "test/fixtures/a.test.ts: of a fixture": "it«→.only»('x', f);\n",
  });

  test("it may move with its test", () => {
    const text = "it.only('x', f);\n";
    expect(alarmsIn({ "test/a.test.ts": [text, null], "test/b.test.ts": [null, text] })).toEqual(
      [],
    );
    expect(
      alarmsIn({ "test/a.test.ts": [text, text], "test/b.test.ts": [null, text.repeat(2)] }),
    ).toEqual(["test-focused:2"]);
  });
});
