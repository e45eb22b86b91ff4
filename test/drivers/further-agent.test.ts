// What does one more agent take? A row of facts, and a reader of its lines: this one is pi's `--mode json`.

import { expect, test } from "vitest";

import { isObject, listAt, nameAt, numberAt, objectAt } from "../../src/core/model/json.ts";
import { NO_USAGE, type SessionEnding } from "../../src/core/model/session.ts";
import type { AgentSpec } from "../../src/core/model/settings.ts";
import { addTokens } from "../../src/core/run/budget.ts";
import { createStreamDriver, type StreamAgent } from "../../src/drivers/stream-agent.ts";
import { OWN_PROGRAM } from "../support/run-orch.ts";
import { hastyDeps, never, session } from "../support/sessions.ts";

type Spec = Extract<AgentSpec, { driver: "command" }>;

const PI: StreamAgent<Spec> = {
  name: "command",
  abilities: { resumes: true, tellsSteps: true, asks: false, tellsCost: true },
  conversation: /^[\w-]+$/,
  open: ({ spec, request, env }) => {
    const [file, ...args] = spec.command;
    let { byModel } = NO_USAGE;
    let ending: SessionEnding | null = null;
    let sessionId: string | null = null;
    return {
      file,
      args,
      env,
      input: request.prompt,
      take: (event) => {
        if (nameAt(event, "type") === "session") sessionId = nameAt(event, "id");
        const message = objectAt(event, "message");
        if (nameAt(event, "type") !== "message_end" || message === null) return [];
        // A request that failed ends like any other, with exit code 0.
        const detail = nameAt(message, "errorMessage");
        const isFailed = nameAt(message, "stopReason") === "error";
        ending = isFailed ? { kind: "crashed", exitCode: 0, signal: null, detail } : null;
        const usage = objectAt(message, "usage") ?? {};
        const count = (key: string): number => numberAt(usage, key) ?? 0;
        const [input, output] = [count("input"), count("output")];
        const tokens = {
          input,
          output,
          cacheRead: count("cacheRead"),
          cacheWrite: count("cacheWrite"),
        };
        byModel = addTokens(byModel, { [nameAt(message, "model")]: tokens });
        const texts = listAt(message, "content").filter(isObject);
        return texts.map((block) => ({ type: "text", text: nameAt(block, "text") }) as const);
      },
      end: () => ({
        ...(ending !== null && { ending }),
        usage: { ...NO_USAGE, byModel },
        sessionId,
      }),
    };
  },
};

/** A session with a program that prints these lines. */
async function play(lines: readonly object[]) {
  const quoted = lines.map((line) => `'${JSON.stringify(line)}'`).join(" ");
  const plain = { name: "pi", model: null, env: {}, promptVia: "stdin", prints: "text" } as const;
  const command = ["/bin/sh", "-c", `cat > prompt; printf '%s\\n' ${quoted}`] as const;
  const spec: Spec = { ...plain, driver: "command", command };
  const { request, events } = session();
  const driver = createStreamDriver(PI, spec, { ...hastyDeps, ...OWN_PROGRAM });
  return { end: await driver.run(request, never), events };
}

const says = (message: object) => ({ type: "message_end", message: { model: "m", ...message } });

test("one that works is told like any other", async () => {
  const { end, events } = await play([
    { type: "session", id: "s-1" },
    says({ content: [{ type: "text", text: "Hello." }], usage: { input: 5, output: 2 } }),
  ]);
  expect(events).toEqual([{ type: "text", text: "Hello." }]);
  expect(end).toMatchObject({
    ending: { kind: "finished" },
    sessionId: "s-1",
    usage: { byModel: { m: { input: 5, output: 2, cacheRead: 0, cacheWrite: 0 } } },
  });
});

test("a failed request is none, whatever the exit code says", async () => {
  const { end } = await play([says({ stopReason: "error", errorMessage: "401 no such key" })]);
  expect(end.ending).toMatchObject({ kind: "crashed", detail: "401 no such key" });
});
