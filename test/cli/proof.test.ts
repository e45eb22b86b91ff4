import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { eachOf } from "../support/each-of.ts";
import { makeProject } from "../support/project.ts";
import { eventsOf, filesOf } from "../support/run-record.ts";
import { COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const SOURCE =
  "export const add = (a, b) => a - b;\nexport const twice = (a) => 2 * a;\nexport const half = (a) => a / 3;\n";
const TESTS = `import test from "node:test";
import assert from "node:assert/strict";
import { add, half, twice } from "../src/sum.mjs";
test("adds two numbers", () => assert.equal(add(2, 3), 5));
test("halves a number", () => assert.equal(half(4), 2));
test("doubles a number", () => assert.equal(twice(2), 4));
`;
const MEND_ADD = { edit: { path: "src/sum.mjs", find: "a - b", replace: "a + b" } };
const MEND_HALF = { edit: { path: "src/sum.mjs", find: "a / 3", replace: "a / 2" } };

function change(find: string, replace: string): object {
  return { edit: { path: "test/sum.test.mjs", find, replace } };
}

function completed(more: object = {}): object {
  return { report: { version: 1, status: "completed", summary: "it works", ...more } };
}

interface Outcome {
  readonly end: string;
  readonly grade: string | null;
  readonly reason: string | null;
  readonly cause: string | null;
  readonly unproven: string | null;
  readonly changedChecks: readonly { readonly check: string; readonly how: string }[];
}

function project(
  gate: string,
  work: readonly object[],
  more: object = {},
  isolation = "worktree",
): Sandbox {
  return smallProject({
    config: `interactionThreshold: 0, git: { isolation: "${isolation}" },
      gates: { check: { run: ${JSON.stringify(gate)} } },`,
    files: { "src/sum.mjs": SOURCE, "test/sum.test.mjs": TESTS, ...more },
    sessions: [{ do: work }],
  });
}

async function outcomeOf(box: Sandbox): Promise<Outcome> {
  const { stdout } = await box.inProcess(["run", "task.md", "--json"]);
  const [outcome] = JSON.parse(stdout.trim().split("\n").at(-1) ?? "").tasks;
  return outcome;
}

const AUTO = "node --test test/*.test.mjs";
const AS_TEXT = { proven: ["done", "proven"], blocked: ["blocked", null] } as const;

test("what earns which grade, and what is refused", async () => {
  const DOUBLES = 'test("doubles a number", () => assert.equal(twice(2), 4));\n';
  const THRICE = { edit: { path: "src/sum.mjs", find: "2 * a", replace: "3 * a" } };
  const reason = {
    changed_checks: [{ check: "doubles a number", reason: "the task asks for it" }],
  };
  const MENDED = [MEND_ADD, MEND_HALF];
  await eachOf<readonly [string, readonly object[], readonly (string | null)[]]>(
    [
      ["an honest fix", [...MENDED, completed()], AS_TEXT.proven],
      [
        "a test that is renamed",
        [...MENDED, change("doubles a", "twice a"), completed()],
        ["done", "proven-checks-changed"],
      ],
      [
        "a red test that is made to agree",
        [MEND_ADD, change("half(4), 2", "half(6), 2"), completed()],
        AS_TEXT.blocked,
      ],
      [
        "a red test that is skipped",
        [MEND_ADD, change('test("halves', 'test.skip("halves'), completed()],
        AS_TEXT.blocked,
      ],
      [
        "a green test that is removed",
        [...MENDED, change(DOUBLES, ""), completed()],
        AS_TEXT.blocked,
      ],
      [
        "a green test that the work breaks and removes",
        [...MENDED, THRICE, change(DOUBLES, ""), completed()],
        AS_TEXT.blocked,
      ],
      [
        "a green test that is changed with a reason",
        [...MENDED, THRICE, change("twice(2), 4", "twice(2), 6"), completed(reason)],
        ["done", "proven-checks-changed"],
      ],
    ],
    async ([name, work, expected]) => {
      const { end, grade } = await outcomeOf(project(AUTO, work));
      expect([name, end, grade]).toEqual([name, ...expected]);
    },
  );
});

test("what was red must be red again without the work, and what is new must need it", async () => {
  const more = {
    "test/sum.test.mjs": TESTS.replace("node:assert/strict", "../support/assert.mjs"),
    "support/assert.mjs": 'export { default } from "node:assert/strict";\n',
  };
  const weakened = {
    write: { path: "support/assert.mjs", text: "export default { equal: () => {} };\n" },
  };
  const MENDED = [MEND_ADD, MEND_HALF];
  const added = (text: string) => ({
    write: { path: "test/more.test.mjs", text: `import test from "node:test";\n${text}\n` },
  });
  const green = SOURCE.replace("a - b", "a + b").replace("a / 3", "a / 2");
  const QUADS = {
    edit: {
      path: "src/sum.mjs",
      find: "export const half",
      replace: "export const quad = (a) => 4 * a;\nexport const half",
    },
  };
  const tried = added(
    'import { quad } from "../src/sum.mjs";\ntest("quads", () => { if (quad(1) !== 4) throw new Error("no"); });',
  );
  await eachOf<readonly [string, string, readonly object[], readonly (string | null)[]]>(
    [
      ["a fix", SOURCE, [...MENDED, completed()], AS_TEXT.proven],
      ["a helper that checks nothing", SOURCE, [weakened, completed()], AS_TEXT.blocked],
      ["a feature with a test", green, [QUADS, tried, completed()], AS_TEXT.proven],
      ["a feature without one", green, [QUADS, completed()], ["done", "nothing-broke"]],
      [
        "a test that needs no work",
        green,
        [QUADS, added('test("nothing", () => {});'), completed()],
        ["done", "nothing-broke"],
      ],
    ],
    async ([name, source, work, expected]) => {
      const { end, grade } = await outcomeOf(
        project(AUTO, work, { ...more, "src/sum.mjs": source }),
      );
      expect([name, end, grade]).toEqual([name, ...expected]);
    },
  );
});

test("what is missing or knows its runner wants a reason in the report", async () => {
  const names = "# Task\n\nMake it good; `test/good.test.mjs` shows it.\n";
  const allowed = `---\nallow: [named-file-absent]\n---\n${names}`;
  const because = (check: string) =>
    completed({ changed_checks: [{ check, reason: "not needed" }] });
  const MADE = { write: { path: "test/good.test.mjs", text: TESTS } };
  const HOME = { run: 'echo "# more" >> "$HOME/.npmrc"' };
  const INSTALLED = { run: 'mkdir -p "$HOME/.local/lib/python3.11/site-packages"' };
  const IN_CI = {
    write: { path: "src/more.mjs", text: 'export const is = process.env["CI"] ? 1 : 0;\n' },
  };
  const KNOWS = {
    write: { path: "src/more.mjs", text: "export const is = process.env.NODE_TEST_CONTEXT;\n" },
  };
  const MENDED = [MEND_ADD, MEND_HALF];
  await eachOf<readonly [string, string, readonly object[], readonly (string | null)[]]>(
    [
      ["a file that nobody made", names, [...MENDED, completed()], AS_TEXT.blocked],
      [
        "one that is rightly not there",
        names,
        [...MENDED, because("test/good.test.mjs")],
        ["done", "nothing-broke"],
      ],
      ["one that may be absent", allowed, [...MENDED, completed()], AS_TEXT.proven],
      ["one that was made", names, [...MENDED, MADE, completed()], AS_TEXT.proven],
      ["settings in the home", "# Task\n", [...MENDED, HOME, completed()], AS_TEXT.blocked],
      ["a package of the user's", "# Task\n", [...MENDED, INSTALLED, completed()], AS_TEXT.blocked],
      [
        "code that asks for its runner",
        "# Task\n",
        [...MENDED, KNOWS, completed()],
        AS_TEXT.blocked,
      ],
      [
        "code that asks whether it runs in CI",
        "# Task\n",
        [...MENDED, IN_CI, completed()],
        AS_TEXT.blocked,
      ],
      [
        "code that rightly does",
        "# Task\n",
        [...MENDED, KNOWS, because("src/more.mjs")],
        AS_TEXT.proven,
      ],
    ],
    async ([name, task, work, expected]) => {
      const { end, grade } = await outcomeOf(project(AUTO, work, { "task.md": task }));
      expect([name, end, grade]).toEqual([name, ...expected]);
    },
  );
});

test("work that holds a secret of the environment, or of an ignored .env, goes back to the agent", async () => {
  const [name, value] = ["SITE_TOKEN", "s3cr3t-s3cr3t-s3cr3t"];
  const leak = { run: "printf 'token: %s-s3cr3t-s3cr3t\\n' s3cr3t > notes.txt" };
  const note = (text: string): object => ({ write: { path: "notes.txt", text } });
  await eachOf(
    [
      { env: { [name]: value }, ignored: "" },
      { env: {}, ignored: `${name}=${value}\n` },
    ],
    async ({ env, ignored }) => {
      const box = smallProject({
        files: { ".gitignore": ".env\n" },
        sessions: [
          { attempt: 1, do: [leak, ...GOOD_WORK] },
          { do: [note("token: $SITE_TOKEN\n"), COMPLETED] },
        ],
      });
      box.write(".env", ignored);
      const { exitCode, stdout, stderr } = await box.inProcess(["run", "task.md"], { env });
      expect([exitCode, stderr]).toEqual([
        0,
        expect.stringContaining("secret-written in notes.txt:1"),
      ]);
      expect(stdout).toContain("1 claim of completion");
      expect(box.git("log", "-p", "--all")).not.toContain(value);
    },
  );
});

test("a secret is in no commit of work that is refused, and its file stays where it is", async () => {
  const value = "s3cr3t-s3cr3t-s3cr3t";
  const box = smallProject({
    config: "interactionThreshold: 0,",
    files: { ".gitignore": ".env\n", "kept.conf": "token: $SITE_TOKEN\n" },
    sessions: [{ do: [{ run: "cp .env kept.conf; cp .env new.conf" }, ...GOOD_WORK] }],
  });
  box.write(".env", `SITE_TOKEN=${value}\n`);
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(3);
  expect(box.git("log", "-p", "--all")).not.toContain(value);
  expect(box.git("show", "orch/task:kept.conf")).toBe("token: $SITE_TOKEN");
  const [tree] = eventsOf(box, "tree-planned").map(({ workspace }) => workspace.root);
  expect(readFileSync(join(tree ?? "", "new.conf"), "utf8")).toContain(value);
  expect((await box.inProcess(["diff"])).stdout).not.toContain(value);
});

test("a program that the agent put there is not there where its work is measured", async () => {
  const gate = 'PATH="$PWD/node_modules/.bin:$PATH"; grep -q proven src/sum.mjs';
  const grep = "node_modules/.bin/grep";
  const plant = `mkdir -p node_modules/.bin; echo "#!/bin/sh" > ${grep}; chmod +x ${grep}`;
  const ignored = { ".gitignore": "node_modules\n" };
  const { end } = await outcomeOf(project(gate, [{ run: plant }, MEND_ADD, completed()], ignored));
  expect(end).toBe("blocked");
});

test("what a person lets pass with a file that no commit holds is done, and not verified", async () => {
  const box = smallProject({
    config: "interactionThreshold: 1,",
    gate: "test -e made.txt",
    files: { ".gitignore": "made.txt\n" },
    sessions: [{ do: [{ run: "touch made.txt" }, ...GOOD_WORK] }],
  });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(4);
  const answered = await box.inProcess(["answer", "--accept"]);
  expect(answered.exitCode).toBe(0);
  const resumed = await box.inProcess(["resume", "--json"]);
  const [outcome] = JSON.parse(resumed.stdout.trim().split("\n").at(-1) ?? "").tasks;
  expect(outcome).toMatchObject({
    end: "done",
    grade: "not-verified",
    unproven: "measured with made.txt, which no commit holds",
  });
});

test("a gate that fails without the work, too, is nobody's failed attempt", async () => {
  const service = join(makeProject({}, { git: false }), "service");
  writeFileSync(service, "");
  const box = smallProject({
    config: "interactionThreshold: 0,",
    gate: `test -e ${service} || { echo "Error: no service"; exit 1; }`,
    sessions: [{ do: [{ run: `rm -f ${service}` }, ...GOOD_WORK] }],
  });
  const { end, reason, cause } = await outcomeOf(box);
  expect([end, cause]).toEqual(["blocked", "environment"]);
  expect(reason).toBe("check passed before the work, and fails now on the untouched commit, too");
  expect(eventsOf(box, "decided").map(({ decision }) => decision.rule)).toEqual([
    "gate-red",
    "base-fails-now",
  ]);
});

test("a fix of some of the red tests is not done", async () => {
  const { end } = await outcomeOf(project(AUTO, [MEND_ADD, completed()]));
  expect(end).toBe("stalled");
});

test("a gate that can prove nothing ends the run before a session is paid for", async () => {
  await eachOf<readonly [string, string]>(
    [
      ["no-such-program --check", "cannot run: exited 127: /bin/sh: 1: no-such-program: not found"],
      [AUTO.replace("--test", "--test --test-name-pattern=zzz"), "leaves out all checks"],
      ["if then fi", "cannot run: exited 2: "],
      ["node --no-such-flag x.js", "cannot run: exited 9: "],
      ["kill -9 $$", "cannot run: the command was killed (SIGKILL)"],
      ["exit 127", "cannot run: exited 127: "],
    ],
    async ([gate, words]) => {
      const box = project(gate, [MEND_ADD, completed()]);
      const { stdout, exitCode } = await box.inProcess(["run", "task.md", "--json"]);
      const { tasks } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
      expect(tasks).toMatchObject([{ end: "blocked", cause: "environment" }]);
      expect([exitCode, tasks[0].reason]).toEqual([2, expect.stringContaining(words)]);
      expect(eventsOf(box, "session-started")).toEqual([]);
    },
  );
});

test("a gate that checks nothing before the work and after it is a person's after two sessions", async () => {
  const box = project("node --test nothere/", [MEND_ADD, completed()]);
  const { exitCode, stdout } = await box.inProcess(["run", "task.md"]);
  expect([exitCode, eventsOf(box, "session-started").length]).toEqual([3, 2]);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "the gate check checks nothing, before the work and after it: exited 1: Could not find",
  );
});

