import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { runSetup, type SetupEnd, type SetupRequest } from "../../src/workspace/fill/run-setup.ts";
import { findRepository } from "../../src/workspace/git.ts";
import { privateFolder } from "../support/private-folder.ts";
import { marked } from "../support/processes.ts";
import { commitAll, GIT_ENV, initRepository } from "../support/repository.ts";

interface Place {
  readonly tree: string;
  readonly log: string;
  readonly setUp: (run: string, more?: Partial<SetupRequest>) => Promise<SetupEnd>;
}

/** A tree with a lock file, alone in its slot. */
function place(): Place {
  const slot = privateFolder();
  const [tree, log] = [join(slot, "shop"), join(slot, "logs", "setup.log")];
  make(tree);
  return {
    tree,
    log,
    setUp: async (run, more) => {
      const git = await findRepository(tree, GIT_ENV);
      if (git === null) throw new Error("no repository");
      return runSetup({
        git,
        from: "/src/shop",
        command: { run, timeoutMs: 60_000 },
        slot,
        logPath: log,
        env: { PATH: GIT_ENV["PATH"] ?? "", FORCE_COLOR: "1", OWN: "hunter2" },
        redact: (text) => text.replaceAll("hunter2", "[redacted]"),
        signal: new AbortController().signal,
        ...more,
      });
    },
  };
}

function make(tree: string): void {
  mkdirSync(join(tree, "api"), { recursive: true });
  writeFileSync(join(tree, "api/uv.lock"), "one\n");
  writeFileSync(join(tree, ".gitignore"), "count\n");
  commitAll(initRepository(tree));
}

/** How often `COUNT` ran in the tree. */
function count(tree: string): number {
  return existsSync(join(tree, "count")) ? readFileSync(join(tree, "count"), "utf8").length : 0;
}

const COUNT = "printf x >>count";

describe("the set-up of a tree", () => {
  test("runs there as gates do, and its log keeps no secret", async () => {
    const { tree, log, setUp } = place();
    const said = 'echo "$PWD $ORCH_CHECKOUT $CI $FORCE_COLOR $OWN"; echo trouble >&2';
    await expect(setUp(said)).resolves.toEqual({ kind: "passed" });
    expect(readFileSync(log, "utf8").split("\n").sort().join("\n")).toBe(
      `\n${tree} /src/shop true  [redacted]\ntrouble`,
    );
  });

  test("that fails says how, in its last words", async () => {
    const { setUp } = place();
    const end = await setUp("echo 'no such package: hunter2'; exit 3");
    expect(end).toEqual({
      kind: "failed",
      exitCode: 3,
      lastLines: "no such package: [redacted]",
    });
  });

  test("is ended with all that it started when its time is over", async () => {
    const { tree, setUp } = place();
    const command = {
      run: "sleep 600 & echo begun; echo $ORCH_SESSION >marker; wait",
      timeoutMs: 1_000,
    };
    await expect(setUp("", { command })).resolves.toEqual({
      kind: "timed-out",
      lastLines: "begun",
    });
    expect(marked(readFileSync(join(tree, "marker"), "utf8").trim())).toEqual([]);
  });

  test("is ended when the run is", async () => {
    const { setUp } = place();
    await expect(setUp("sleep 600", { signal: AbortSignal.abort() })).resolves.toEqual({
      kind: "aborted",
    });
  });
});

describe("it is run once", () => {
  test("while nothing changes, also where it writes a lock file itself", async () => {
    const { tree, setUp } = place();
    const run = `${COUNT}; echo two >api/uv.lock; echo >Cargo.lock`;
    await expect(setUp(run)).resolves.toEqual({ kind: "passed" });
    await expect(setUp(run)).resolves.toEqual({ kind: "unchanged" });
    expect(count(tree)).toBe(1);
  });

  test.each<[string, (place: Place) => unknown]>([
    ["a lock file changed", ({ tree }) => writeFileSync(join(tree, "api/uv.lock"), "two\n")],
    ["there is another one", ({ tree }) => writeFileSync(join(tree, "requirements-dev.txt"), "")],
    ["one is gone", ({ tree }) => rmSync(join(tree, "api/uv.lock"))],
    ["another command was run", ({ setUp }) => setUp(`${COUNT}; true`)],
    ["it failed since", ({ setUp }) => setUp("false")],
    ["it was cut off since", ({ setUp }) => setUp("x", { signal: AbortSignal.abort() })],
  ])("and again when %s", async (_name, change) => {
    const own = place();
    await own.setUp(COUNT);
    await change(own);
    const before = count(own.tree);
    await expect(own.setUp(COUNT)).resolves.toEqual({ kind: "passed" });
    expect(count(own.tree)).toBe(before + 1);
  });

  test("and again in a tree that was made anew", async () => {
    const { tree, setUp } = place();
    await setUp(COUNT);
    rmSync(tree, { recursive: true });
    make(tree);
    await expect(setUp(COUNT)).resolves.toEqual({ kind: "passed" });
    expect(count(tree)).toBe(1);
  });
});
