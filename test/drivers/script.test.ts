import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

import { idOf } from "../../src/core/model/ids.ts";
import type { SessionEnding } from "../../src/core/model/session.ts";
import { createScriptDriver } from "../../src/drivers/script.ts";
import type { AgentDriver, SessionRequest } from "../../src/engine/ports.ts";
import { ownProgram } from "../support/own-program.ts";
import { PROGRAM } from "../support/run-orch.ts";
import { hastyDeps, never, session, type Session } from "../support/sessions.ts";
import { driverContract, type Behaviour } from "./driver-contract.ts";

const player = join(dirname(PROGRAM), "script-agent.cjs");

const STUBBORN = `trap '' TERM INT HUP; echo armed > armed.txt; while :; do sleep 1; done`;
const SET_LOOSE = `setsid sh -c "${STUBBORN}" > /dev/null 2>&1 & until [ -s armed.txt ]; do sleep 0.01; done`;

const STEPS: Partial<Record<Behaviour, readonly object[]>> = {
  finishes: [{ say: "done" }],
  crashes: [{ exit: 3 }],
  "killed-by-signal": [{ run: "kill -KILL $PPID" }, { hang: true }],
  hangs: [{ say: "ready" }, { hang: true }],
  "hangs-with-stubborn-grandchild": [{ run: SET_LOOSE }, { hang: true }],
  "leaves-a-daemon": [{ run: SET_LOOSE }, { say: "done" }],
};

function scripted(sessions: readonly object[]): AgentDriver {
  const path = join(session().request.attemptDir, "script.json");
  writeFileSync(path, JSON.stringify({ sessions }));
  return driverOf(path);
}

function driverOf(script: string): AgentDriver {
  return createScriptDriver(
    { name: "demo", driver: "script", script, model: null, env: {} },
    { ...hastyDeps, ...ownProgram(), player },
  );
}

function does(...steps: readonly object[]): AgentDriver {
  return scripted([{ do: steps }]);
}

driverContract("script", {
  // Its program is Node itself, it reads its input first, and a signal ends it at once.
  cannot: ["program-missing", "prints-before-input", "ignores-signals", "chatters-for-ever"],
  make: (behaviour) => does(...(STEPS[behaviour] ?? [])),
});

test("a played session is told apart by kind: words, tool calls, results, cost", async () => {
  const { request, events } = session();
  const end = await does(
    { say: "I write a file." },
    { think: "which one?" },
    { write: { path: "src/slug.ts", text: "export {};\n" } },
    { edit: { path: "src/slug.ts", find: "{}", replace: "{ slug }" } },
    { run: "cat src/slug.ts" },
    { usage: { input: 100, output: 20, cacheRead: 1_000, costUsd: 0.5 } },
    { usage: { output: 5, costUsd: 0.25 } },
    { report: { version: 1, status: "completed", summary: "slug is there" } },
  ).run(request, never);
  expect(events).toEqual([
    { type: "text", text: "I write a file." },
    { type: "thinking", text: "which one?" },
    { type: "tool-call", id: "call-2", tool: "write", input: "src/slug.ts" },
    { type: "tool-result", id: "call-2", isError: false, output: "11 characters" },
    { type: "tool-call", id: "call-3", tool: "edit", input: "src/slug.ts" },
    { type: "tool-result", id: "call-3", isError: false, output: "edited" },
    { type: "tool-call", id: "call-4", tool: "run", input: "cat src/slug.ts" },
    { type: "tool-result", id: "call-4", isError: false, output: "export { slug };" },
    { type: "tool-call", id: "call-7", tool: "report", input: "ORCH_REPORT" },
    { type: "tool-result", id: "call-7", isError: false, output: "left" },
  ]);
  const tokens = { input: 100, output: 25, cacheRead: 1_000, cacheWrite: 0 };
  expect(end).toEqual({
    ending: { kind: "finished" },
    usage: { byModel: { script: tokens }, costUsd: 0.75, turns: 2 },
    sessionId: request.token,
    totals: { byModel: { script: tokens }, costUsd: 0.75 },
    agentVersion: null,
    unasked: [],
  });
  expect(JSON.parse(readFileSync(request.reportPath, "utf8"))).toEqual({
    version: 1,
    status: "completed",
    summary: "slug is there",
  });
});