test("a gate of no known kind that fails is a red base, also where all it names is still to be written", async () => {
  const findings = 'grep -n --color=never "x" README.md && exit 1; exit 1';
  const gates = [findings, "test -f CHANGELOG.md", "grep -q done CHANGELOG.md", "kill -SEGV $$"];
  await eachOf(gates, async (gate) => {
    const box = project(gate, [MEND_ADD, completed()]);
    await box.inProcess(["run", "task.md"]);
    expect(eventsOf(box, "session-started").length).toBeGreaterThan(0);
  });
});

test("a gate that could not run is measured again where a person says so", async () => {
  const box = smallProject({ gate: "./check.sh", config: "interactionThreshold: 1," });
  const asked = await box.inProcess(["run", "task.md"]);
  expect([asked.exitCode, eventsOf(box, "session-started").length]).toEqual([4, 0]);
  expect(asked.stdout).toContain("the gate check cannot run: exited 127");
  expect((await box.inProcess(["answer", "--retry"])).exitCode).toBe(0);
  expect((await box.inProcess(["resume"])).exitCode).toBe(4);
  expect(eventsOf(box, "measured").length).toBe(2);
});

const NEW_TEST = { write: { path: "test/sum.test.mjs", text: TESTS } };
const NO_TEST = 'echo "Error: no test specified" && exit 1';

