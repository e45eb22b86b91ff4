import { describe, expect, test } from "vitest";

import { OrchError } from "../../src/errors.ts";
import { Log } from "../../src/engine/log.ts";
import { run } from "../../src/engine/run.ts";
import { fold } from "../../src/core/run/reduce.ts";
import { step, task } from "../support/builders.ts";
import { fault } from "../core/builders.ts";
import { begun, ends, eventsOf, live, lived, rulesOf, scenario, works } from "./lives.ts";
import { portsInMemory, world } from "./ports-in-memory.ts";

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

describe("a lock of git's that another program holds", () => {
  test("makes the task wait, and nobody else", async () => {
    const apart = ["a", "b"].map((id) =>
      task(id, { steps: [step({ level: 0 })], scope: [`${id}/**`] }),
    );
    const outer = world();
    const log = begun(outer, apart, { parallel: 2 });
    const outside = portsInMemory(
      outer,
      log,
      scenario({ plays: { a: [works("good a")], b: [works("good b")] } }),
    );
    let locked = 3;
    const { workspaces } = outside;
    const make: typeof workspaces.make = async (workspace, id, tree, signal) => {
      if (id === "a" && locked-- > 0) throw new OrchError("git-busy", "a lock", "wait");
      return workspaces.make(workspace, id, tree, signal);
    };
    const state = await run(new Log(fold(log), outside.store, outside.view), {
      ...outside,
      workspaces: { ...workspaces, make },
    });
    expect(state.exitCode).toBe(0);
    expect(eventsOf(log, "tree-locked")).toEqual([
      { type: "tree-locked", task: "a", why: "a lock" },
    ]);
    expect(eventsOf(log, "task-ended").map((event) => event.task)).toEqual(["b", "a"]);
  });

  test("is waited for no longer than the task may wait in all", async () => {
    const outer = world();
    const reset = { waits: true, maxWaitMs: 3_000 };
    const log = begun(outer, [task("a", { steps: [step({ level: 0 })], reset })]);
    const outside = portsInMemory(outer, log, scenario({ plays: [works("good")] }));
    const make = (): Promise<never> =>
      Promise.reject(new OrchError("git-busy", `at ${outside.clock.nowMs()}`, "wait"));
    const beganMs = outside.clock.nowMs();
    const running = run(new Log(fold(log), outside.store, outside.view), {
      ...outside,
      workspaces: { ...outside.workspaces, make },
    });
    await expect(running).rejects.toMatchObject({ message: `at ${beganMs + 4_000}` });
  });
});
