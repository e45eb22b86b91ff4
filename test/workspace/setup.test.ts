import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import { runCommand, type CommandRequest } from "../../src/workspace/worktrees/run-command.ts";
import { privateFolder } from "../support/private-folder.ts";
import { marked } from "../support/processes.ts";

interface Place {
  readonly tree: string;
  readonly log: string;
  readonly setUp: (run: string, more?: Partial<Asked>) => Promise<string | null>;
}

interface Asked extends CommandRequest {
  readonly signal: AbortSignal;
}

function place(): Place {
  const folder = privateFolder();
  const [tree, log] = [join(folder, "shop"), join(folder, "logs", "setup.log")];
  mkdirSync(tree);
  return {
    tree,
    log,
    setUp: (run, { signal = new AbortController().signal, ...more } = {}) => {
      const request = {
        cwd: tree,
        from: "/src/shop",
        command: { run, timeoutMs: 60_000 },
        logPath: log,
        env: { PATH: process.env["PATH"] ?? "", FORCE_COLOR: "1", OWN: "hunter2" },
        confine: UNCONFINED,
        redact: (text: string) => text.replaceAll("hunter2", "[redacted]"),
        ...more,
      };
      return runCommand(request, signal);
    },
  };
}

describe("the setup of a tree", () => {
  test("runs there as gates do, and its log keeps no secret", async () => {
    const { tree, log, setUp } = place();
    const command = 'echo "$PWD $ORCH_CHECKOUT $CI $FORCE_COLOR $OWN"; echo trouble >&2';
    expect(await setUp(command)).toBe(null);
    expect(readFileSync(log, "utf8").split("\n").sort().join("\n")).toBe(
      `\n${tree} /src/shop true  [redacted]\ntrouble`,
    );
  });

  test("that fails says how, in its last words", async () => {
    const { setUp } = place();
    expect(await setUp("echo 'no such package: hunter2'; exit 3")).toMatch(
      /failed, exit code 3: no such package: \[redacted\]$/,
    );
  });

  test("is ended with all that it started when its time is over", async () => {
    const { tree, setUp } = place();
    const command = {
      run: "sleep 600 & echo begun; echo $ORCH_SESSION >marker; wait",
      timeoutMs: 1_000,
    };
    expect(await setUp("", { command })).toContain("failed, it took too long: begun");
    expect(marked(readFileSync(join(tree, "marker"), "utf8").trim())).toEqual([]);
  });

  test("is ended when the run is", async () => {
    const { setUp } = place();
    expect(await setUp("sleep 600", { signal: AbortSignal.abort() })).toBe(null);
  });
});