describe("asking", () => {
  const asks = [
    { ask: { question: "Which database?", options: ["SQLite", "Postgres"], impact: "major" } },
    { say: "Then ${answer}." },
    { write: { path: "db.txt", text: "${answer}" } },
  ];
  const asked = {
    question: "Which database?",
    options: ["SQLite", "Postgres"],
    default: null,
    impact: "major",
    context: null,
    expiresInMs: null,
    toolUseId: "0:0",
  } as const;

  test("a question ends the session, and its answer goes on where it stopped", async () => {
    const driver = does(...asks);
    const first = session();
    const end = await driver.run(first.request, never);
    expect(end.ending).toEqual({ kind: "asked", asked });
    expect(first.said()).toBe("");

    const second = session({
      cwd: first.request.cwd,
      prompt: "",
      start: {
        kind: "deliver",
        sessionId: end.sessionId ?? "",
        toolUseId: asked.toolUseId,
        answer: "SQLite",
      },
    });
    const last = await driver.run(second.request, never);
    expect(last.ending).toEqual({ kind: "finished" });
    expect(last.sessionId).toBe(end.sessionId);
    expect(second.said()).toBe("Then SQLite.");
    expect(readFileSync(join(first.request.cwd, "db.txt"), "utf8")).toBe("SQLite");
  });

  const CONSERVATIVE = expect.stringContaining("most conservative reading");
  const earlier = (question: string): Pick<SessionRequest, "history"> => ({
    history: [
      {
        question: {
          ...asked,
          id: idOf("q-1"),
          task: idOf("add-slug"),
          step: idOf("plan"),
          attempt: 1,
          kind: "question",
          question,
          context: [],
          askedAt: "2026-01-01T00:00:00.000Z",
          expiresAt: null,
          whenExpired: "default",
          budget: null,
        },
        answer: {
          id: idOf("q-1"),
          action: "answer",
          text: "Postgres",
          by: "prompt",
          at: "2026-01-01T00:01:00.000Z",
        },
      },
    ],
  });

  test.each<[string, Partial<SessionRequest>, string, unknown]>([
    ["at level 0 nobody is asked, and the agent is told so", { level: 0 }, "level", CONSERVATIVE],
    ["a major question is below level 2", { level: 2 }, "level", CONSERVATIVE],
    ["the fourth question of a task is not put", { questionsLeft: 0 }, "too-many", CONSERVATIVE],
    [
      "a question asked before is answered from the history",
      earlier("which  database"),
      "duplicate",
      "Postgres",
    ],
  ])("%s", async (_name, overrides, why, answer) => {
    const { request, said } = session(overrides);
    const { ending, unasked } = await does(...asks).run(request, never);
    expect({ ending, unasked }).toEqual({
      ending: { kind: "finished" },
      unasked: [{ question: "Which database?", impact: "major", why, answer }],
    });
    expect(said()).toContain(why === "duplicate" ? "Then Postgres." : "most conservative reading");
  });
});

describe("which session is played", () => {
  const cast = scripted.bind(null, [
    { followUp: "write-report", do: [{ say: "report written" }] },
    { task: "add-slug", step: "implement", attempt: 2, do: [{ say: "second attempt" }] },
    { task: "add-slug", step: "implement", nth: 2, do: [{ say: "tried again" }] },
    { task: "add-slug", do: [{ say: "first attempt" }] },
  ]);
  const followUp = (why: "write-report" | "go-on"): Partial<SessionRequest> => ({
    start: { kind: "follow-up", sessionId: "token-0", why },
  });
  const names = (step: string, attempt: string): Pick<SessionRequest, "names"> => ({
    names: { run: "run-1", task: "add-slug", step, attempt },
  });

  test.each<[string, Partial<SessionRequest>, string]>([
    ["the one for this task", {}, "first attempt"],
    ["the one for this attempt", names("implement", "2"), "second attempt"],
    ["a general one where none is for this step", names("review", "2"), "first attempt"],
    ["a further prompt has its own", followUp("write-report"), "report written"],
    ["or plays what a fresh one would", followUp("go-on"), "first attempt"],
  ])("%s", async (_name, overrides, text) => {
    const { request, said } = session(overrides);
    await cast().run(request, never);
    expect(said()).toBe(text);
  });

  test("the second session of one attempt may differ from the first", async () => {
    const driver = cast();
    const { request, said } = session();
    await driver.run(request, never);
    await driver.run({ ...request, token: idOf("second") }, never);
    expect(said()).toBe("first attempt\ntried again");
  });

  test("a follow-up that the script does not know is a session that adds nothing", async () => {
    const { request, said } = session(followUp("write-report"));
    const { ending } = await does({ say: "hello" }).run(request, never);
    expect({ ending, said: said() }).toEqual({ ending: { kind: "finished" }, said: "" });
  });
});

