// Does a question of the real Claude Code reach a person, and the answer the agent, whatever comes between?

import { watch } from "node:fs";

import { describe, expect, test } from "vitest";

import {
  ASK,
  calls,
  diesAfter,
  history,
  told,
  usePeople,
  type Person,
  type Window,
} from "./people.ts";
import { QUESTION, SECOND, startsOf, SUCCEEDS } from "./runs.ts";

const person = usePeople();

const RUN = "orch run tasks/add.md --threshold 3";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function starts(ada: Person): readonly string[] {
  return startsOf(ada.events("session-started"));
}

test("the next day an answer is the result of the very call, and on the day after that of the second", async () => {
  const ada = await person([calls(["call_1", ASK, QUESTION])]);
  const first = await ada.types(RUN);
  expect(first.exitCode).toBe(4);
  for (const words of ["Which rounding?", "orch answer --option 1"])
    expect(first.shown).toContain(words);
  expect(ada.working()).toEqual([]);
  ada.waits(DAY_MS);
  expect((await ada.types("orch status")).shown).toContain("Which rounding?");
  expect((await ada.types('orch answer "half even"')).exitCode).toBe(0);
  expect((await ada.types('orch answer "half up"')).exitCode).toBe(2);
  ada.server.add(calls(["call_2", ASK, SECOND]));
  expect((await ada.types("orch resume")).exitCode).toBe(4);
  ada.waits(DAY_MS);
  await ada.types('orch answer "none at all"');
  ada.server.add(calls(["call_3", ASK, QUESTION]), ...SUCCEEDS);
  expect((await ada.types("orch resume")).exitCode).toBe(0);
  expect([told(ada, "call_1"), told(ada, "call_2")]).toEqual([["half even"], ["none at all"]]);
  expect(history(ada)).toEqual([
    ["Which rounding?", "half even"],
    ["Which locale?", "none at all"],
  ]);
  // Asked once more, it is answered without a person, who was asked before.
  expect(ada.events("session-ended").at(-1)?.unasked).toMatchObject([{ why: "duplicate" }]);
  expect(starts(ada)).toEqual(["fresh", "deliver", "deliver"]);
  const conversations = ada.events("session-ended").map(({ sessionId }) => sessionId);
  expect(new Set(conversations).size).toBe(1);
  // Days of waiting are no working time.
  const { spent } = ada.result();
  expect(spent.pausedMs).toBeGreaterThanOrEqual(2 * DAY_MS);
  expect(spent.pausedMs).toBeLessThan(2 * DAY_MS + HOUR_MS);
  expect(spent.workMs).toBeLessThan(HOUR_MS);
});

test("a question at the prompt outlives Ctrl+C and a closed window; it is answered by its number, the next one in words", async () => {
  const ada = await person([calls(["call_1", ASK, QUESTION])]);
  const asked = async (line: string): Promise<Window> => {
    const window = ada.opens(line);
    await window.until("Which rounding?");
    await window.until("[2] half even");
    await window.until("> ");
    // It is asked before anything else.
    expect(ada.server.requests).toHaveLength(1);
    return window;
  };
  const first = await asked(RUN);
  first.type("\u0003");
  expect(await first.closed).toBe(130);
  expect(ada.working()).toEqual([]);
  const second = await asked("orch resume");
  second.closeWindow();
  await second.closed;
  await ada.deserted();
  expect(ada.events("run-interrupted")).toHaveLength(2);
  const third = await asked("orch resume");
  expect(third.shown()).not.toContain("claude-code");
  ada.server.add(calls(["call_2", ASK, SECOND]));
  third.type("2\r");
  await third.until("Which locale?");
  await third.until("> ");
  ada.server.add(...SUCCEEDS);
  third.type("none at all\r");
  await third.until("done, proven by its gates");
  expect(await third.closed).toBe(0);
  expect([told(ada, "call_1"), told(ada, "call_2")]).toEqual([["half even"], ["none at all"]]);
  expect(ada.events("question-asked")).toHaveLength(2);
  expect(starts(ada)).toEqual(["fresh", "deliver", "deliver"]);
});