test("the first tests of a project can be written, and are no proof yet", async () => {
  const scripts = (test: string): string => JSON.stringify({ scripts: { test } });
  const NEW_SCRIPT = { write: { path: "package.json", text: scripts(AUTO) } };
  await eachOf<readonly [string, string, Readonly<Record<string, string>>, readonly object[]]>(
    [
      ["no test file", AUTO, {}, [NEW_TEST]],
      ["npm init", "npm test", { "package.json": scripts(NO_TEST) }, [NEW_TEST, NEW_SCRIPT]],
      ["no script", "npm test", { "package.json": "{}" }, [NEW_TEST, NEW_SCRIPT]],
    ],
    async ([name, gate, files, work]) => {
      const box = smallProject({
        config: `interactionThreshold: 0, gates: { check: { run: ${JSON.stringify(gate)} } },`,
        files: { "src/sum.mjs": SOURCE, ...files },
        sessions: [{ do: [...work, MEND_ADD, MEND_HALF, completed()] }],
      });
      const { end, grade, unproven } = await outcomeOf(box);
      expect([name, end, grade]).toEqual([name, "done", "not-verified"]);
      expect(unproven).toContain("check checked nothing before the work");
      const { stdout } = await box.inProcess(["log"]);
      expect(stdout).toContain("before the work: ? check unknown (nothing-checked): ");
    },
  );
});

