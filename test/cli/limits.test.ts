import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { endsOf, eventsOf } from "../support/run-record.ts";
import { claudeLikeAgent } from "../support/scripted-agent.ts";
import { smallProject } from "../support/small-project.ts";
import { noLeftovers } from "../support/whole-program.ts";

const SPENDS = [{ run: "echo >> $BESIDE/spent" }, { say: "used 100" }, { hang: true }];

test("a limit of tokens holds, however often orch is killed", async () => {
  const box = smallProject({
    config: `interactionThreshold: 0, budget: { tokens: 250 },
      agents: { scripted: ${claudeLikeAgent()} },`,
    sessions: [{ do: SPENDS }],
  });
  let ended: { readonly exitCode: number | null } = { exitCode: null };
  for (let life = 0; life <= 3 && ended.exitCode === null; life += 1) {
    const program = box.start([...(life === 0 ? ["run", "task.md"] : ["resume"]), "--json"]);
    // Killed as soon as orch has recorded what the session spent.
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
  expect(end).toMatchObject({ reason: expect.stringMatching(/^tokens: /) });
  expect(readFileSync(join(box.beside, "spent"), "utf8")).toHaveLength(3);
});
