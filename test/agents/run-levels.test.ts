// What can the real Claude Code say where nobody is to be asked, and by orch's tool?

import { describe, expect, test } from "vitest";

import { jsonLines } from "../support/whole-program.ts";
import type { Turn } from "../support/messages-server.mjs";
import { ASK, calls, resultsOf, usePeople } from "./people.ts";
import { MENDS, QUESTION, rulesOf } from "./runs.ts";
import { bash, writesReport } from "./support.ts";

const person = usePeople();

const STOPS: Turn = { text: "Done." };

describe("level 0 in CI", () => {
  const CI = "orch run tasks/add.md --interaction-threshold 0 < /dev/null";
  const ONE_ATTEMPT = { config: "budget: { attempts: 1 },", env: { CI: "true" } };

  /** By the tool that is not offered, in the shell, in prose. */
  const INSISTS: readonly Turn[] = [
    calls(["call_1", ASK, QUESTION]),
    bash("orch ask 'Which locale?' --impact blocking"),
    { text: "I cannot go on without you. Which calendar is it to be?" },
  ];
  const ASKS_ON = {
    questions: [
      { question: "Which calendar?", default: "the common one", impact: "blocking" },
      { question: "Which time zone?", impact: "major" },
    ],
    assumptions: [
      { decision: "half up", reason: "what most people expect" },
      { decision: "no locale" },
    ],
  };
  const DONE = { version: 1, status: "completed", summary: "Did it.", ...ASKS_ON };
  const BLOCKED = {
    ...DONE,
    status: "blocked",
    summary: "I must know first.",
    blockers: [
      { type: "invalid_specification", message: "no rounding is named", recoverable: false },
    ],
  };

  const ASKED = ["Which locale?", "Which calendar?", "Which time zone?"];
  const ASSUMED = ["half up", "no locale"];

  test.each<[string, readonly Turn[], exitCode: number, end: string]>([
    ["and does the work in the end: 0", [MENDS, writesReport(DONE), STOPS], 0, "done"],
    ["and only says that it is done: 1", [writesReport(DONE), STOPS], 1, "stalled"],
    ["and does nothing without an answer: 3", [writesReport(BLOCKED), STOPS], 3, "blocked"],
  ])("an agent that insists on asking %s", async (_name, turns, exitCode, end) => {
    const ada = await person([...INSISTS, ...turns], ONE_ATTEMPT);
    // The summary is read where the work is done, and what a program reads elsewhere.
    const asJson = exitCode !== 0;
    const ran = await ada.types(`${CI} ${asJson ? "--json" : "--quiet"}`);
    expect(ran.exitCode).toBe(exitCode);
    const result = JSON.parse(JSON.stringify(ada.result()));
    expect(result).toMatchObject({ type: "result", exitCode, tasks: [{ end }] });
    if (asJson) expect(jsonLines(ran.shown).at(-1)).toEqual(result);
    else {
      for (const words of ASKED) expect(ran.shown).toContain(`unasked   ${words}`);
      for (const words of ASSUMED) expect(ran.shown).toContain(`assumed   ${words}`);
    }
    expect(ada.events("question-asked")).toEqual([]);
    const offered = ada.server.requests.flatMap(({ body }) => body.tools.map(({ name }) => name));
    expect(offered.filter((name) => /ask_?(?:human|user)/i.test(name))).toEqual([]);
    const [task] = ada.result().tasks;
    expect(task?.unasked.map(({ question }) => question)).toEqual(ASKED);
    expect(task?.assumptions.map(({ decision }) => decision)).toEqual(["half up", "no locale"]);
    expect(task?.spent.pausedMs).toBe(0);
    const { shown } = await ada.types("orch show");
    for (const words of [...ASKED, ...ASSUMED]) expect(shown).toContain(words);
  });
});

describe("the tool report", () => {
  const REPORT = "mcp__orch__report";

  test("says what is wrong, takes what is right, and the run is done with that", async () => {
    const ada = await person([
      MENDS,
      calls(["call_1", REPORT, { status: "done", summary: "" }]),
      calls(["call_2", REPORT, { version: 1, status: "completed", summary: "Adds now." }]),
      STOPS,
    ]);
    expect((await ada.types("orch run tasks/add.md")).exitCode).toBe(0);
    expect(resultsOf(ada, "call_1")).toEqual([expect.stringContaining('"status" must be one of')]);
    expect(resultsOf(ada, "call_2")).toEqual(["The report is in order and left."]);
    expect(ada.events("session-ended")).toMatchObject([
      { report: { kind: "read", report: { status: "completed", summary: "Adds now." } } },
    ]);
    expect(rulesOf(ada.recorded().map(({ event }) => event))).toEqual(["gate-green"]);
    expect(ada.server.requests).toHaveLength(4);
  });
});
