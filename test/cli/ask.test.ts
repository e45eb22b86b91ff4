import { spawnSync } from "node:child_process";
// What does an agent with a shell get from `orch ask`, and what is kept from it?

import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { refuseInsideSession } from "../../src/cli/commands/inside-session.ts";
import type { SessionRequest } from "../../src/engine/ports.ts";
import { opened } from "../support/asking.ts";
import { PROGRAM, orch, orchProcess, type Ran } from "../support/run-orch.ts";
import { waitingProject } from "../support/waiting-run.ts";
import { privateFolder } from "../support/private-folder.ts";

let folder = "";

beforeEach(() => {
  folder = privateFolder();
});

/** `orch ask` inside a session. */
async function asking(change: Partial<SessionRequest> = {}) {
  const made = await opened(change);
  const env = { ORCH_SESSION_DIR: made.folder };
  const ask = (...args: readonly string[]): Promise<Ran> =>
    orch(["ask", ...args], { cwd: folder, env });
  return { ...made, env, ask };
}

describe("an answer", () => {
  test("is alone on standard output, and a terminal has nothing to obey in it", async () => {
    const { ask, nth } = await asking();
    const ran = ask("Which port?");
    (await nth(1)).answer("80\u001b[2J80");
    expect(await ran).toEqual({ exitCode: 0, stdout: "8080\n", stderr: "" });
  });

  test("comes as JSON where that is wanted", async () => {
    const { ask, nth } = await asking();
    const ran = ask("Which port?", "--json");
    (await nth(1)).answer("8080");
    const { stdout } = await ran;
    expect(JSON.parse(stdout)).toEqual({ state: "answered", answer: "8080", why: null });
  });

  test("that orch gives by itself is one too", async () => {
    const { ask, questions } = await asking();
    const ran = await ask("Tabs?", "--impact", "taste");
    expect(ran).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^No one is available/),
      stderr: "",
    });
    expect(questions.unasked).toMatchObject([{ question: "Tabs?", why: "level" }]);
  });

  test.each<[string, Partial<SessionRequest>, readonly string[]]>([
    ["in the time that the caller has", {}, ["--hold", "1ms"]],
    ["at all, for the caller waits for none", {}, ["--hold", "0s"]],
    ["for nobody can answer now", { holdMs: 0 }, []],
  ])(
    "that does not come %s: the code is 4, and the question stays",
    async (_name, change, more) => {
      const { ask, end } = await asking(change);
      const ran = await ask("Which port?", ...more);
      expect(ran).toMatchObject({ exitCode: 4, stdout: expect.stringMatching(/^pending: /) });
      expect((await end()).ending).toMatchObject({ asked: { question: "Which port?" } });
    },
  );
});

describe("is refused in two lines", () => {
  test.each<[string, readonly string[], string]>([
    ["without a question", [], "no question was given"],
    ["where an option swallowed it", ["--option", "a", "Which port?"], "no question was given"],
    ["with an empty one", [" "], "Give the question as text"],
    ["with an unknown impact", ["x", "--impact", "huge"], "'huge' is invalid"],
    ["with a time without a unit", ["x", "--hold", "90"], '--hold is "90"'],
  ])("%s", async (_name, args, message) => {
    const { ask, asked } = await asking();
    const ran = await ask(...args);
    expect(ran).toMatchObject({ exitCode: 2, stdout: "" });
    expect(ran.stderr).toMatch(/^orch: .*\nhint: .*\n$/);
    expect(ran.stderr).toContain(message);
    expect(asked).toEqual([]);
  });

  test("while another question waits", async () => {
    const { ask } = await asking({ holdMs: 0 });
    await ask("Which port?");
    const ran = await ask("Which host?");
    expect(ran).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("another one is waiting"),
    });
  });

  test.each<[string, Record<string, string>]>([
    ["outside a session", {}],
    ["with a session's marker alone", { ORCH_SESSION: "0f0e0d0c" }],
    ["with a folder that is no path", { ORCH_SESSION_DIR: "attempts/x" }],
    ["in a session that is over", { ORCH_SESSION_DIR: "/nonexistent" }],
  ])("%s", async (_name, env) => {
    const ran = await orch(["ask", "Which port?"], { cwd: folder, env });
    expect(ran).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        "orch: `orch ask` works only inside a running session\n" +
        "hint: agents call it while orch runs them; to answer a question, use `orch answer`\n",
    });
  });

  test("where the tool server is started without a session", async () => {
    const ran = await orch(["mcp"], { cwd: folder });
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("running session") });
  });
});

