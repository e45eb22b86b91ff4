import { execFileSync } from "node:child_process";
import { createServer } from "node:net";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { findProgram } from "../../src/adapters/process/program.ts";
import { NO_FENCE } from "../../src/core/model/fence.ts";
import { fileTools } from "../../src/drivers/anthropic/file-tools.ts";
import { faultOf } from "../../src/drivers/anthropic/model.ts";
import { createCommands, shellTools } from "../../src/drivers/anthropic/shell-tools.ts";
import { answerCall } from "../../src/drivers/anthropic/tool.ts";
import { openTranscript, resultsOfInterrupted } from "../../src/drivers/anthropic/transcript.ts";
import { until } from "../support/processes.ts";

/** A tree with a neighbour that no tool may reach, and its tools. */
function bench({ fence = NO_FENCE, commandMsMax = 60_000 } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "it's $HOME ")));
  const [tree, outside, outputs] = ["tree", "outside", "outputs"].map((name) => join(root, name));
  if (tree === undefined || outside === undefined || outputs === undefined) throw new Error();
  for (const folder of [tree, outside, outputs, join(tree, "src"), join(tree, ".orch/s")])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(outside, "secret.txt"), "outside");
  writeFileSync(join(tree, "src/a.ts"), "one\ntwo\nthree\n");
  const commands = createCommands(outputs);
  onTestFinished(() => commands.endAll());
  const reach = { cwd: tree, reportPath: join(tree, ".orch/s/report.json"), fence };
  const permit = async (command: string): Promise<void> => {
    if (command.includes("git push")) throw new Error("not this");
  };
  const tools = [...fileTools(reach), ...shellTools({ ...reach, commandMsMax }, commands, permit)];
  const call = (name: string, input: unknown) => answerCall(tools, { name, input, id: "toolu_1" });
  return { tree, outside, outputs, commands, call };
}

describe("a path", () => {
  test.each([
    ["the parent", "../outside/secret.txt", /without `\.\.`/],
    ["a detour through the parent", "src/../src/a.ts", /without `\.\.`/],
    ["an absolute one elsewhere", "/etc/passwd", /outside the working tree/],
    ["its own process", "/proc/self/environ", /outside the working tree/],
    ["the tree by way of its own process", "/proc/self/cwd/src/a.ts", /outside the working tree/],
    ["a device", "/dev/zero", /outside the working tree/],
    ["orch's own folder", ".orch/log.jsonl", /no part of the work/],
    ["nothing", "", /A path is needed/],
    ["a NUL", "src/a.ts\0", /A path is needed/],
  ])("to %s is refused", async (_what, path, why) => {
    const { call } = bench();
    for (const [tool, more] of [
      ["read", {}],
      ["write", { content: "x" }],
      ["edit", { old: "one", new: "x" }],
    ] as const) {
      const { text, isError } = await call(tool, { path, ...more });
      expect([isError, text]).toEqual([true, expect.stringMatching(why)]);
    }
  });

  test.each([
    ["a link to a file outside", "../outside/secret.txt"],
    ["a link to a file outside that is not there", "../outside/new.txt"],
    ["a link in a circle", "link"],
  ])("that leads through %s is refused", async (_what, target) => {
    const { call, tree, outside } = bench();
    symlinkSync(target, join(tree, "link"));
    expect(await call("write", { path: "link", content: "x" })).toMatchObject({ isError: true });
    expect(await call("read", { path: "link" })).toMatchObject({ isError: true });
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("outside");
  });

  test.each(["../outside", "../outside/missing"])(
    "through a link to the folder %s is refused",
    async (target) => {
      const { call, tree, outside } = bench();
      symlinkSync(target, join(tree, "way"));
      const written = await call("write", { path: "way/deep/new.txt", content: "x" });
      expect(written.isError).toBe(true);
      expect(readdirSync(outside)).toEqual(["secret.txt"]);
    },
  );

  test("to a pipe or a socket is refused at once", async () => {
    const { call, tree } = bench();
    execFileSync("mkfifo", [join(tree, "pipe")]);
    const server = createServer().listen(join(tree, "socket"));
    onTestFinished(() => void server.close());
    await until(() => existsSync(join(tree, "socket")));
    for (const path of ["pipe", "socket"]) {
      expect(await call("read", { path })).toMatchObject({ isError: true });
      expect(await call("write", { path, content: "x" })).toMatchObject({ isError: true });
    }
  });

  test("may be written only inside the fence, and what is git's never", async () => {
    const { call, tree } = bench({ fence: { ...NO_FENCE, allowWrite: ["src/**"] } });
    expect(await call("write", { path: "README.md", content: "x" })).toEqual({
      isError: true,
      text: "README.md is refused: you may write only `src/**`.",
    });
    expect(await call("write", { path: ".git/hooks/pre-commit", content: "x" })).toMatchObject({
      isError: true,
    });
    expect((await call("write", { path: "src/new/b.ts", content: "b" })).isError).toBe(false);
    expect((await call("write", { path: ".orch/s/report.json", content: "{}" })).isError).toBe(
      false,
    );
    expect(readFileSync(join(tree, "src/new/b.ts"), "utf8")).toBe("b");
  });
});

