// What may the loop rely on, whichever driver runs the session?

import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { runProgram } from "../../src/adapters/process/run-program.ts";
import type { AgentDriver } from "../../src/engine/ports.ts";
import { until } from "../support/processes.ts";
import { never, session } from "../support/sessions.ts";

/** What the agent behind the driver does; each is a script of `test/fake-agent/scripts`. */
export type Behaviour =
  | "finishes"
  | "crashes"
  | "killed-by-signal"
  | "program-missing"
  | "hangs"
  | "hangs-with-stubborn-grandchild"
  | "leaves-a-daemon"
  | "chatters-for-ever"
  | "ignores-signals"
  | "prints-before-input";

export interface Subject {
  /** A driver whose agent behaves so; with `hastyDeps` where it takes any. */
  make(behaviour: Behaviour): AgentDriver | Promise<AgentDriver>;
}

export function driverContract(name: string, subject: Subject): void {
  const rule = (sentence: string, behaviour: Behaviour, check: Check): void => {
    // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- Both come with the rule.
    test(sentence, async () => check(await subject.make(behaviour)));
  };
  describe(`the contract of drivers: ${name}`, () => {
    endings(rule);
    limits(rule);
  });
}

type Check = (driver: AgentDriver) => Promise<void>;
type Rule = (sentence: string, behaviour: Behaviour, check: Check) => void;

function endings(rule: Rule): void {
  rule("an agent that ends its turn has finished", "finishes", async (driver) => {
    const { request, living } = session();
    expect((await driver.run(request, never)).ending).toEqual({ kind: "finished" });
    expect(living()).toEqual([]);
  });
  rule("a crash is an ending, with its exit code", "crashes", async (driver) => {
    const { request } = session();
    const { ending } = await driver.run(request, never);
    expect(ending).toMatchObject({ kind: "crashed", exitCode: 3, signal: null });
  });
  rule("death by a signal is an ending, with the signal", "killed-by-signal", async (driver) => {
    const { request } = session();
    const { ending } = await driver.run(request, never);
    expect(ending).toMatchObject({ kind: "crashed", exitCode: null, signal: "SIGKILL" });
  });
  rule("a missing program is an ending, not an error", "program-missing", async (driver) => {
    const { request } = session();
    const { ending } = await driver.run(request, never);
    expect(ending).toMatchObject({ kind: "not-started", reason: "program-missing" });
  });
  rule(
    "a session that is called off before it starts starts nothing",
    "finishes",
    async (driver) => {
      let spawned = 0;
      const { request } = session({
        onSpawn: () => {
          spawned += 1;
          return Promise.resolve();
        },
      });
      const { ending } = await driver.run(request, AbortSignal.abort());
      expect({ ending, spawned }).toEqual({ ending: { kind: "interrupted" }, spawned: 0 });
    },
  );
  rule(
    "a session that cannot be put on record does not run",
    "prints-before-input",
    async (driver) => {
      const { request, living } = session({
        onSpawn: () => Promise.reject(new Error("disk full")),
      });
      const { ending } = await driver.run(request, never);
      expect({ ending, living: living() }).toEqual({ ending: { kind: "interrupted" }, living: [] });
    },
  );
  rule(
    "the process is on record before it is given anything to do",
    "prints-before-input",
    async (driver) => {
      const order: string[] = [];
      const { request, hears } = session({
        onSpawn: async () => {
          await hears("ready");
          // Whatever was already on its way to the agent has time to arrive.
          for (let i = 0; i < 5; i += 1)
            await runProgram("true", [], { cwd: "/", env: {}, timeoutMs: 9_000 });
          order.push("recorded");
        },
      });
      await driver.run(
        {
          ...request,
          onEvent: (event) => {
            request.onEvent(event);
            if (event.type === "text") order.push(event.text);
          },
        },
        never,
      );
      expect(order).toEqual(["ready", "recorded", expect.stringContaining("prompt")]);
    },
  );
}

function limits(rule: Rule): void {
  rule(
    "calling a session off ends its whole tree, even what ignores every request and left its group",
    "hangs-with-stubborn-grandchild",
    async (driver) => {
      const { request, living } = session();
      const abort = new AbortController();
      const run = driver.run(request, abort.signal);
      const armed = join(request.cwd, "armed.txt");
      await until(() => (statSync(armed, { throwIfNoEntry: false })?.size ?? 0) > 0);
      const before = living().length;
      abort.abort();
      const { ending } = await run;
      expect(before).toBeGreaterThan(1);
      expect({ ending, living: living() }).toEqual({ ending: { kind: "interrupted" }, living: [] });
    },
  );
  rule(
    "a daemon the agent set loose is ended with the session",
    "leaves-a-daemon",
    async (driver) => {
      const { request, living } = session();
      const { ending } = await driver.run(request, never);
      expect({ ending, living: living() }).toEqual({ ending: { kind: "finished" }, living: [] });
    },
  );
  rule("silence ends a session", "hangs", async (driver) => {
    const { request, living } = session({
      limits: { turns: 9, idleMs: 400, sessionMs: 60_000 },
    });
    const { ending } = await driver.run(request, never);
    expect(ending).toEqual({ kind: "timed-out", limit: "idle" });
    expect(living()).toEqual([]);
  });
  rule("talk does not keep a session alive past its time", "chatters-for-ever", async (driver) => {
    const { request, living } = session({
      limits: { turns: 9, idleMs: 60_000, sessionMs: 700 },
    });
    const { ending } = await driver.run(request, never);
    expect(ending).toEqual({ kind: "timed-out", limit: "session" });
    expect(living()).toEqual([]);
  });
  rule("the first cause of an ending is kept", "ignores-signals", async (driver) => {
    const { request, hears } = session({ limits: { turns: 9, idleMs: 1_000, sessionMs: 60_000 } });
    const abort = new AbortController();
    const run = driver.run(request, abort.signal);
    await hears("ignored SIGINT");
    abort.abort();
    expect((await run).ending).toEqual({ kind: "timed-out", limit: "idle" });
  });
}
