import { describe, expect, test } from "vitest";

import { step, task } from "../support/builders.ts";
import { fault } from "../core/builders.ts";
import { begun, ends, eventsOf, live, lived, rulesOf, scenario, works } from "./lives.ts";
import { world } from "./ports-in-memory.ts";

const alone = [task("add-login", { steps: [step({ level: 0 })] })];

describe("interrupted", () => {
  test("in a session, the run keeps its state and goes on in the same conversation", async () => {
    const [outer, log] = [world(), begun(world(), alone)];
    const plays = [ends({ kind: "interrupted" }), works("good")];
    const first = await live(outer, log, scenario({ plays }));
    expect(first.code).toBe(130);
    expect(first.state.tasks[0]?.phase).toBe("interrupted");
    expect(log.at(-1)?.event).toEqual({ type: "run-interrupted", signal: "SIGINT" });
    const second = await live(outer, log, scenario({ plays }));
    expect(second.code).toBe(0);
    expect(outer.sessions[1]?.start).toMatchObject({ kind: "follow-up", why: "go-on" });
    expect(second.state.tasks[0]?.steps[0]?.counted).toBe(1);
  });

  test("in a session whose report was written, the next process asks the gates", async () => {
    const plays = { "add-login": [works("good", { ending: { kind: "interrupted" } })] };
    const { outer, log } = await lived(alone, { plays });
    const second = await live(outer, log, scenario({ plays }));
    expect(second.code).toBe(0);
    expect(outer.sessions).toHaveLength(1);
  });

  test("in a wait, the next process waits for the same moment", async () => {
    const outer = world({ stops: { gate: 0, sleep: 1, prompt: 0 } });
    const log = begun(outer, alone);
    const plays = [ends(fault("usage-limit")), works("good")];
    const first = await live(outer, log, scenario({ plays }));
    expect(first.code).toBe(143);
    expect(first.state.tasks[0]?.phase).toBe("waiting_for_reset");
    const moment = outer.nowMs + 15 * 60_000;
    const second = await live(outer, log, scenario({ plays }));
    expect(second.code).toBe(0);
    const woke = log.find(({ event }) => event.type === "wait-ended");
    expect(Date.parse(woke?.at ?? "")).toBe(moment);
    expect(rulesOf(log)).toEqual(["usage-limit-poll", "gate-green"]);
  });
});

describe("a tree that somebody removed meanwhile", () => {
  test("is made again with the work as the last checkpoint has it", async () => {
    const plays = [works("half"), ends({ kind: "interrupted" }), works(null)];
    const { outer, log } = await lived(alone, { plays });
    outer.trees = {};
    const { code } = await live(
      outer,
      log,
      scenario({ plays, verdict: () => ({ kind: "passed" }) }),
    );
    expect(code).toBe(0);
    expect(eventsOf(log, "tree-planned")).toHaveLength(2);
    expect(outer.merged).toBe("half");
  });
});

describe("the log", () => {
  test("that cannot be written stops the run, and nothing happens because of what is not on disk", async () => {
    const [outer, log] = [world(), begun(world(), alone)];
    const refuse = {
      onAppend: (events: readonly { readonly type: string }[]) => {
        if (events[0]?.type === "session-started") throw new Error("disk full");
      },
    };
    await expect(live(outer, log, scenario(), refuse)).rejects.toThrow("disk full");
    expect(outer.sessions).toEqual([]);
  });

  test("shows nothing that is not on disk", async () => {
    const { outer, log } = await lived(alone);
    expect(outer.shown).toEqual(log.slice(2).map(({ event }) => event.type));
  });
});
