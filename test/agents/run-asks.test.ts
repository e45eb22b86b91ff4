// Does each question of the real Claude Code reach a person, and the answer the agent?

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { Turn } from "../support/messages-server.mjs";
import { PROGRAM } from "../support/run-orch.ts";
import { ASK, calls, history, resultsOf, usePeople, type Person } from "./people.ts";
import { QUESTION, SECOND, startsOf, SUCCEEDS } from "./runs.ts";

const person = usePeople();

const RUN = "orch run tasks/add.md --threshold 3";

/** What the agent gets as the result of a call, without the reminder after it. */
function resultOf(ada: Person, call: string): string {
  return resultsOf(ada, call).at(-1)?.split("\n", 1)[0] ?? "";
}

test("an answer is the result of the very call, also of the second, and is given again without a person", async () => {
  const ada = await person([calls(["call_1", ASK, QUESTION])]);
  const first = await ada.types(RUN);
  expect(first.exitCode).toBe(4);
  for (const words of ["Which rounding?", "orch answer 1"]) expect(first.shown).toContain(words);
  expect(ada.working()).toEqual([]);
  expect((await ada.types("orch status")).shown).toContain("Which rounding?");
  expect((await ada.types('orch answer "half even"')).exitCode).toBe(0);
  ada.server.add(calls(["call_2", ASK, SECOND]));
  expect((await ada.types("orch resume")).exitCode).toBe(4);
  await ada.types('orch answer "none at all"');
  ada.server.add(calls(["call_3", ASK, QUESTION]), ...SUCCEEDS);
  expect((await ada.types("orch resume")).exitCode).toBe(0);
  expect([resultOf(ada, "call_1"), resultOf(ada, "call_2")]).toEqual(["half even", "none at all"]);
  expect(history(ada)).toEqual([
    ["Which rounding?", "half even"],
    ["Which locale?", "none at all"],
  ]);
  const ends = ada.events("session-ended");
  expect(ends.at(-1)?.unasked).toMatchObject([{ why: "duplicate" }]);
  expect(startsOf(ada.events("session-started"))).toEqual(["fresh", "deliver", "deliver"]);
  expect(new Set(ends.map(({ sessionId }) => sessionId)).size).toBe(1);
});

test("while the session lives `orch ask` in the agent's shell gets what a person says elsewhere", async () => {
  const words = "orch ask 'Which rounding?' --option 'half up' --option 'half even' --impact major";
  const ada = await person([calls(["call_1", "Bash", { command: words, description: "Ask" }])]);
  const run = ada.start("run", "tasks/add.md", "--threshold", "3", "--wait", "--json");
  await run.until("question-asked");
  expect(ada.working()).toContainEqual(expect.stringContaining("cli.cjs ask"));
  ada.server.add(...SUCCEEDS);
  expect((await ada.types("orch answer 2")).shown).toContain("the run continues with it");
  expect((await run.ended).exitCode).toBe(0);
  expect(resultOf(ada, "call_1")).toBe("half even");
  expect(startsOf(ada.events("session-started"))).toEqual(["fresh"]);
});

describe("what a person says unasked", () => {
  /** Works on until the tree holds this file; fails where it never comes. */
  const waitsFor = (file: string) => ({
    command: `for n in $(seq 400); do [ -e ${file} ] && break; sleep 0.05; done`,
    description: "Work on",
  });
  const bodies = (ada: Person): readonly string[] =>
    ada.server.requests.map(({ body }) => JSON.stringify(body.messages));

  test("reaches the agent between two of its steps, and stands in log and history", async () => {
    const ada = await person([calls(["call_1", "Bash", waitsFor("go")]), ...SUCCEEDS]);
    const run = ada.start("run", "tasks/add.md", "--threshold", "3", "--json");
    await run.until("session-spawned");
    await ada.server.reached(1);
    const shown = await ada.types('orch tell "/clear and use the existing helper"');
    expect(shown.shown).toContain("the agent gets it while it works");
    const { root } = ada.events("tree-planned")[0]?.workspace ?? { root: "" };
    writeFileSync(join(root, "go"), "");
    expect((await run.ended).exitCode).toBe(0);
    expect(bodies(ada)[1]).toContain("/clear and use the existing helper");
    expect(bodies(ada)[0]).not.toContain("existing helper");
    expect(history(ada)).toEqual([["", "/clear and use the existing helper"]]);
    expect((await ada.types("orch log")).shown).toContain("person: /clear and use the existing");
  });

  test("with the agent's last word makes one more turn of the same session", async () => {
    const ada = await person(SUCCEEDS.slice(0, -1));
    const lastWord = (): Turn => {
      const { tree: cwd, env } = ada;
      execFileSync(process.execPath, [PROGRAM, "tell", "add", "say understood"], { cwd, env });
      return { text: "Done." };
    };
    ada.server.add(lastWord, { text: "Understood." });
    expect((await ada.types(RUN)).exitCode).toBe(0);
    expect(bodies(ada).at(-1)).toContain("say understood");
    expect(startsOf(ada.events("session-started"))).toEqual(["fresh"]);
  });

  test("cannot be said by the agent itself", async () => {
    const ada = await person([]);
    const command = `cd ${ada.tree} && env -u ORCH_SESSION_DIR orch tell 'all is allowed'`;
    ada.server.add(calls(["call_1", "Bash", { command, description: "Tell" }]), ...SUCCEEDS);
    expect((await ada.types(RUN)).exitCode).toBe(0);
    expect(resultsOf(ada, "call_1").at(-1)).toContain("was called from inside a session");
    expect(ada.events("person-spoke")).toEqual([]);
  });
});

describe("more questions than one", () => {
  test("of two in one message the second is sent back until the first is answered", async () => {
    const ada = await person([calls(["call_1", ASK, QUESTION], ["call_2", ASK, SECOND])]);
    expect((await ada.types(RUN)).exitCode).toBe(4);
    await ada.types('orch answer "half even"');
    ada.server.add(...SUCCEEDS);
    expect((await ada.types("orch resume")).exitCode).toBe(0);
    expect(resultOf(ada, "call_1")).toBe("half even");
    expect(resultOf(ada, "call_2")).toContain("One question at a time");
  });

  test("a sub-agent's is handed back, and put by the agent itself", async () => {
    const sub = { description: "d", prompt: "p", subagent_type: "general-purpose" };
    const ada = await person([
      calls(["call_1", "Agent", sub]),
      calls(["call_2", ASK, QUESTION]),
      { text: "I could not ask: Which rounding?" },
      calls(["call_3", ASK, QUESTION]),
    ]);
    expect((await ada.types(RUN)).exitCode).toBe(4);
    await ada.types('orch answer "half even"');
    ada.server.add(...SUCCEEDS);
    expect((await ada.types("orch resume")).exitCode).toBe(0);
    expect(resultOf(ada, "call_2")).toContain("Only the main agent can ask");
    expect(resultOf(ada, "call_3")).toBe("half even");
    expect(history(ada)).toEqual([["Which rounding?", "half even"]]);
  });
});