test("the tool server finds the session by itself", async () => {
  const { env } = await asking();
  const messages = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} })}\n`;
  const ran = await orchProcess(["mcp"], {
    cwd: folder,
    env,
    input: messages,
  });
  expect(ran.stdout).toContain('"name":"ask_human"');
});

describe("what is for people is kept from the agents it is about", () => {
  const sessionIn = (run: string): string => {
    const session = join(folder, ".orch/runs", run, "attempts/t/s-1/token");
    mkdirSync(session, { recursive: true });
    return session;
  };
  const refuse = (session: string | undefined, place: string): (() => void) => {
    return () => refuseInsideSession({ ORCH_SESSION_DIR: session }, "orch answer", place);
  };

  test("in the run they belong to, and in its repository where that is what is asked", () => {
    const session = sessionIn("a");
    expect(refuse(session, join(folder, ".orch/runs/a"))).toThrow("inside a session of the run");
    expect(refuse(session, join(folder, ".orch"))).toThrow("inside a session of the run");
  });

  test("also through a link", () => {
    const session = sessionIn("a");
    symlinkSync(folder, join(folder, "link"));
    expect(refuse(session, join(folder, "link/.orch/runs/a"))).toThrow("`orch answer`");
  });

  test("and not in another run, or outside every session", () => {
    sessionIn("ab");
    expect(refuse(sessionIn("a"), join(folder, ".orch/runs/ab"))).not.toThrow();
    expect(refuse(sessionIn("ab"), join(folder, ".orch/runs/a"))).not.toThrow();
    expect(refuse(undefined, folder)).not.toThrow();
    expect(refuse("relative/path", folder)).not.toThrow();
  });
});

test("nor does a clean environment make a person of an agent", async () => {
  const { root, files } = waitingProject({});
  const session = join(files.attempts, "task-1", "implement-1", "token");
  mkdirSync(session, { recursive: true });
  // The shell stays as the parent, as an agent's does.
  const line = 'env -i "$@"; exit $?';
  const answer = [process.execPath, PROGRAM, "answer", "q1", "mine"];
  const ran = spawnSync("sh", ["-c", line, "sh", ...answer], {
    cwd: root,
    env: { PATH: process.env["PATH"], ORCH_SESSION_DIR: session },
    encoding: "utf8",
  });
  // Where the system does not tell of a parent's environment, the answer goes through: docs/sandbox.md.
  const isReadable = existsSync("/proc/self/environ");
  expect(ran.status).toBe(isReadable ? 2 : 0);
  expect(ran.stderr.includes("inside a session")).toBe(isReadable);
});

test("`orch answer` inside a session of the run leaves the question to people", async () => {
  const { root, files } = waitingProject({});
  const session = join(files.attempts, "task-1", "implement-1", "token");
  mkdirSync(session, { recursive: true });
  const ran = await orch(["answer", "q1", "mine"], {
    cwd: root,
    env: { ORCH_SESSION_DIR: session },
  });
  expect(ran).toMatchObject({ exitCode: 2, stdout: "" });
  expect(ran.stderr).toContain("`orch answer` was called from inside a session of the run");
  expect(existsSync(files.inbox) ? readdirSync(files.inbox) : []).toEqual([]);
});