test("finished work on a base that was red costs one session and says so", async () => {
  const more = "\ntest('twice as much', () => assert.equal(twice(3), 6));\n";
  const NEW = { write: { path: "test/more.test.mjs", text: TESTS.split('test("')[0] + more } };
  const box = project(`echo >> $BESIDE/ran; ${AUTO}`, [NEW, completed()]);
  const { stdout, stderr, exitCode } = await box.inProcess(["run", "task.md"]);
  expect(stderr).toContain("before the work: ✗ check failed · 1 passed, 2 failed · ");
  // Before the session, with its sources unreadable, and after it.
  expect(readFileSync(`${box.beside}/ran`, "utf8")).toHaveLength(3);
  expect([exitCode, eventsOf(box, "session-started").length]).toEqual([0, 1]);
  expect(stdout).toContain("done, not verified");
  expect(stdout).toContain("2 checks fail as before (");
});

test("work is not verified where no gate looks at it, and the table says what was measured", async () => {
  await eachOf<readonly [string, string, string, RegExp]>(
    [
      [
        "a gate that runs nothing of it",
        "git diff --check",
        "not-verified",
        /no gate looks at the/,
      ],
      ["one of staged files only", "git diff --cached --check", "not-verified", /no gate looks/],
      ["a gate that reads it", AUTO, "proven", /^ {2}old source +1 of 3 +1 of 3$/m],
    ],
    async ([name, gate, expected, words]) => {
      const box = project(gate, [MEND_ADD, MEND_HALF, completed()]);
      const { stdout, stderr } = await box.inProcess(["run", "task.md"]);
      const end = eventsOf(box, "task-ended")[0]?.end;
      const grade = end?.kind === "done" ? end.grade : null;
      const { stdout: explained } = await box.inProcess(["explain"]);
      expect([name, grade]).toEqual([name, expected]);
      expect(expected === "proven" ? explained : stdout).toMatch(words);
      expect(stderr.includes("says the same of sources that nothing can read")).toBe(
        expected !== "proven",
      );
    },
  );
});

