// Does a step stay inside the files it may write, also over several attempts?

import { expect, test } from "vitest";

import { eventsOf, expectSound } from "../support/run-record.ts";
import { COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const PARTIAL = { report: { version: 1, status: "partial", summary: "Half of it." } };
const STRAYS = { write: { path: "stray.txt", text: "stray\n" } };
const UNDOES = { run: "rm stray.txt" };

function project(...attempts: readonly (readonly object[])[]): Sandbox {
  return smallProject({
    config: `interactionThreshold: 0,
      defaultPipeline: "fenced",
      pipelines: { fenced: [{ name: "implement", prompt: "self", fileAccess: { allowWrite: ["good.txt"] } }] },`,
    sessions: attempts.map((acts, index) => ({ attempt: index + 1, do: acts })),
  });
}

const rules = (box: Sandbox) => eventsOf(box, "decided").map(({ decision }) => decision.rule);

test.each<[string, readonly (readonly object[])[], number, readonly string[]]>([
  ["left there", [[STRAYS, ...GOOD_WORK], [COMPLETED]], 3, ["disputed", "disputed"]],
  [
    "undone",
    [
      [STRAYS, ...GOOD_WORK],
      [UNDOES, COMPLETED],
    ],
    0,
    ["disputed", "gate-green"],
  ],
  [
    "written while nothing was claimed",
    [[STRAYS, PARTIAL], [...GOOD_WORK], [UNDOES, COMPLETED]],
    0,
    ["gate-red", "disputed", "gate-green"],
  ],
])(
  "a file outside the fence counts for as long as it stands: %s",
  async (_name, attempts, exitCode, expected) => {
    const box = project(...attempts);
    const run = await box.inProcess(["run", "task.md"]);
    expect(rules(box)).toEqual(expected);
    expect(run.exitCode).toBe(exitCode);
    expectSound(box);
  },
);