describe("while the session lives", () => {
  test("`orch ask` in the agent's shell gets what a person says elsewhere", async () => {
    const words =
      "orch ask 'Which rounding?' --option 'half up' --option 'half even' --impact major";
    const ada = await person([calls(["call_1", "Bash", { command: words, description: "Ask" }])]);
    const run = ada.start("run", "tasks/add.md", "--threshold", "3", "--wait", "--json");
    await run.until("question-asked");
    ada.notes("orch run … --wait is at work, and the agent's `orch ask` is held");
    expect(ada.working()).toContainEqual(expect.stringContaining("cli.cjs ask"));
    ada.server.add(...SUCCEEDS);
    const written = firstIn(ada.files().inbox);
    const heard = run.until("answered").then(() => performance.now());
    const taken = ada.server.reached(2).then(() => performance.now());
    const begunAt = performance.now();
    const answer = await ada.types("orch answer --option 2");
    const endedAt = performance.now();
    expect(answer.shown).toContain("the run continues with it");
    expect((await run.ended).exitCode).toBe(0);
    const ms = (from: number, to: number): string => `${Math.round(to - from)} milliseconds`;
    ada.notes(`from the file in the inbox to the run: ${ms(await written, await heard)}`);
    ada.notes(`from the run to the model's next request: ${ms(await heard, await taken)}`);
    ada.notes(`orch answer, start to end: ${ms(begunAt, endedAt)}`);
    expect(told(ada, "call_1")).toEqual(["half even"]);
    expect(starts(ada)).toEqual(["fresh"]);
    const order = ["question-asked", "answered", "session-ended", "gate-ended", "decided"];
    const types = ada.recorded().map(({ event }) => event.type);
    expect(types.filter((type) => order.includes(type))).toEqual(order);
  });

  test("and what is typed at the prompt beside it", async () => {
    const words =
      "orch ask 'Which rounding?' --option 'half up' --option 'half even' --impact major";
    const ada = await person([calls(["call_1", "Bash", { command: words, description: "Ask" }])]);
    const window = ada.opens(RUN);
    await window.until("[2] half even");
    await window.until("> ");
    expect(ada.working()).toContainEqual(expect.stringContaining("cli.cjs ask"));
    ada.server.add(...SUCCEEDS);
    window.type("2\r");
    await window.until("done, proven by its gates");
    expect(await window.closed).toBe(0);
    expect(told(ada, "call_1")).toEqual(["half even"]);
    expect(starts(ada)).toEqual(["fresh"]);
  });
});

/** When the first file appears in a folder. */
async function firstIn(folder: string): Promise<number> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_event, name) => {
      if (!/^[^.].*\.json$/.test(name ?? "")) return;
      watcher.close();
      resolve(performance.now());
    });
  });
}

describe("killed", () => {
  test("between the agent's asking and the question on record, resume puts it", async () => {
    const ada = await person([calls(["call_1", ASK, QUESTION])]);
    expect((await ada.types(RUN, diesAfter("session-ended"))).signal).toBe("SIGKILL");
    await ada.deserted();
    expect(ada.events("question-asked")).toEqual([]);
    expect((await ada.types("orch resume")).exitCode).toBe(4);
    await ada.types('orch answer "half even"');
    ada.server.add(...SUCCEEDS);
    expect((await ada.types("orch resume")).exitCode).toBe(0);
    expect(told(ada, "call_1")).toEqual(["half even"]);
    expect(ada.events("question-asked")).toHaveLength(1);
    expect(starts(ada)).toEqual(["fresh", "deliver"]);
  });

  test("between the answer on record and its session, resume delivers it once", async () => {
    const ada = await person([calls(["call_1", ASK, QUESTION])]);
    expect((await ada.types(RUN)).exitCode).toBe(4);
    await ada.types('orch answer "half even"');
    expect((await ada.types("orch resume", diesAfter("answered"))).signal).toBe("SIGKILL");
    await ada.deserted();
    expect(ada.recorded().at(-1)?.event.type).toBe("answered");
    expect(ada.server.requests).toHaveLength(1);
    ada.server.add(...SUCCEEDS);
    expect((await ada.types("orch resume")).exitCode).toBe(0);
    expect(told(ada, "call_1")).toEqual(["half even"]);
    expect(ada.events("answered")).toHaveLength(1);
    expect(starts(ada)).toEqual(["fresh", "deliver"]);
  });
});
