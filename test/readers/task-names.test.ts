import { array, assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";

import { ORDINARY, REPOSITORY, WORKS_FROM_NOTHING } from "./task-texts.ts";
import { inputSignals, namedChecks, namedFiles } from "../../src/readers/task-text/task-names.ts";

const PATHS = [
  "README.md",
  "package.json",
  "src/cart.ts",
  "src/shared/utils.ts",
  "src/cart/utils.ts",
  "src/order/utils.ts",
  "src/cart/price.ts",
  "lib/price.ts",
  "packages/a/package.json",
  "packages/b/package.json",
  "packages/a/src/main.py",
  "packages/b/src/main.py",
  "docs/api.md",
  "tools/report.py",
  "test/cart.test.ts",
];

function signalsOf(text: string): readonly string[] {
  return inputSignals(text, PATHS).map(({ signal, subject }) => `${signal} ${subject}`);
}

test.each([
  ["the name of three files", "Fix `utils.ts`.", ["ambiguous_target utils.ts"]],
  ["the end of two paths", "Refactor `src/main.py`.", ["ambiguous_target src/main.py"]],
  ["a name of which one is at the top", "Read `package.json`.", []],
  ["the name of one file", "Fix `cart.ts`.", []],
])("an input that is %s", (_what, text, signals) => {
  expect(signalsOf(text)).toEqual(signals);
});

describe("an input that does not exist is missing", () => {
  test.each([
    ["a path in a code span", "Fix the crash in `src/parser.ts`.", "src/parser.ts"],
    ["a path with a line", "See `src/parser.ts:12` for the bug.", "src/parser.ts"],
    ["a path from the root of the tree", "Fix `./src/parser.ts` please.", "src/parser.ts"],
    ["an input beside an output", "Create `a.md` from `notes/raw.md`.", "notes/raw.md"],
    ["a file in another folder", "Fix `src/price.ts`.", "src/price.ts"],
  ])("%s", (_what, text, path) => {
    expect(signalsOf(text)).toEqual([`missing_files ${path}`]);
  });
});

test("no ordinary task is questioned for the files that it names", () => {
  const questioned = ORDINARY.filter((text) => inputSignals(text, REPOSITORY).length > 0);
  expect([ORDINARY.length, questioned]).toEqual([60, []]);
});

test.each(WORKS_FROM_NOTHING)("%s: %s is missing", (text, subject) => {
  expect(inputSignals(text, REPOSITORY).map((signal) => signal.subject)).toEqual([subject]);
});

describe("no alarm for", () => {
  test.each([
    ["a file that exists", "Fix the crash in `src/cart.ts`."],
    ["a full path, though its name is common", "Fix `src/cart/utils.ts`."],
    ["a name that the root holds itself", "Bump the version in `package.json`."],
    ["the end of a path", "Fix `cart/price.ts`."],
    ["a file to create", "Create `src/new.ts` with the type."],
    ["a file that is to be generated", "`schema.json` is generated from the types."],
    ["a file that should exist afterwards", "`CHANGES.md` should list every change."],
    ["what a heading asks for", "## Deliver\n- `docs/guide.md`\n- `docs/faq.md`"],
    ["a file that is made first and changed later", "Create `a.md`. Then edit `a.md`."],
    ["the end of a move", "Move `src/cart.ts` to `src/shop.ts`."],
    ["an example", "Accept paths such as `foo/bar.ts`."],
    ["a file that must not be there", "The build must work without `local.json`."],
    ["an absent file", "It crashes because `settings.json` does not exist."],
    ["sample code", "Run:\n```\ncat src/none.ts\n```\nand fix it."],
    ["a path outside of backticks", 'Refactor src/parser.ts and read "data/prices.csv".'],
    ["a web address", "Read `https://example.com/spec/rules.md` first."],
    [
      "a place outside the tree",
      "Read `/etc/app/rules.json` and `~/notes.md` and `../other/a.ts`.",
    ],
    ["a glob", "Fix `src/**/*.ts` and `src/{a,b}.ts`."],
    ["a member", "Remove every `console.log` and read `process.env` once."],
    ["built files", "Run `node dist/main.js` and read `node_modules/x/index.js`."],
    ["private settings", "The key is in `.env` or `config/.env.local`."],
    ["nothing", ""],
  ])("%s", (_what, text) => {
    expect(signalsOf(text)).toEqual([]);
  });
});

test("files are named that the work should leave there, and none in passing", () => {
  const named = ORDINARY.flatMap(namedFiles);
  expect(named.length).toBeGreaterThan(60);
  const text = "Add `src/new.ts`; `new.test.ts` shows it. Accept paths such as `foo/bar.ts`.";
  expect(namedFiles(`${text} It must work without \`local.json\` and \`dist/x.js\`.`)).toEqual([
    "src/new.ts",
    "new.test.ts",
  ]);
});

describe("whatever the task says", () => {
  const PIECES = constantFrom(
    "`utils.ts`",
    "src/x.ts",
    "create",
    "fix",
    "```",
    "<!--",
    "## Deliver",
    "- ",
    "\n",
    ". ",
    "\0",
    "\ud800",
    "a/".repeat(50),
  );

  test("every alarm names a reference of the text, once", () => {
    assert(
      property(array(PIECES, { maxLength: 60 }), (pieces) => {
        const text = pieces.join(" ");
        const signals = inputSignals(text, PATHS);
        const keys = signals.map(({ signal, subject }) => `${signal} ${subject}`);
        expect(new Set(keys).size).toBe(keys.length);
        expect(signals.filter(({ subject }) => !text.includes(subject))).toEqual([]);
      }),
    );
  });

  test("a path that exists is never missing", () => {
    assert(
      property(constantFrom(...PATHS), string(), (path, around) => {
        expect(signalsOf(`${around} \n fix \`${path}\``)).not.toContain(`missing_files ${path}`);
      }),
    );
  });

  test.each([
    ["one long path", `fix ${"a/".repeat(500_000)}b.ts`],
    ["many dots", `fix \`${".".repeat(1_000_000)}ts\``],
    ["spaces", `fix${" ".repeat(1_000_000)}\`x\``],
  ])("a megabyte of %s is read to an end", (_what, text) => {
    expect(inputSignals(text, PATHS).length).toBeLessThan(200);
  });
});

test.each<[string, string, readonly string[], readonly string[]]>([
  [
    "by its own name",
    "Make `adds two numbers` pass.",
    ["cart > adds two numbers"],
    ["cart > adds two numbers"],
  ],
  ["in any case", "ADDS TWO NUMBERS is red", ["adds two numbers"], ["adds two numbers"]],
  ["none that it does not name", "Mend the cart.", ["cart > adds two numbers"], []],
  ["none by a name that is hardly one", "a b c", ["a", "cart > b"], []],
])("the text of a task names checks: %s", (_name, body, checks, named) => {
  expect(namedChecks(body, checks)).toEqual(named);
});