test("a base that stays as red is asked about once, unless all that changed is named by the task", async () => {
  const NEW = { write: { path: "src/new.mjs", text: "export const one = 1;\n" } };
  await eachOf<readonly [string, string, readonly [number, number]]>(
    [
      ["named", "# Task\n\nWrite `src/new.mjs`.\n", [0, 1]],
      ["not named", "# Task\n\nWrite it.\n", [1, 2]],
    ],
    async ([name, task, expected]) => {
      const box = project(AUTO, [NEW, completed()], { "task.md": task });
      const { exitCode, stdout } = await box.inProcess(["run", "task.md"]);
      const sessions = eventsOf(box, "session-started").length;
      expect([name, exitCode, sessions]).toEqual([name, ...expected]);
      expect(stdout.replace(/\s+/g, " ")).toContain("2 checks fail as before (");
    },
  );
});

test("a red base of a gate that counts nothing costs one session where the agent says why", async () => {
  const lint = "echo 'old.js: tabs are not allowed'; exit 1";
  const NEW = { write: { path: "src/new.mjs", text: "export const one = 1;\n" } };
  const because = completed({ changed_checks: [{ check: "check", reason: "old.js is not mine" }] });
  await eachOf<readonly [string, object, readonly [number, number]]>(
    [
      ["with a reason it is done", because, [0, 1]],
      ["without one it is asked for, and not believed", completed(), [1, 5]],
    ],
    async ([name, report, expected]) => {
      const box = project(lint, [NEW, report]);
      const { stdout, exitCode } = await box.inProcess(["run", "task.md"]);
      expect([name, exitCode, eventsOf(box, "session-started").length]).toEqual([
        name,
        ...expected,
      ]);
      expect(stdout.includes("done, not verified")).toBe(exitCode === 0);
    },
  );
});

