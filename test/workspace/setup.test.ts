import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import { runSetup, type SetupRequest } from "../../src/workspace/worktrees/make-worktree.ts";
import { privateFolder } from "../support/private-folder.ts";
import { marked } from "../support/processes.ts";

interface Place {
  readonly tree: string;
  readonly log: string;
  readonly setUp: (run: string, more?: Partial<SetupRequest>) => Promise<void>;
}

function place(): Place {
  const folder = privateFolder();
  const [tree, log] = [join(folder, "shop"), join(folder, "logs", "setup.log")];
  mkdirSync(tree);
  return {
    tree,
    log,
    setUp: (run, more) =>
      runSetup({
        root: tree,
        from: "/src/shop",
        command: { run, timeoutMs: 60_000 },
        logPath: log,
        env: { PATH: process.env["PATH"] ?? "", FORCE_COLOR: "1", OWN: "hunter2" },
        confine: UNCONFINED,
        redact: (text) => text.replaceAll("hunter2", "[redacted]"),
        signal: new AbortController().signal,
        ...more,
      }),
  };
}

describe("the setup of a tree", () => {
  test("runs there as gates do, and its log keeps no secret", async () => {
    const { tree, log, setUp } = place();
    const command = 'echo "$PWD $ORCH_CHECKOUT $CI $FORCE_COLOR $OWN"; echo trouble >&2';
    await setUp(command);
    expect(readFileSync(log, "utf8").split("\n").sort().join("\n")).toBe(
      `\n${tree} /src/shop true  [redacted]\ntrouble`,
    );
  });

  test("that fails says how, in its last words", async () => {
    const { setUp } = place();
    await expect(setUp("echo 'no such package: hunter2'; exit 3")).rejects.toMatchObject({
      code: "setup-failed",
      message: expect.stringMatching(/failed, exit code 3: no such package: \[redacted\]$/),
    });
  });

  test("is ended with all that it started when its time is over", async () => {
    const { tree, setUp } = place();
    const command = {
      run: "sleep 600 & echo begun; echo $ORCH_SESSION >marker; wait",
      timeoutMs: 1_000,
    };
    await expect(setUp("", { command })).rejects.toThrow("failed, it took too long: begun");
    expect(marked(readFileSync(join(tree, "marker"), "utf8").trim())).toEqual([]);
  });

  test("is ended when the run is", async () => {
    const { setUp } = place();
    await expect(setUp("sleep 600", { signal: AbortSignal.abort() })).resolves.toBe(undefined);
  });
});
