// Which packages is the proof tried on, and what can break in each?

import { RUNNERS, wordsOf, type RunnerName } from "./runners.ts";
import type { Edit } from "./tree.ts";

/** What is fetched, and worked on behind one gate. */
export interface Project {
  readonly name: string;
  readonly from: Source;
  /** What its tests need of npm. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Its `test` script. */
  readonly script?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Tests that need more than is here. */
  readonly drop?: readonly string[];
  readonly prepare?: readonly Edit[];
  /** What must be on PATH. */
  readonly program: string;
  readonly gate: string;
  /** What its gate runs. */
  readonly tool: string;
  /** The check that a task names; without one, it names the gate. */
  readonly aim?: string;
  /** Shell that completes each tree. Trees with one have a folder and a home of their own, outside the cache. */
  readonly setup?: string;
  /** Lines of its config. */
  readonly settings?: string;
}

export interface Package extends Omit<Project, "program" | "gate" | "tool" | "aim"> {
  readonly runner: RunnerName;
  /** Each turns a test red, the first one `check`. */
  readonly bug: Edit;
  readonly second: Edit;
  readonly check: { readonly file: string; readonly name: string };
  /** The check, fitted to the bug. */
  readonly wrong: readonly Edit[];
  /** A fixture, table or helper of the tests, fitted to the bug. */
  readonly special?: readonly Edit[];
}

export type Source =
  | { readonly kind: "npm"; readonly spec: string }
  /** What is in a folder of a Debian package; a star stands for a version. */
  | { readonly kind: "deb"; readonly name: string; readonly folder: string }
  /** Modules of the Python that is here, each with its test. */
  | { readonly kind: "python"; readonly files: Readonly<Record<string, string>> }
  /** Its files are its own; tools of Python are put into `.venv`. */
  | { readonly kind: "pip"; readonly packages: readonly string[] }
  | { readonly kind: "files" };

export function projectOf(pkg: Package): Project {
  const { program, gate } = RUNNERS[pkg.runner];
  return {
    ...pkg,
    program,
    gate: pkg.script === undefined ? gate : "npm test",
    tool: pkg.runner,
    aim: wordsOf(pkg),
  };
}