describe("files", () => {
  test("are read with their line numbers, from a line on, and a folder by its names", async () => {
    const { call } = bench();
    expect((await call("read", { path: "src/a.ts" })).text).toBe("1\tone\n2\ttwo\n3\tthree");
    expect((await call("read", { path: "src/a.ts", offset: 2, limit: 1 })).text).toBe(
      "2\ttwo\n(of 3 lines)",
    );
    expect((await call("read", { path: "." })).text).toBe(".orch/\nsrc/");
  });

  test("are shown in part where they are long", async () => {
    const { call, tree } = bench();
    writeFileSync(join(tree, "long.txt"), `${"x".repeat(5_000)}\n`.repeat(100));
    const { text } = await call("read", { path: "long.txt" });
    expect(text.length).toBeLessThan(61_000);
    expect(text).toMatch(/…\n\(of 100 lines\)$/);
  });

  test("are edited at the one place that is meant, and keep their mode", async () => {
    const { call, tree } = bench();
    const path = join(tree, "src/a.ts");
    chmodSync(path, 0o755);
    const edited = await call("edit", { path: "src/a.ts", old: "two", new: "$& $1" });
    expect(edited).toEqual({ isError: false, text: "Replaced." });
    expect(readFileSync(path, "utf8")).toBe("one\n$& $1\nthree\n");
    expect(statSync(path).mode & 0o777).toBe(0o755);
  });

  test.each([
    ["the text is not there", "four", /is there 0 times/],
    ["it is there twice", "o", /is there 2 times/],
    ["it is empty", "", /is there 0 times/],
  ])("are left alone where %s", async (_why, old, words) => {
    const { call, tree } = bench();
    const { text, isError } = await call("edit", { path: "src/a.ts", old, new: "x" });
    expect([isError, text]).toEqual([true, expect.stringMatching(words)]);
    expect(readFileSync(join(tree, "src/a.ts"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  test("that are no text are not edited", async () => {
    const { call, tree } = bench();
    writeFileSync(join(tree, "image"), Buffer.from([0xff, 0xfe, 0x00, 0x41]));
    const { text } = await call("edit", { path: "image", old: "A", new: "B" });
    expect(text).toMatch(/no UTF-8 text/);
  });

  test.each([
    ["git alone", "git"],
    ["ripgrep where it is installed", "git rg"],
  ])("are searched by %s, but for those that git ignores", async (_how, names) => {
    const { call, tree } = bench();
    const bin = mkdtempSync(join(tmpdir(), "programs "));
    for (const name of names.split(" ")) {
      const program = findProgram(name, process.env["PATH"] ?? "");
      if (program !== null) symlinkSync(program, join(bin, name));
    }
    vi.stubEnv("PATH", bin);
    onTestFinished(() => void vi.unstubAllEnvs());
    execFileSync("git", ["init", "-q"], { cwd: tree });
    writeFileSync(join(tree, ".gitignore"), "ignored\n");
    writeFileSync(join(tree, "ignored"), "two\n");
    writeFileSync(join(tree, "b.md"), "two\n");
    const all = await call("search", { pattern: "^tw[o]$" });
    expect(
      all.text
        .split("\n")
        .filter(Boolean)
        .map((line) => line.replace("./", ""))
        .toSorted(),
    ).toEqual(["b.md:1:two", "src/a.ts:2:two"]);
    expect((await call("search", { pattern: "two", glob: "*.md" })).text).toMatch(
      /^(\.\/)?b.md:1:two$/m,
    );
    expect((await call("search", { pattern: "two", path: "src/a.ts" })).text).toMatch(/two/);
    expect((await call("search", { pattern: "nowhere" })).text).toBe("Nothing matches.");
    expect(await call("search", { pattern: "two", path: "/etc" })).toMatchObject({ isError: true });
  });
});

describe("commands", () => {
  test("run in the tree without input, and fail with their exit code", async () => {
    const { call, tree } = bench();
    expect(await call("bash", { command: "pwd; cat" })).toEqual({
      isError: false,
      text: `${tree}\n[exit code 0]`,
    });
    expect(await call("bash", { command: "echo no >&2; exit 3" })).toEqual({
      isError: true,
      text: "no\n[exit code 3]",
    });
    expect(await call("bash", { command: "git push" })).toEqual({
      isError: true,
      text: "not this",
    });
  });

  test("give beginning and end of a long output, and where all of it is", async () => {
    const { call, outputs } = bench();
    const { text } = await call("bash", {
      command: "echo first; yes | head -c 50000000; echo last",
    });
    const path = join(outputs, "command-1.log");
    expect(text.length).toBeLessThan(31_000);
    expect(text).toMatch(/^first\ny\n/);
    expect(text).toContain(`all of it is in ${path}]`);
    expect(text).toMatch(/\nlast\n\[exit code 0\]$/);
    expect(statSync(path).size).toBe(50_000_011);
  });

  test("are ended with all they started where they take too long", async () => {
    const { call, tree } = bench({ commandMsMax: 1_000 });
    const { text } = await call("bash", { command: "sleep 1000 & echo $! > pid; wait" });
    expect(text).toBe("[ended because it took too long]");
    const pid = Number(readFileSync(join(tree, "pid"), "utf8"));
    await until(() => isGone(pid));
  });

  test("that leave something in the background are over with their shell", async () => {
    const { call, commands } = bench();
    const { text } = await call("bash", { command: "sleep 1000 & echo $!" });
    const pid = Number(text.split("\n")[0]);
    expect(isGone(pid)).toBe(false);
    commands.endAll();
    await until(() => isGone(pid));
  });
});

/** Also one that nobody has buried yet. */
function isGone(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return true;
  }
}

describe("arguments and tools", () => {
  test.each<[string, string, unknown, RegExp]>([
    ["an unknown tool", "browse", {}, /no tool browse; there are read, write, edit, bash, search/],
    ["no object", "read", [], /must be one JSON object/],
    [
      "a missing argument",
      "write",
      { path: "a" },
      /"content" must be of the type string. The whole/,
    ],
    [
      "one of another kind",
      "read",
      { path: "src/a.ts", offset: "2" },
      /"offset" must be of the type integer/,
    ],
  ])("%s is an error for the model", async (_what, name, input, words) => {
    const { text, isError } = await bench().call(name, input);
    expect([isError, text]).toEqual([true, expect.stringMatching(words)]);
  });
});

describe("a transcript", () => {
  const path = (): string => join(mkdtempSync(join(tmpdir(), "transcript-")), "t.jsonl");
  const question = { role: "user" as const, content: [{ type: "text" as const, text: "ä?" }] };

  test("is read as it was written", () => {
    const file = path();
    openTranscript(file).add(question);
    expect(openTranscript(file).messages).toEqual([question]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("loses a line that is torn, and nothing that follows later", () => {
    const file = path();
    openTranscript(file).add(question);
    writeFileSync(file, '{"role":"assistant","con', { flag: "a" });
    openTranscript(file).add(question);
    expect(openTranscript(file).messages).toEqual([question, question]);
  });

  test("has a result for every call that was interrupted", () => {
    const file = path();
    const call = { type: "tool_use", id: "toolu_7", name: "bash", input: {} };
    writeFileSync(file, `${JSON.stringify({ role: "assistant", content: [call] })}\n`);
    expect(resultsOfInterrupted(openTranscript(file).messages)).toEqual([
      expect.objectContaining({ tool_use_id: "toolu_7", is_error: true }),
    ]);
  });
});

test("an error that tells nothing is one of the network", () => {
  expect(faultOf(new Error("terminated"), 0)).toEqual({
    kind: "network",
    httpStatus: null,
    resetAtMs: null,
    retryAfterMs: null,
    message: "terminated",
  });
});
