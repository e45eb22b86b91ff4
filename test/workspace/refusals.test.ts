// Is a git that fails ever taken for an answer?

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { OrchError } from "../../src/errors.ts";
import { gitIn } from "../support/repository.ts";
import type { Workspaces } from "../../src/engine/ports.ts";
import { ENV, label, openTree, sandbox, tempFolder, T, commitWork } from "./sandbox.ts";

/** A git of which one command ends with this code and does nothing, while the file is there. */
function failing(command: string, code: number) {
  const bin = tempFolder();
  const armed = join(bin, "armed");
  const hit = join(bin, "hit");
  const script = [
    "#!/bin/sh",
    `case " $* " in *" ${command} "*) if [ -e ${armed} ]; then : >${hit}; exit ${code}; fi ;; esac`,
    'PATH="$REAL_PATH" exec git "$@"',
  ];
  writeFileSync(join(bin, "git"), `${script.join("\n")}\n`, { mode: 0o755 });
  const path = ENV["PATH"] ?? "";
  return { env: { REAL_PATH: path, PATH: `${bin}:${path}` }, armed, hit };
}

const COMMANDS = ["rev-parse", "update-ref", "fetch", "for-each-ref"];

test.each(COMMANDS.flatMap((command) => [128, 137].map((code) => [command, code] as const)))(
  "where %s ends with %i nothing is lost, and the task goes on when it works again",
  async (command, code) => {
    const box = sandbox();
    const { env, armed, hit } = failing(command, code);
    const { workspace, tree } = await openTree({ box, workspaces: box.workspaces({ env }) });
    const agent = gitIn(workspace.root);
    tree.write("own.txt", "committed\n");
    agent("add", "own.txt");
    agent("commit", "--quiet", "--message=of the agent");
    const theirs = agent("rev-parse", "HEAD");
    tree.write("more.txt", "not committed\n");
    writeFileSync(armed, "");
    /** As a run that stops with the error, and goes on when git works again. */
    const step = async (act: (fresh: Workspaces) => Promise<unknown>): Promise<void> => {
      try {
        await act(box.workspaces({ env }));
      } catch (error) {
        if (!(error instanceof OrchError) || !existsSync(armed)) throw error;
        rmSync(armed);
        await step(act);
      }
    };
    await step((fresh) => fresh.checkpoint(workspace, label("t")));
    await step((fresh) => commitWork(fresh, workspace, T, "work"));
    await step((fresh) => fresh.rescue(workspace, T, "at its end"));
    await step((fresh) => fresh.remove(workspace, T, "in commits or a rescue"));
    expect([existsSync(hit), existsSync(armed)]).toEqual([true, false]);
    expect(box.git("log", "--format=%H %an", "orch/t")).toContain(theirs);
    expect(box.git("log", "-1", "--format=%an", "orch/t")).not.toBe("orch");
    expect(box.git("show", "orch/t:more.txt")).toBe("not committed");
  },
);