export const PACKAGES: readonly Package[] = [
  {
    name: "minimist",
    runner: "tape",
    from: { kind: "npm", spec: "minimist@1.2.8" },
    needs: { tape: "5.9.0" },
    script: "tape 'test/*.js'",
    bug: [
      "index.js",
      "(/^0x[0-9a-f]+$/i).test(x)) { return true; }",
      "(/^0x/).test(x)) { return false; }",
    ],
    second: ["index.js", "(/^--no-.+/)", "(/^--not-.+/)"],
    check: { file: "test/num.js", name: "'nums'" },
    wrong: [
      ["test/num.js", "hex: 0xdeadbeef", "hex: '0xdeadbeef'"],
      ["test/num.js", "typeof argv.hex, 'number'", "typeof argv.hex, 'string'"],
    ],
  },
  {
    name: "flat",
    runner: "mocha",
    from: { kind: "npm", spec: "flat@5.0.2" },
    needs: { mocha: "10.8.2" },
    script: "mocha -u tdd --reporter spec",
    bug: ["index.js", "prev + delimiter + transformKey(key)", "prev + '.' + transformKey(key)"],
    second: ["index.js", "currentDepth < maxDepth", "currentDepth <= maxDepth"],
    check: { file: "test/test.js", name: "'Custom Delimiter'" },
    wrong: [
      [
        "test/test.js",
        "'hello:world:again': 'good morning'\n    })\n  })\n\n  test('Empty Objects'",
        "'hello.world.again': 'good morning'\n    })\n  })\n\n  test('Empty Objects'",
      ],
    ],
  },
  {
    name: "object-path",
    runner: "mocha",
    from: { kind: "npm", spec: "object-path@0.11.8" },
    needs: { mocha: "10.8.2", chai: "4.5.0" },
    script: "mocha test.js",
    bug: [
      "index.js",
      "      return defaultValue\n    }\n\n    objectPath.get",
      "      return value\n    }\n\n    objectPath.get",
    ],
    second: [
      "index.js",
      "return objectPath.set(obj, path, 0)",
      "return objectPath.set(obj, path, 1)",
    ],
    check: { file: "test.js", name: "'returns defaultValue if no paths found'" },
    wrong: [["test.js", "'false')).to.equal('false')", "'false')).to.equal(undefined)"]],
  },
  {
    name: "process-warning",
    runner: "node-test",
    from: { kind: "npm", spec: "process-warning@5.0.0" },
    needs: {},
    script: "node --test test/*.test.js",
    drop: ["test/jest.test.js"],
    bug: ["index.js", "format(message, a, b)", "format(message, b, a)"],
    second: ["index.js", "format(message, a, b, c)", "format(message, a, c, b)"],
    check: { file: "test/index.test.js", name: "'Create error with 2 parameters'" },
    wrong: [
      [
        "test/index.test.js",
        "'hey alice, I like your attitude')",
        "'hey attitude, I like your alice')",
      ],
    ],
  },
  {
    name: "gensync",
    runner: "jest",
    from: { kind: "npm", spec: "gensync@1.0.0-beta.2" },
    needs: { jest: "29.7.0", "util.promisify": "1.1.2" },
    script: "jest",
    prepare: [["test/index.test.js", ' handler", async () => {', ' handler", () => {']],
    drop: ["test/.babelrc"],
    bug: ["index.js", "but got _both_.", "but got both."],
    second: ["index.js", "arity: 1", "arity: 2"],
    check: { file: "test/index.test.js", name: '"disallow async and errback handler together"' },
    wrong: [["test/index.test.js", "but got _both_\\.", "but got both\\."]],
  },
  {
    name: "ts-dedent",
    runner: "vitest",
    from: { kind: "npm", spec: "ts-dedent@2.2.0" },
    needs: { vitest: "3.2.4" },
    script: "vitest run",
    files: { "vitest.config.mjs": "export default { test: { globals: true } };\n" },
    drop: ["dist", "esm", "tsconfig.json"],
    bug: ["src/index.ts", "`${endentation}${str}`", "`${str}`"],
    second: ["src/index.ts", ".replace(/^\\r?\\n/, '')", ".replace(/^\\r?\\n+/, '')"],
    check: {
      file: "src/__tests__/issue-21.spec.ts",
      name: "'should dedent nested dedents correctly'",
    },
    wrong: [["src/__tests__/issue-21.spec.ts", "\n * a\n * b\n * c\n", "\n * a\n* b\n* c\n"]],
  },
  {
    name: "human-interval",
    runner: "ava",
    from: { kind: "npm", spec: "human-interval@2.0.1" },
    needs: { ava: "5.3.1", numbered: "1.1.0" },
    script: "ava",
    bug: [
      "index.js",
      "Number.parseFloat(matchedNumber)",
      "Number(Number.parseFloat(matchedNumber).toFixed(2))",
    ],
    second: ["index.js", "return time;", "return time || undefined;"],
    check: { file: "test.js", name: "'Understands long decimals'" },
    wrong: [["test.js", "2.5555 * units.second", "2.56 * units.second"]],
    special: [
      [
        "test.js",
        "t.is(humanInterval(input), expected)",
        "t.is(typeof humanInterval(input), typeof expected)",
      ],
    ],
  },
  {
    name: "number-to-words",
    runner: "jasmine",
    from: { kind: "npm", spec: "number-to-words@1.2.4" },
    needs: { jasmine: "4.6.0" },
    script: "jasmine",
    drop: ["numberToWords.js", "numberToWords.min.js", "spec/phantom", "spec/index.html"],
    bug: ["src/toOrdinal.js", "Input is not a safe number", "Input is no safe number"],
    second: ["src/toOrdinal.js", "lastTwoDigits <= 13", "lastTwoDigits <= 12"],
    check: { file: "spec/toOrdinalSpec.js", name: "'should throw a RangeError" },
    wrong: [["spec/toOrdinalSpec.js", "/Input is not a safe number/", "/Input is no safe number/"]],
  },
  {
    name: "rfdc",
    runner: "tap",
    from: { kind: "npm", spec: "rfdc@1.4.1" },
    needs: { tap: "12.7.0" },
    script: "tap -R classic test",
    bug: [
      "index.js",
      "handler = null\n\n  return opts.proto ? cloneProto : clone",
      "handler = null\n\n  return clone",
    ],
    second: [
      "index.js",
      "constructorHandlers.set(handler[0], handler[1])",
      "constructorHandlers.set(handler[0], (o) => o)",
    ],
    check: { file: "test/index.js", name: "'proto option – copies" },
    wrong: [
      [
        "test/index.js",
        "is(cloneProto(Object.create({ a: 1 })).a, 1",
        "is(cloneProto(Object.create({ a: 1 })).a, undefined",
      ],
    ],
  },
  {
    name: "pkg-errors",
    runner: "go",
    from: {
      kind: "deb",
      name: "golang-github-pkg-errors-dev",
      folder: "usr/share/gocode/src/github.com/pkg/errors",
    },
    drop: ["format_test.go", "stack_test.go", "example_test.go", "json_test.go"],
    files: { "go.mod": "module github.com/pkg/errors\n\ngo 1.13\n" },
    bug: ["errors.go", "err = cause.Cause()", "return cause.Cause()"],
    second: [
      "errors.go",
      "func WithStack(err error) error {\n\tif err == nil {\n\t\treturn nil\n\t}\n",
      "func WithStack(err error) error {\n",
    ],
    check: { file: "errors_test.go", name: "func TestCause(" },
    wrong: [
      [
        "errors_test.go",
        'Wrap(io.EOF, "ignored"),\n\t\twant: io.EOF',
        'Wrap(io.EOF, "ignored"),\n\t\twant: WithMessage(io.EOF, "ignored")',
      ],
    ],
  },
  {
    name: "semver",
    runner: "cargo",
    from: { kind: "deb", name: "librust-semver-dev", folder: "usr/share/cargo/registry/semver-*" },
    drop: ["benches"],
    prepare: [
      [
        "Cargo.toml",
        '[dependencies.serde]\nversion = "1.0"\noptional = true\ndefault-features = false\n',
        "",
      ],
    ],
    bug: [
      "src/display.rs",
      'write!(formatter, "+{}", self.build)',
      'write!(formatter, "-{}", self.build)',
    ],
    second: ["src/eval.rs", "return ver.minor == minor;", "return ver.minor >= minor;"],
    check: { file: "tests/test_version.rs", name: "fn test_display(" },
    wrong: [
      ["tests/test_version.rs", '"1.2.3+build.42");', '"1.2.3-build.42");'],
      ["tests/test_version.rs", '"1.2.3-alpha1+42");', '"1.2.3-alpha1-42");'],
    ],
    special: [
      [
        "tests/util/mod.rs",
        "assert_eq!(value.to_string(), expected)",
        "assert_eq!(value.to_string().len(), expected.len())",
      ],
    ],
  },
  {
    name: "toolz",
    runner: "pytest",
    from: { kind: "deb", name: "python3-toolz", folder: "usr/lib/python3/dist-packages" },
    drop: [
      "toolz/tests/test_inspect_args.py",
      "toolz/tests/test_tlz.py",
      "toolz/tests/test_signatures.py",
    ],
    bug: ["toolz/recipes.py", "frequencies(map(key, seq))", "frequencies(map(key, list(seq)[1:]))"],
    second: ["toolz/recipes.py", "map(tuple, pluck(", "map(list, pluck("],
    check: { file: "toolz/tests/test_recipes.py", name: "def test_countby(" },
    wrong: [
      ["toolz/tests/test_recipes.py", "{True: 1, False: 2}", "{True: 1, False: 1}"],
      ["toolz/tests/test_recipes.py", "{3: 2, 5: 1}", "{3: 1, 5: 1}"],
      ["toolz/tests/test_recipes.py", "{'a': 2, 'b': 1}", "{'a': 1, 'b': 1}"],
    ],
  },
  {
    name: "textwrap",
    runner: "unittest",
    from: {
      kind: "python",
      files: { "textwrap.py": "textwrap.py", "tests/test_textwrap.py": "test/test_textwrap.py" },
    },
    files: {
      "tests/__init__.py": "",
      "check.sh": "#!/bin/sh\nexec python3 -m unittest discover -s tests -t .\n",
    },
    bug: ["textwrap.py", "if self.width <= 0:", "if self.width < 0:"],
    second: [
      "textwrap.py",
      "prefix + line if predicate(line) else line",
      "prefix + line if line.strip() else line",
    ],
    check: {
      file: "tests/test_textwrap.py",
      name: "def test_bad_width(",
    },
    wrong: [
      [
        "tests/test_textwrap.py",
        "self.assertRaises(ValueError, wrap, text, 0)",
        "self.assertTrue(wrap(text, 0))",
      ],
    ],
  },
];
