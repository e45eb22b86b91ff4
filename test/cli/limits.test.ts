import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { endsOf, eventsOf } from "../support/run-record.ts";
import { smallProject } from "../support/small-project.ts";
import { noLeftovers } from "../support/whole-program.ts";

const SPENDS = [
  { run: "echo >> $BESIDE/spent" },
  { usage: { input: 100, costUsd: 0.5 } },
  { hang: true },
];

// Each session spends 100 tokens and half a dollar, and orch is killed as soon as it has recorded that.
test.each([
  ["tokens", "tokens: 250", 3],
  ["cost", "costUsd: 1.25", 3],
])("a limit of %s holds, however often orch is killed", async (name, budget, most) => {
  const config = `interactionThreshold: 0, budget: { ${budget} },`;
  const box = smallProject({ config, sessions: [{ do: SPENDS }] });
  let ended: { readonly exitCode: number | null } = { exitCode: null };
  for (let life = 0; life <= most && ended.exitCode === null; life += 1) {
    const program = box.start([...(life === 0 ? ["run", "task.md"] : ["resume"]), "--json"]);
    const seen = program.event(
      ({ type, usage }) => type === "session-progressed" && JSON.stringify(usage).includes("100"),
    );
    await seen.catch(() => null); // It ended by itself.
    program.kill("SIGKILL");
    ended = await program.ended;
    if (ended.exitCode === null) await noLeftovers(box);
  }
  expect(ended.exitCode).toBe(6);
  const [end] = eventsOf(box, "task-ended").map((event) => event.end);
  expect(endsOf(box)).toEqual({ task: "over-budget" });
  expect(end).toMatchObject({ reason: expect.stringMatching(new RegExp(`^${name}: `)) });
  expect(readFileSync(join(box.beside, "spent"), "utf8")).toHaveLength(most);
});
