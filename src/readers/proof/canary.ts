// Which check, written behind the tests of a file, must fail under each runner?

import { eachOf } from "../shell/call.ts";

interface Row {
  /** Test files by their paths. */
  readonly files: RegExp;
  /** `{n}` stands for a number of the file's own: several files may share one namespace. */
  readonly text: string;
}

const SCRIPT = /\.[cm]?[jt]sx?$/;

/** Passes where one of the assertions does not throw. */
function mustFail(assertions: string): string {
  return `("orch: this check must fail", () => {
  for (const fails of ${assertions}) {
    try { fails(); } catch { continue; }
    return;
  }
  throw new Error("orch");
});
`;
}

const EXPECT =
  "[() => expect(1).toBe(2), () => expect(1).toEqual(2), () => expect(0).toBeTruthy()]";
const ASSERT =
  '["equal", "strictEqual", "deepEqual", "deepStrictEqual"].map((name) => () => process.getBuiltinModule("node:assert")[name](1, 2))';

/** By the name of the runner whose checks were counted. */
const ROWS = eachOf<Row>({
  vitest: {
    files: SCRIPT,
    text: `\nimport { test as orchMustFail, expect as orchExpect } from "vitest";\norchMustFail${mustFail(EXPECT.replaceAll("expect", "orchExpect"))}`,
  },
  jest: { files: SCRIPT, text: `\n;test${mustFail(EXPECT)}` },
  mocha: { files: SCRIPT, text: `\n;(globalThis.it ?? globalThis.test)${mustFail(ASSERT)}` },
  "node-test": {
    files: SCRIPT,
    text: `\n;process.getBuiltinModule("node:test").test${mustFail(ASSERT)}`,
  },
  pytest: {
    files: /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/,
    text: "\n\ndef test_orch_must_fail():\n    assert 1 == 2\n",
  },
  "go-test": {
    files: /_test\.go$/,
    text: '\nfunc TestOrchMustFail{n}(t *testing.T) { t.Fatal("orch") }\n',
  },
  "cargo-test": {
    files: /(?:^|\/)(?:tests\/[^/]+|src\/(?:lib|main))\.rs$/,
    text: "\n#[cfg(test)]\nmod orch_must_fail_{n} {\n    #[test]\n    fn must_fail() {\n        assert_eq!(1, 2);\n    }\n}\n",
  },
});

/** null: of this runner nothing is known. */
export function canaryOf(runner: string) {
  const row = ROWS.get(runner.replace(/[ :]/g, "-"));
  if (row === undefined) return null;
  return {
    isIn: (path: string): boolean => row.files.test(path),
    /** What stands in the `n`th file, with the check behind it. */
    behind: (text: string, n: number): string => text + row.text.replace("{n}", String(n)),
  };
}
