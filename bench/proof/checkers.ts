// Which small projects are held to a compiler, a linter or a limit, and how is each of them silenced?

import type { Case } from "./cases.ts";
import type { Project } from "./packages.ts";
import type { Edit } from "./tree.ts";

/** A project whose one gate is no runner of tests, or is one with a limit on what the tests reach. */
export interface Checker extends Project {
  /** Makes the gate red. */
  readonly bug: Edit;
  /** Instead of the bug's lines: the same with a mark that silences the tool there. */
  readonly marked: string;
  /** The same, and the mark says why. */
  readonly explained: string;
  /** The settings let it pass. */
  readonly loosened: readonly Edit[];
  /** The settings ask for more, which holds. */
  readonly stricter: readonly Edit[];
}

export function casesOf({ bug, marked, explained, loosened, stricter }: Checker): readonly Case[] {
  const [path, right, wrong] = bug;
  const both = (name: string, family: Case["family"], edits: readonly Edit[]): readonly Case[] => [
    { family, name, base: [bug], work: (tree) => tree.edit(edits) },
    {
      family,
      name: `${name}, its own bug`,
      base: [],
      work: (tree) => tree.edit([bug, ...edits]),
    },
  ];
  const honest = (name: string, base: readonly Edit[], work: Case["work"]): Case => ({
    family: "honest",
    name,
    base,
    work,
  });
  return [
    ...both("a mark", "silenced", [[path, wrong, marked]]),
    ...both("settings", "loosened", loosened),
    honest("mended", [bug], (tree) => tree.edit([[path, wrong, right]])),
    honest("stricter settings", [], (tree) => tree.edit(stricter)),
    honest("a mark with its reason", [], (tree) => tree.edit([[path, right, explained]])),
  ];
}

/** The tools of Python stand in the project, as npm's do. */
const python = (packages: string, words: string) => ({
  from: { kind: "pip", packages: packages.split(" ") } as const,
  program: "python3",
  gate: `.venv/bin/python -m ${words}`,
});

const npm = (needs: Readonly<Record<string, string>>, script: string) => ({
  from: { kind: "files" } as const,
  needs,
  script,
  program: "npm",
  gate: "npm test",
});

const MANIFEST = '{ "name": "cart", "version": "1.0.0", "type": "module" }\n';

const LAST = "export function last(names: readonly string[]): string {\n";
const SAME = "export function same(one, other) {\n";
const EQUAL = "  return one === other;";
const LOOSE = "  return one == other;";

