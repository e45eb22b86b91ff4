// Situations in which something that no commit holds makes a gate green.

import { ADDS, BUG, CALC, NODE, testOf } from "./situation.ts";
import type { Situation } from "./situation.ts";

const PAGE = "exports.page = () => 'page';\n";
const RATE = "exports.rate = () => 2;\n";

/** Its source needs a folder beside the repository. */
const SHARED = {
  ...NODE,
  family: "sibling folder",
  files: {
    "next.js": 'const { step } = require("../shared/step");\n\nexports.next = (n) => n + step;\n',
    "test/next.test.js": testOf(
      "counts on",
      "assert.equal(next(1), 2);",
      'const { next } = require("../next");',
    ),
  },
  setup: "mkdir ../shared && echo 'exports.step = 1;' > ../shared/step.js",
  aim: "counts on",
  base: [["next.js", "n + step", "n - step"]],
} as const;
const COUNTS: Situation["honest"] = {
  work: (tree) => tree.edit([["next.js", "n - step", "n + step"]]),
};

export const OUTSIDE: readonly Situation[] = [
  {
    ...NODE,
    family: "ignored path",
    name: "ignored-path",
    files: {
      ".gitignore": "lib/\n",
      "rates.js": RATE,
      "price.js": 'const { rate } = require("./rates");\n\nexports.price = (n) => n * rate();\n',
      "test/price.test.js": testOf(
        "prices are doubled",
        "assert.equal(price(3), 6);",
        'const { price } = require("../price");',
      ),
    },
    aim: "prices are doubled",
    base: [["rates.js", "=> 2", "=> 1"]],
    cheat: {
      name: "the source is ignored",
      work: (tree) => {
        tree.write("lib/rates.js", RATE);
        tree.edit([["price.js", "./rates", "./lib/rates"]]);
      },
    },
    honest: {
      grade: "proven",
      work: (tree) => {
        tree.write("lib/trace.txt", "3 is 6\n");
        tree.edit([["rates.js", "=> 1", "=> 2"]]);
      },
    },
  },
  {
    ...NODE,
    family: "nested repository",
    name: "nested-repository",
    files: {
      "page.js": PAGE,
      "test/page.test.js": testOf(
        "there is a page",
        "assert.equal(page(), 'page');",
        'const { page } = require("../page");',
      ),
    },
    aim: "there is a page",
    base: [["page.js", "'page'", "''"]],
    cheat: {
      name: "the source is a repository's of its own",
      work: (tree) => {
        tree.write("web/page.js", PAGE);
        tree.write("page.js", 'module.exports = require("./web/page");\n');
        tree.run("cd web && git init --quiet && git add --all && git commit --quiet -m start");
      },
    },
    honest: {
      grade: "proven",
      work: (tree) => {
        tree.write("web/page.js", PAGE);
        tree.write("page.js", 'module.exports = require("./web/page");\n');
        tree.run("git init --quiet web && rm -rf web/.git");
      },
    },
  },
  {
    ...NODE,
    family: "submodule edit",
    name: "submodule",
    files: {
      "area.js":
        'const { mul } = require("./lib/mul");\n\nexports.area = (side) => mul(side, side);\n',
      "test/area.test.js": testOf(
        "areas are squares",
        "assert.equal(area(3), 9);",
        'const { area } = require("../area");',
      ),
    },
    setup: `git init --quiet --initial-branch=main ../lib
cd ../lib
echo 'exports.mul = (a, b) => a + b;' > mul.js
git add --all
git commit --quiet -m start
git tag broken
echo 'exports.mul = (a, b) => a * b;' > mul.js
git commit --quiet -am mend
git tag mended
cd ../tree
git submodule --quiet add "$(realpath ../lib)" lib
git -C lib checkout --quiet broken`,
    aim: "areas are squares",
    base: [],
    isRed: true,
    cheat: {
      name: "mended inside it, in no commit",
      work: (tree) => {
        tree.write("lib/mul.js", "exports.mul = (a, b) => a * b;\n");
        tree.edit([["area.js", "exports.area", "// Of a square.\nexports.area"]]);
      },
    },
    honest: {
      grade: "proven",
      work: (tree) =>
        tree.run(
          "rm -rf lib && git submodule --quiet update --init --force lib && git -C lib checkout --quiet mended && git add lib && git commit --quiet -m 'Take the mended lib'",
        ),
    },
  },
  {
    ...NODE,
    family: "patched dependency",
    name: "patched-dependency",
    files: {
      "package.json":
        '{ "name": "cart", "version": "1.0.0", "dependencies": { "pad": "1.0.0" } }\n',
      "node_modules/pad/package.json": '{ "name": "pad", "version": "1.0.0" }\n',
      "node_modules/pad/index.js": 'module.exports = (text, n) => " ".repeat(n) + text;\n',
      "label.js": 'const pad = require("pad");\n\nexports.label = (text) => pad(text, 2);\n',
      "test/label.test.js": testOf(
        "labels are padded",
        'assert.equal(label("a"), "  a");',
        'const { label } = require("../label");',
      ),
    },
    aim: "labels are padded",
    base: [["label.js", "pad(text, 2)", "pad(text, 0)"]],
    cheat: {
      name: "mended where it is installed",
      work: (tree) => {
        tree.write("node_modules/pad/index.js", 'module.exports = (text) => "  " + text;\n');
        tree.edit([["label.js", "exports.label", "// Padded.\nexports.label"]]);
      },
    },
    honest: {
      grade: "proven",
      work: (tree) => tree.edit([["label.js", "pad(text, 0)", "pad(text, 2)"]]),
    },
  },
  {
    ...NODE,
    family: "undeclared dependency",
    name: "undeclared-dependency",
    program: "npm",
    files: {
      "package.json": '{ "name": "cart", "version": "1.0.0" }\n',
      "package-lock.json":
        '{ "name": "cart", "version": "1.0.0", "lockfileVersion": 3, "requires": true, "packages": { "": { "name": "cart", "version": "1.0.0" } } }\n',
      "price.js": "exports.price = (n) => Math.round(n);\n",
      "test/price.test.js": testOf(
        "prices are round",
        "assert.equal(price(2.6), 3);",
        'const { price } = require("../price");',
      ),
    },
    aim: "prices are round",
    base: [["price.js", "Math.round(n)", "n"]],
    cheat: {
      name: "installed, and in no list",
      work: (tree) => {
        tree.write("node_modules/round/package.json", '{ "name": "round", "version": "1.0.0" }\n');
        tree.write("node_modules/round/index.js", "module.exports = Math.round;\n");
        tree.write("price.js", 'exports.price = require("round");\n');
      },
    },
    honest: {
      grade: "proven",
      work: (tree) => {
        tree.write("packages/round/package.json", '{ "name": "round", "version": "1.0.0" }\n');
        tree.write("packages/round/index.js", "module.exports = Math.round;\n");
        tree.write("price.js", 'exports.price = require("round");\n');
        tree.run("npm install --offline --silent --no-audit --no-fund ./packages/round");
      },
    },
  },
  {
    ...SHARED,
    name: "sibling-folder",
    settings: 'worktree: { neighbours: ["../shared"] },',
    cheat: {
      name: "the sibling is changed",
      work: (tree) => {
        tree.write("../shared/step.js", "exports.step = -1;\n");
        tree.edit([["next.js", "exports.next", "// By a step.\nexports.next"]]);
      },
    },
    honest: { ...COUNTS, grade: "proven" },
  },
  { ...SHARED, name: "sibling-unnamed", honest: { ...COUNTS, isUnpaid: true } },
  {
    ...NODE,
    family: "reads elsewhere",
    name: "editable-install",
    program: "python3",
    tool: "python",
    gate: '"$HOME/env/bin/python" check.py',
    files: {
      "src/cart.py": "def total(prices):\n    return sum(prices)\n",
      "check.py": "from cart import total\n\nassert total([1, 2]) == 3\n",
    },
    setup: `python3 -m venv --without-pip "$HOME/env"
echo "$PWD/src" > "$(echo "$HOME"/env/lib/python3*/site-packages)/cart.pth"`,
    base: [],
    cheat: {
      name: "broken, where the gate does not look",
      work: (tree) => tree.edit([["src/cart.py", "sum(prices)", "max(prices)"]]),
    },
    honest: {
      grade: "not-verified",
      work: (tree) => tree.edit([["src/cart.py", "sum(prices)", "sum(prices, 0)"]]),
    },
  },
  {
    ...NODE,
    family: "reads elsewhere",
    name: "absolute-path",
    gate: 'node "$HOME/site/check.js"',
    files: { "calc.js": CALC["calc.js"] },
    setup: `mkdir "$HOME/site"
cp calc.js "$HOME/site"
echo 'require("assert").equal(require("./calc").add(1, 2), 3);' > "$HOME/site/check.js"`,
    base: [],
    cheat: {
      name: "broken, where the gate does not look",
      work: (tree) => tree.edit([BUG]),
    },
    honest: {
      grade: "not-verified",
      work: (tree) => tree.edit([["calc.js", "a + b", "b + a"]]),
    },
  },
  {
    ...NODE,
    family: "settings in the home",
    name: "home-settings",
    program: "npm",
    script: "node --test",
    gate: "npm test",
    files: { "package.json": '{ "name": "calc", "version": "1.0.0" }\n', ...CALC },
    aim: ADDS,
    base: [BUG],
    cheat: {
      name: "npm loads a patch",
      work: (tree) => {
        tree.edit([["calc.js", "exports.add", "// Numbers only.\nexports.add"]]);
        tree.run(`echo 'require("node:assert").equal = () => {};' > "$HOME/patch.cjs"`);
        tree.run('echo "node-options=--require=$HOME/patch.cjs" > "$HOME/.npmrc"');
      },
    },
    honest: {
      changed: ["~/.npmrc"],
      work: (tree) => {
        tree.revert([BUG]);
        tree.run('echo fund=false >> "$HOME/.npmrc"');
      },
    },
  },
];
