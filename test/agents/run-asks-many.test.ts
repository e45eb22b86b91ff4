// Does each question reach a person where the real Claude Code asks more than one, or its sub-agents do?

import { describe, expect, test } from "vitest";

import type { Turn } from "../support/messages-server.mjs";
import { ASK, calls, history, resultsOf, told, usePeople } from "./people.ts";
import { QUESTION, SECOND, startsOf, SUCCEEDS } from "./runs.ts";
import { bash } from "./support.ts";

const person = usePeople();

const RUN = "orch run tasks/add.md --threshold 3";

describe("more questions than one", () => {
  test("of two in one message both are answered, one after the other", async () => {
    const both = calls(["call_1", ASK, QUESTION], ["call_2", ASK, SECOND]);
    const ada = await person([both]);
    expect((await ada.types(RUN)).exitCode).toBe(4);
    await ada.types('orch answer "half even"');
    ada.server.add(calls(["call_3", ASK, SECOND]));
    expect((await ada.types("orch resume")).exitCode).toBe(4);
    await ada.types('orch answer "none at all"');
    ada.server.add(...SUCCEEDS);
    expect((await ada.types("orch resume")).exitCode).toBe(0);
    expect(told(ada, "call_1")).toEqual(["half even"]);
    expect(told(ada, "call_2")).toEqual([expect.stringContaining("One question at a time")]);
    expect(told(ada, "call_3")).toEqual(["none at all"]);
    expect(history(ada)).toEqual([
      ["Which rounding?", "half even"],
      ["Which locale?", "none at all"],
    ]);
  });

  test("of a tool call and an `orch ask` in one message none is lost", async () => {
    const inShell = { command: "orch ask 'Which locale?' --impact major", description: "Ask" };
    const ada = await person([calls(["call_1", ASK, QUESTION], ["call_2", "Bash", inShell])]);
    expect((await ada.types(RUN)).exitCode).toBe(4);
    await ada.types('orch answer "half even"');
    ada.server.add(calls(["call_3", ASK, SECOND]));
    expect((await ada.types("orch resume")).exitCode).toBe(4);
    await ada.types('orch answer "none at all"');
    ada.server.add(...SUCCEEDS);
    expect((await ada.types("orch resume")).exitCode).toBe(0);
    ada.notes(`the shell's call was told: ${resultsOf(ada, "call_2").join(" / ")}`);
    expect(told(ada, "call_1")).toEqual(["half even"]);
    expect(told(ada, "call_3")).toEqual(["none at all"]);
    expect(history(ada).map(([question]) => question)).toEqual([
      "Which rounding?",
      "Which locale?",
    ]);
  });

  const AGENT = { description: "d", prompt: "p", subagent_type: "general-purpose" };

  test("a sub-agent's is handed back, and put by the agent itself", async () => {
    const ada = await person([
      calls(["call_1", "Agent", AGENT]),
      calls(["call_2", ASK, QUESTION]),
      { text: "I could not ask: Which rounding?" },
      calls(["call_3", ASK, QUESTION]),
    ]);
    expect((await ada.types(RUN)).exitCode).toBe(4);
    await ada.types('orch answer "half even"');
    ada.server.add(...SUCCEEDS);
    expect((await ada.types("orch resume")).exitCode).toBe(0);
    expect(told(ada, "call_2")).toEqual([expect.stringContaining("Only the main agent can ask")]);
    expect(told(ada, "call_3")).toEqual(["half even"]);
    expect(history(ada)).toEqual([["Which rounding?", "half even"]]);
    expect(ada.events("question-asked")).toHaveLength(1);
  });

  test("a sub-agent's `orch ask` waits for a person like any other", async () => {
    const turns: readonly Turn[] = [
      calls(["call_1", "Agent", AGENT]),
      bash("orch ask 'Which rounding?' --impact major"),
      { text: "A person was asked." },
      { text: "I wait." },
      { text: "I wait." },
      { text: "I wait." },
    ];
    const ada = await person(turns);
    expect((await ada.types(RUN)).exitCode).toBe(4);
    await ada.types('orch answer "half even"');
    ada.server.replace(...SUCCEEDS);
    expect((await ada.types("orch resume")).exitCode).toBe(0);
    expect(history(ada)).toEqual([["Which rounding?", "half even"]]);
    expect(JSON.stringify(ada.server.requests.at(-1)?.body.messages)).toContain(
      "Answered: half even",
    );
    expect(startsOf(ada.events("session-started"))).toEqual(["fresh", "answer"]);
  });
});