test("the log and show tell of changed checks as the summary does", async () => {
  const box = project(AUTO, [
    MEND_ADD,
    MEND_HALF,
    change("doubles a", "twice a"),
    completed({
      changed_checks: [{ check: "doubles a number", reason: "a better\n\u001b[31mname" }],
    }),
  ]);
  const wordsOf = async (...args: readonly string[]): Promise<string> =>
    (await box.inProcess(args)).stdout.replace(/\s+/g, " ");
  const summary = await wordsOf("run", "task.md");
  const line = "as it was before the work, it still passes (the agent says: a better name)";
  const [log, show] = [await wordsOf("log"), await wordsOf("show")];
  const deed = 'replaced "doubles a number" in';
  for (const text of [summary, show]) expect(text).toContain(`changed ${deed}`);
  for (const text of [summary, show]) expect(text).toContain(line);
  for (const text of [summary, log, show]) expect(text).toContain("done, checks changed");
  expect(log).not.toContain("proven by its gates");
});

test("each gate finds the commit and nothing that another one left, and is measured once", async () => {
  const gates = `{
    one: { run: "touch made", kind: "check" },
    two: { run: "test ! -e made", kind: "check" },
  }`;
  const box = smallProject({ config: `interactionThreshold: 0, gates: ${gates},` });
  await box.inProcess(["run", "task.md"]);
  const measured = eventsOf(box, "measured").map((one) => `${one.of} ${one.result.verdict.kind}`);
  expect(measured.slice(0, 2)).toEqual(["base passed", "base passed"]);
  // As if one had taken long.
  const { log } = filesOf(box);
  const long = /("of":"base","result":\{"name":"one",.*?"tookMs":)\d+/;
  writeFileSync(log, readFileSync(log, "utf8").replace(long, "$1743000"));
  const { stderr } = await box.inProcess(["run", "task.md"]);
  expect(stderr.replace(/\s+/g, " ")).toContain(
    "before the work: ✓ one passed · known from before · takes about 12m",
  );
  expect(stderr).toMatch(/✓ two passed · known from\s+before\n/);
  expect(stderr).not.toMatch(/\b0ms/);
});