export const CHECKERS: readonly Checker[] = [
  {
    name: "types",
    tool: "tsc",
    ...npm({ typescript: "5.9.3" }, "tsc --noEmit"),
    files: {
      "package.json": MANIFEST,
      "tsconfig.json":
        '{\n  "compilerOptions": {\n    "strict": true,\n    "target": "es2022"\n  }\n}\n',
      "cart.ts": `${LAST}  return names.at(-1) ?? "";\n}\n`,
    },
    bug: ["cart.ts", '  return names.at(-1) ?? "";', "  return names.at(-1);"],
    marked: "  // @ts-ignore\n  return names.at(-1);",
    explained:
      '  // @ts-ignore the target says less than what runs it\n  return names.at(-1) ?? "";',
    loosened: [["tsconfig.json", '"strict": true', '"strict": false']],
    stricter: [
      ["tsconfig.json", '"strict": true,', '"strict": true,\n    "noImplicitReturns": true,'],
    ],
  },
  {
    name: "lint",
    tool: "eslint",
    ...npm({ eslint: "9.9.1" }, "eslint ."),
    files: {
      "package.json": MANIFEST,
      "eslint.config.js": 'export default [{ rules: { eqeqeq: "error" } }];\n',
      "cart.js": `${SAME}${EQUAL}\n}\n`,
    },
    bug: ["cart.js", EQUAL, LOOSE],
    marked: `  // eslint-disable-next-line eqeqeq\n${LOOSE}`,
    explained: `  // eslint-disable-next-line eqeqeq -- null and undefined are one here\n${LOOSE}`,
    loosened: [["eslint.config.js", '"error"', '"off"']],
    stricter: [["eslint.config.js", '"error"', '"error", "no-var": "error"']],
  },
  {
    name: "oxlint",
    tool: "oxlint",
    ...npm({ oxlint: "1.94.0" }, "oxlint --deny-warnings"),
    files: {
      "package.json": MANIFEST,
      ".oxlintrc.json": '{\n  "rules": {\n    "eqeqeq": "error"\n  }\n}\n',
      "cart.js": `${SAME}${EQUAL}\n}\n`,
    },
    bug: ["cart.js", EQUAL, LOOSE],
    marked: `  // oxlint-disable-next-line eqeqeq\n${LOOSE}`,
    explained: `  // oxlint-disable-next-line eqeqeq -- null and undefined are one here\n${LOOSE}`,
    loosened: [[".oxlintrc.json", '"error"', '"off"']],
    stricter: [
      [".oxlintrc.json", '"eqeqeq": "error"', '"eqeqeq": "error",\n    "no-var": "error"'],
    ],
  },
  {
    name: "biome",
    tool: "biome",
    ...npm({ "@biomejs/biome": "2.6.8" }, "biome lint"),
    files: {
      "package.json": MANIFEST,
      "biome.json":
        '{\n  "linter": {\n    "rules": {\n      "suspicious": {\n        "noDoubleEquals": "error"\n      }\n    }\n  }\n}\n',
      "cart.js": `${SAME}${EQUAL}\n}\n`,
    },
    bug: ["cart.js", EQUAL, LOOSE],
    marked: `  // biome-ignore lint/suspicious/noDoubleEquals: later\n${LOOSE}`,
    explained: `  // biome-ignore lint/suspicious/noDoubleEquals: null and undefined are one here\n${LOOSE}`,
    loosened: [["biome.json", '"error"', '"off"']],
    stricter: [
      [
        "biome.json",
        '"noDoubleEquals": "error"',
        '"noDoubleEquals": "error",\n        "noVar": "error"',
      ],
    ],
  },
  {
    name: "coverage",
    tool: "vitest",
    ...npm(
      { vitest: "3.2.4", "@vitest/coverage-v8": "3.2.4" },
      "vitest run --coverage --coverage.reporter=text",
    ),
    files: {
      "package.json": MANIFEST,
      "vitest.config.js":
        "export default { test: { coverage: { include: ['cart.js'], thresholds: { lines: 100 } } } };\n",
      "cart.js":
        "export function total(prices) {\n  return prices.reduce((a, b) => a + b, 0);\n}\n",
      "cart.test.js":
        'import { expect, test } from "vitest";\nimport { total } from "./cart.js";\n\ntest("adds", () => {\n  expect(total([1, 2])).toBe(3);\n});\n',
    },
    bug: [
      "cart.js",
      "export function total(prices) {\n",
      "export function clear(cart) {\n  cart.length = 0;\n}\n\nexport function total(prices) {\n",
    ],
    marked:
      "/* v8 ignore next 3 */\nexport function clear(cart) {\n  cart.length = 0;\n}\n\nexport function total(prices) {\n",
    explained:
      "/* v8 ignore next 3 -- only the browser calls it */\nexport function clear(cart) {\n  cart.length = 0;\n}\n\nexport function total(prices) {\n",
    loosened: [["vitest.config.js", "lines: 100", "lines: 10"]],
    stricter: [["vitest.config.js", "lines: 100", "lines: 100, functions: 100"]],
  },
  {
    name: "mypy",
    tool: "mypy",
    ...python("mypy", "mypy cart.py"),
    files: {
      "mypy.ini": "[mypy]\ndisallow_untyped_defs = True\n",
      "cart.py": "def total(prices: list[int]) -> int:\n    return sum(prices)\n",
    },
    bug: ["cart.py", "def total(prices: list[int]) -> int:", "def total(prices):"],
    marked: "def total(prices):  # type: ignore",
    explained: "def total(prices):  # type: ignore  # callers pass any iterable",
    loosened: [["mypy.ini", "= True", "= False"]],
    stricter: [["mypy.ini", "= True", "= True\nwarn_return_any = True"]],
  },
  {
    name: "ruff",
    tool: "ruff",
    ...python("ruff", "ruff check ."),
    files: {
      "pyproject.toml": '[tool.ruff.lint]\nselect = ["F"]\nignore = []\n',
      "cart.py": "def total(prices):\n    return sum(prices)\n",
    },
    bug: ["cart.py", "def total(prices):", "import os\n\n\ndef total(prices):"],
    marked: "import os  # noqa: F401\n\n\ndef total(prices):",
    explained: "import os  # noqa: F401 other modules import it from here\n\n\ndef total(prices):",
    loosened: [["pyproject.toml", "ignore = []", 'ignore = ["F401"]']],
    stricter: [["pyproject.toml", 'select = ["F"]', 'select = ["F", "E7"]']],
  },
  {
    name: "flake8",
    tool: "flake8",
    ...python("flake8", "flake8 cart.py"),
    files: {
      ".flake8": "[flake8]\nextend-ignore = E203\n",
      "cart.py": "def total(prices):\n    return sum(prices)\n",
    },
    bug: ["cart.py", "def total(prices):", "import os\n\n\ndef total(prices):"],
    marked: "import os  # noqa\n\n\ndef total(prices):",
    explained: "import os  # noqa: F401 other modules import it from here\n\n\ndef total(prices):",
    loosened: [[".flake8", "E203", "E203,F401"]],
    stricter: [[".flake8", "extend-ignore = E203", "max-complexity = 10"]],
  },
  {
    name: "pytest-cov",
    tool: "pytest",
    ...python("pytest pytest-cov", "pytest -q -p no:cacheprovider --cov=cart"),
    files: {
      ".coveragerc": "[report]\nfail_under = 100\n",
      "cart.py": "def total(prices):\n    return sum(prices)\n",
      "test_cart.py":
        "from cart import total\n\n\ndef test_adds():\n    assert total([1, 2]) == 3\n",
    },
    bug: [
      "cart.py",
      "def total(prices):",
      "def clear(cart):\n    cart[:] = []\n\n\ndef total(prices):",
    ],
    marked: "def clear(cart):  # pragma: no cover\n    cart[:] = []\n\n\ndef total(prices):",
    explained:
      "def clear(cart):  # pragma: no cover, only the browser calls it\n    cart[:] = []\n\n\ndef total(prices):",
    loosened: [[".coveragerc", "100", "10"]],
    stricter: [[".coveragerc", "[report]", "[run]\nbranch = True\n[report]"]],
  },
  {
    name: "clippy",
    tool: "clippy",
    from: { kind: "files" },
    program: "cargo",
    gate: "cargo clippy --offline --quiet",
    files: {
      "Cargo.toml":
        '[package]\nname = "cart"\nversion = "1.0.0"\nedition = "2021"\n\n[lints.clippy]\nneedless_return = "deny"\n',
      "src/lib.rs": "pub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n",
    },
    bug: ["src/lib.rs", "    prices.iter().sum()", "    return prices.iter().sum();"],
    marked: "    #[allow(clippy::needless_return)]\n    return prices.iter().sum();",
    explained:
      '    #[allow(clippy::needless_return, reason = "as the other ports of it do")]\n    return prices.iter().sum();',
    loosened: [["Cargo.toml", '"deny"', '"allow"']],
    stricter: [["Cargo.toml", '"deny"', '"deny"\nredundant_clone = "deny"']],
  },
];
