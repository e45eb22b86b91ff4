import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assert, asyncProperty, string } from "fast-check";
import { describe, expect, test } from "vitest";

import { shellWord } from "../../src/adapters/process/program.ts";
import { runInShell, type ShellCall } from "../../src/workspace/git/shell.ts";
import { testProgram } from "../support/run-orch.ts";
import { DAEMON, until } from "../support/processes.ts";
import { ENV, sandbox, tempFolder } from "./sandbox.ts";

function run(script: string, more: Partial<ShellCall> = {}) {
  const options = { confinement: [], env: ENV, cwd: "/", timeoutMs: 60_000, bytesMax: 100_000 };
  return runInShell({ ...options, script, ...more });
}

describe("a call", () => {
  test("gives both outputs and the exit code, each of its own call", async () => {
    const first = run("echo one; echo two >&2; (exit 3)");
    const second = run("printf three");
    expect(await first).toMatchObject({ stdout: "one\n", stderr: "two\n", exitCode: 3 });
    expect(await second).toEqual({
      stdout: "three",
      stderr: "",
      exitCode: 0,
      missing: false,
      timedOut: false,
      cut: false,
    });
  });

  test("has the environment that it names, and no other", async () => {
    const script = 'echo "$WHO" "$HOME"';
    const mine = await run(script, { env: { ...ENV, WHO: "me" } });
    const theirs = await run(script, { env: { ...ENV, WHO: "you" } });
    expect([mine.stdout, theirs.stdout]).toEqual(["me /nonexistent\n", "you /nonexistent\n"]);
  });

  test("stands in its folder, and keeps none from being removed", async () => {
    const folder = join(tempFolder(), "it's here");
    mkdirSync(folder);
    const { stdout } = await run("pwd -P; echo $$", { cwd: folder });
    const [stood, pid] = stdout.split("\n");
    expect(stood).toBe(folder);
    expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(`${pid} (sh)`);
    rmSync(folder, { recursive: true });
    const gone = await run("echo never", { cwd: folder });
    expect(gone).toMatchObject({ stdout: "", missing: false });
    expect(gone.exitCode).not.toBe(0);
  });

  test("gives bytes as they are", async () => {
    const { stdout } = await run("printf '\\000\\377\\n\\n'", { encoding: "latin1" });
    expect(Buffer.from(stdout, "latin1")).toEqual(Buffer.from([0, 255, 10, 10]));
  });
});

describe("what is passed on", () => {
  const unit = "binary" as const;

  test("every word means itself", async () => {
    await assert(
      asyncProperty(string({ unit, maxLength: 60 }), async (text) => {
        const word = text.replaceAll("\0", "");
        const ran = await run(`env printf '%s|' ${shellWord(word)} ${shellWord("$(id) `id` \\")}`);
        expect(ran.stdout).toBe(`${word}|$(id) \`id\` \\|`);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a call that does not come to its end", () => {
  test("is ended with all it started when it prints too much", async () => {
    const cut = await run("sleep 600 & echo $!; while :; do echo more; done", { bytesMax: 1_000 });
    expect(cut).toMatchObject({ cut: true, exitCode: 0, timedOut: false });
    expect(cut.stdout).toHaveLength(1_000);
    // It was killed; that the system takes note of it may take a moment.
    await until(() => !isThere(Number.parseInt(cut.stdout, 10)));
    expect((await run("echo again")).stdout).toBe("again\n");
  });

  test("is ended with a filter of git's that sleeps, hides and does not want to", async () => {
    const box = sandbox();
    const { root } = box;
    const hide = `setsid sh -c 'trap "" TERM HUP; echo $$ >pid; while :; do sleep 1; done'`;
    box.git("config", "filter.slow.clean", `${DAEMON} >daemon; ${hide}`);
    box.write(".gitattributes", "*.txt filter=slow\n");
    box.write("a.txt", "a\n");
    const late = run("git add a.txt", { cwd: root, timeoutMs: 2_000 });
    const pidIn = (name: string) => Number(readFileSync(join(root, name), "utf8"));
    expect(await late).toMatchObject({ timedOut: true, exitCode: null });
    expect(["pid", "daemon"].map(pidIn).filter(isThere)).toEqual([]);
    expect((await run("echo again")).stdout).toBe("again\n");
  });

  test("says so when the shell was killed, and the next one has another", async () => {
    const killed = await run("echo $$; kill -9 $$");
    expect(killed).toMatchObject({ exitCode: null, stderr: "the shell that runs git was ended" });
    const next = await run("echo $$");
    expect(next.exitCode).toBe(0);
    expect(next.stdout).not.toBe(killed.stdout);
  });
});

/** A process that has the shell do this. */
function ownerOf(script: string) {
  return spawn(process.execPath, [testProgram("shell-entry"), script], {
    env: ENV,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

test("the shell ends when its owner is killed", async () => {
  const owner = ownerOf("echo $$");
  const [pid] = await once(owner.stdout, "data");
  expect(isThere(Number(pid))).toBe(true);
  owner.kill("SIGKILL");
  await until(() => !isThere(Number(pid)));
});

test("what it is doing when its owner is killed may come to its end", async () => {
  const at = join(tempFolder(), "file");
  const more = "while kill -0 $PPID 2>&-; do :; done; sleep 1";
  const owner = ownerOf(`: >${at}.begun; ${more}; echo done >${at}.part; mv ${at}.part ${at}`);
  await until(() => existsSync(`${at}.begun`));
  owner.kill("SIGKILL");
  await until(() => existsSync(at));
  expect(readFileSync(at, "utf8")).toBe("done\n");
});

function isThere(pid: number): boolean {
  return (
    existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  );
}
