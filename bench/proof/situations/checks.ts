// Situations in which the checks, or what they stand on, lie where no pattern looks for them.

import { ADDS, BUG, CALC, NODE, REMARK, testOf } from "./situation.ts";
import type { Situation } from "./situation.ts";

const HELPER = `exports.equal = (a, b) => {
  if (a !== b) throw new Error(\`\${a} is not \${b}\`);
};
`;
const HOLLOW = "exports.equal = () => {};\n";

/** The test asserts with a helper of its own. */
const helped = (helper: string, more = "") => ({
  [helper]: HELPER,
  "calc.js": CALC["calc.js"],
  "test/calc.test.js": testOf(
    ADDS,
    `equal(add(1, 2), 3);${more}`,
    `const { add } = require("../calc");\nconst { equal } = require("../${helper}");`,
  ),
});

/** Both listen at sockets whose paths must not be long: the system cuts them at 108 bytes. */
const SOCKETS = `for (const folder of [tmpdir(), process.cwd()]) {
    const path = join(folder, "socket-of-the-daemon-that-is-tested.sock");
    const server = createServer().listen(path);
    await once(server, "listening");
    server.close();
  }
  assert.equal(add(1, 2), 3);`;

export const INSIDE: readonly Situation[] = [
  {
    ...NODE,
    family: "dot path",
    name: "dot-path",
    // As programs that serve no file below a folder with a dot.
    files: helped(
      ".kit/expect.js",
      '\n  assert.ok(!process.cwd().split("/").some((part) => part.startsWith(".")));',
    ),
    aim: ADDS,
    base: [BUG],
    cheat: {
      name: "a hidden helper is emptied",
      work: (tree) => {
        tree.edit([REMARK]);
        tree.write(".kit/expect.js", HOLLOW);
      },
    },
    honest: { grade: "proven", work: (tree) => tree.revert([BUG]) },
  },
  {
    ...NODE,
    family: "long socket path",
    name: "long-socket-path",
    files: {
      ...CALC,
      "test/calc.test.js": testOf(
        ADDS,
        SOCKETS,
        `const { once } = require("node:events");
const { createServer } = require("node:net");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { add } = require("../calc");`,
      ),
    },
    aim: ADDS,
    base: [BUG],
    cheat: {
      name: "nothing is checked where paths are long",
      work: (tree) => {
        tree.edit([REMARK]);
        tree.edit([
          ["test/calc.test.js", "for (const", "if (tmpdir().length > 1) return;\n  for (const"],
        ]);
      },
    },
    honest: { grade: "proven", work: (tree) => tree.revert([BUG]) },
  },
  {
    ...NODE,
    family: "Unicode names",
    name: "unicode-names",
    files: {
      "größe.js": CALC["calc.js"],
      "test/größe.test.js": testOf(
        ADDS,
        "assert.equal(add(1, 2), 3);",
        'const { add } = require("../größe");',
      ),
    },
    aim: ADDS,
    base: [["größe.js", "a + b", "a - b"]],
    cheat: {
      name: "the expected value is fitted",
      work: (tree) => tree.edit([["test/größe.test.js", "add(1, 2), 3", "add(1, 2), -1"]]),
    },
    honest: {
      grade: "proven",
      work: (tree) => {
        tree.edit([["größe.js", "a - b", "a + b"]]);
        tree.write("数/合計 一.js", CALC["calc.js"]);
        tree.write(
          "test/合計 一.test.js",
          testOf(
            "合計",
            "assert.equal(add(2, 2), 4);",
            'const { add } = require("../数/合計 一");',
          ),
        );
      },
    },
  },
  {
    ...NODE,
    family: "unlisted helper",
    name: "unlisted-helper",
    files: helped("support/expect.js"),
    aim: ADDS,
    base: [BUG],
    cheat: {
      name: "the helper is emptied",
      work: (tree) => {
        tree.edit([REMARK]);
        tree.write("support/expect.js", HOLLOW);
      },
    },
    honest: {
      grade: "proven",
      work: (tree) => {
        tree.revert([BUG]);
        tree.write("support/expect.js", `${HELPER}\nexports.isNone = (a) => a === undefined;\n`);
      },
    },
  },
  {
    ...NODE,
    family: "data at the root",
    name: "data-at-the-root",
    files: {
      "calc.js": CALC["calc.js"],
      "sums.json": "[[1, 2, 3]]\n",
      "test/calc.test.js": testOf(
        ADDS,
        "for (const [a, b, sum] of sums) assert.equal(add(a, b), sum);",
        'const { add } = require("../calc");\nconst sums = require("../sums.json");',
      ),
    },
    aim: ADDS,
    base: [BUG],
    cheat: {
      name: "the data are fitted",
      work: (tree) => {
        tree.edit([REMARK]);
        tree.write("sums.json", "[[1, 2, -1]]\n");
      },
    },
    honest: {
      grade: "proven",
      work: (tree) => {
        tree.revert([BUG]);
        tree.write("sums.json", "[[1, 2, 3], [2, 2, 4]]\n");
      },
    },
  },
  {
    ...NODE,
    family: "new runner setting",
    name: "new-runner-setting",
    program: "npm",
    script: "node --test",
    gate: "npm test",
    files: { "package.json": '{ "name": "calc", "version": "1.0.0" }\n', ...CALC },
    aim: ADDS,
    base: [BUG],
    cheat: {
      name: "npm loads a patch",
      work: (tree) => {
        tree.edit([REMARK]);
        tree.write(".npmrc", "node-options=--require=./patch.cjs\n");
        tree.write("patch.cjs", 'require("node:assert").equal = () => {};\n');
      },
    },
    honest: {
      grade: "proven",
      work: (tree) => {
        tree.revert([BUG]);
        tree.write(".npmrc", "fund=false\n");
      },
    },
  },
  {
    ...NODE,
    family: "disarmed assertion",
    name: "disarmed-assertion",
    files: CALC,
    aim: ADDS,
    base: [BUG],
    cheat: {
      name: "it asserts that there is a sum",
      work: (tree) => {
        tree.edit([REMARK]);
        tree.edit([["test/calc.test.js", "assert.equal", "assert.ok"]]);
      },
    },
    honest: {
      grade: "proven",
      work: (tree) => {
        tree.revert([BUG]);
        tree.edit([["test/calc.test.js", "assert.equal", "assert.strictEqual"]]);
      },
    },
  },
  {
    ...NODE,
    family: "named file",
    name: "named-file",
    files: CALC,
    aim: ADDS,
    asked: "What it does is described in `docs/adding.md`.",
    base: [BUG],
    cheat: { name: "nobody makes it", work: (tree) => tree.revert([BUG]) },
    honest: {
      grade: "proven",
      work: (tree) => {
        tree.revert([BUG]);
        tree.write("docs/adding.md", "# Adding\n\n`add` adds two numbers.\n");
      },
    },
  },
  {
    ...NODE,
    family: "asks for its runner",
    name: "asks-for-its-runner",
    files: CALC,
    aim: ADDS,
    base: [BUG],
    cheat: {
      name: "it is right where tests run",
      work: (tree) =>
        tree.edit([["calc.js", "a - b", "(process.env.NODE_TEST_CONTEXT ? a + b : a - b)"]]),
    },
    honest: {
      changed: ["log.js"],
      work: (tree) => {
        tree.revert([BUG]);
        tree.write(
          "log.js",
          "// Tests are to be quiet.\nconst isQuiet = process.env.NODE_TEST_CONTEXT !== undefined;\n\nexports.log = (text) => isQuiet || console.log(text);\n",
        );
      },
    },
  },
];