describe("what a script cannot do", () => {
  test.each<[string, string]>([
    ["write outside the tree", "../escaped.txt"],
    ["write to an absolute path", "/tmp/orch-escaped.txt"],
    ["write through a linked folder", "linked/escaped.txt"],
    ["write through a linked file", "linked.txt"],
  ])("%s", async (_name, path) => {
    const { request, events } = session();
    const outside = join(request.attemptDir, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(request.cwd, "linked"));
    symlinkSync(join(outside, "file"), join(request.cwd, "linked.txt"));
    const { ending } = await does({ write: { path, text: "x" } }).run(request, never);
    expect(ending).toEqual({ kind: "finished" });
    expect(events.at(-1)).toMatchObject({ type: "tool-result", isError: true });
  });

  test.each<[string, (request: SessionRequest) => AgentDriver, Partial<SessionEnding>]>([
    [
      "be missing",
      () => driverOf("/nowhere/script.json"),
      { reason: "refused", detail: expect.stringContaining("/nowhere/script.json") },
    ],
    [
      "hold a step that does not exist",
      () => does({ sya: "hello" }),
      {
        reason: "refused",
        detail: expect.stringContaining("sessions[0].do[0]: expected one step"),
      },
    ],
    [
      "leave a fresh session without a part",
      () => scripted([{ task: "other", do: [] }]),
      { reason: "refused", detail: expect.stringContaining('no session for task "add-slug"') },
    ],
  ])("%s: then it is not started", async (_name, make, expected) => {
    const { request } = session();
    const { ending } = await make(request).run(request, never);
    expect(ending).toEqual({ kind: "not-started", ...expected });
  });

  test("take an answer where it asks nothing any more", async () => {
    const answer = { toolUseId: "0:7", answer: "yes" };
    const { request } = session({ start: { kind: "deliver", sessionId: "token-0", ...answer } });
    const { ending } = await does({ say: "hello" }).run(request, never);
    expect(ending).toMatchObject({ kind: "not-started", reason: "conversation-unknown" });
  });
});

test("a scripted fault ends the session as a provider's would", async () => {
  const { request } = session();
  const { ending } = await does({ fault: { kind: "overloaded", httpStatus: 529 } }).run(
    request,
    never,
  );
  expect(ending).toEqual({
    kind: "fault",
    fault: {
      kind: "overloaded",
      httpStatus: 529,
      resetAtMs: null,
      retryAfterMs: null,
      message: "as the script says",
    },
  });
});

test.each<[string, Partial<SessionRequest>, SessionEnding]>([
  ["cost within what is left is fine", { costLeftUsd: 0.5 }, { kind: "finished" }],
  ["cost beyond what is left ends it", { costLeftUsd: 0.49 }, { kind: "limit", limit: "cost" }],
  [
    "so do too many turns",
    { limits: { turns: 1, idleMs: 60_000, sessionMs: 60_000 } },
    { kind: "limit", limit: "turns" },
  ],
])("%s", async (_name, overrides, ending) => {
  const { request }: Session = session(overrides);
  const end = await does({ usage: { costUsd: 0.5, turns: 2 } }).run(request, never);
  expect(end.ending).toEqual(ending);
});
