import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { endsOf, eventsOf } from "../support/run-record.ts";
import { claudeLikeAgent, scriptedAgent } from "../support/scripted-agent.ts";
import { GOOD_WORK, smallProject } from "../support/small-project.ts";
import { noLeftovers, type Sandbox } from "../support/whole-program.ts";

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

const EVENTS = scriptedAgent("script.json", 'prints: "events"');
/** One answer of its model: a million tokens, which cost a dollar. */
const CALL = { say: JSON.stringify({ type: "usage", model: "m", input: 1_000_000 }) };

/** Its first session does some work, calls its model twice and stays for good; the next one does it all. */
function endless(budget: string, files: Readonly<Record<string, string>> = {}): Sandbox {
  const works = { write: { path: "begun.txt", text: "begun" } };
  return smallProject({
    config: `budget: ${budget}, prices: { m: { input: 1, output: 1 } }, agents: { scripted: ${EVENTS} },`,
    sessions: [{ attempt: 1, do: [works, CALL, CALL, { hang: true }] }, { do: GOOD_WORK }],
    files,
  });
}

const reserves = (box: Sandbox) =>
  eventsOf(box, "session-started").map(({ reserved }) => reserved.costUsd);
const endings = (box: Sandbox) => eventsOf(box, "session-ended").map(({ ending }) => ending);

test("a session ends where its task's money is spent, and may go on where a person gives more", async () => {
  const box = endless("{ costUsd: 1.5 }");
  const { exitCode } = await box.inProcess(["run", "task.md", "--threshold", "2"]);
  expect([exitCode, endings(box)]).toEqual([4, [{ kind: "limit", limit: "cost" }]]);
  const budget = { limit: "cost", used: 2, most: 1.5 };
  expect(eventsOf(box, "question-asked")).toMatchObject([{ question: { budget } }]);
  await box.inProcess(["answer", "--extend", "1 USD"]);
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  expect(reserves(box)).toEqual([1.5, 0.5]);
});

test("a session ends where its task's tokens are spent, and what it did is measured and kept", async () => {
  const box = endless("{ tokens: 2_000_000 }");
  const { exitCode } = await box.inProcess(["run", "task.md", "--threshold", "0"]);
  expect([exitCode, endings(box)]).toEqual([6, [{ kind: "limit", limit: "tokens" }]]);
  expect(eventsOf(box, "task-ended")).toMatchObject([{ end: { reason: "tokens: 2M of 2M" } }]);
  expect(eventsOf(box, "measured").map(({ of }) => of)).toContain("work");
  const [rescued] = eventsOf(box, "rescued");
  expect(box.git("show", `${rescued?.ref}:begun.txt`)).toBe("begun");
});

test("two sessions at once spend no more than their run has", async () => {
  const scoped = (name: string) => `---\nscope: ["${name}/**"]\n---\n# ${name}\n\nMake it good.\n`;
  const files = { "tasks/a.md": scoped("a"), "tasks/b.md": scoped("b") };
  const box = endless("{ costUsd: 4, run: { costUsd: 4 } }", files);
  await box.inProcess(["run", "tasks", "--threshold", "0", "--parallel", "2"]);
  const limit = { kind: "limit", limit: "cost" };
  expect(endings(box)).toEqual([limit, limit]);
  expect(reserves(box)).toEqual([2, 2]);
  expect(endsOf(box)).toEqual({ a: "over-budget", b: "over-budget" });
});
