// What does orch answer when Claude Code's hooks call it?

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { NO_FENCE } from "../../src/core/model/fence.ts";
import type { IrreversibleAction } from "../../src/core/model/irreversible.ts";
import { NOT_PERMITTED } from "../../src/core/decide/action-verdict.ts";
import { createHooks } from "../../src/drivers/claude-code/hooks.ts";
import type { SessionRequest } from "../../src/engine/ports.ts";
import { opened, type Opened } from "../support/asking.ts";
import { answer, question as asked } from "../support/builders.ts";
import type { JsonObject } from "../../src/core/model/json.ts";
import { session } from "../support/sessions.ts";

const redact = (text: string): string => text.replaceAll("hunter2hunter2", "[redacted]");

interface Hooked extends Opened {
  readonly hook: (name: string, input: JsonObject) => unknown;
  readonly ask: (input?: object) => unknown;
  readonly act: (input?: object) => unknown;
}

/** A session whose hooks are called. `answers` are those of calls that were put off before. */
async function hooked(
  change: Partial<SessionRequest> = {},
  answers: Readonly<Record<string, string>> = {},
): Promise<Hooked> {
  const tree = session().request;
  const given = { cwd: tree.cwd, reportPath: tree.reportPath, ...change };
  const hooks = createHooks({ ...tree, ...given, home: null, redact });
  const made = await opened(given, { asks: "defer", answers: new Map(Object.entries(answers)) });
  const hook: Hooked["hook"] = (name, input) => hooks.answer(name, input, made.questions);
  const ask = (input: object = {}): unknown =>
    hook("ask", { tool_use_id: "toolu_1", tool_input: { question: "Which port?" }, ...input });
  const act = (input: object = {}): unknown =>
    hook("act", {
      tool_use_id: "toolu_1",
      cwd: given.cwd,
      tool_input: { command: "cd lib && npm publish" },
      ...input,
    });
  return { ...made, hook, ask, act };
}

const answered = (...pairs: readonly [question: string, text: string][]) =>
  pairs.map(([question, text]) => ({ question: asked({ question }), answer: answer({ text }) }));

const permission = (permissionDecision: string, reason?: unknown) => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision,
    ...(reason !== undefined && { permissionDecisionReason: reason }),
  },
});

describe("a question", () => {
  test("is put off until a person has answered it", async () => {
    const { ask } = await hooked();
    expect(ask()).toEqual(permission("defer"));
    expect(ask()).toEqual(permission("defer"));
    const next = await hooked({}, { toolu_1: "8080" });
    expect(await next.ask()).toEqual(permission("allow"));
  });

  test("waits alone: a second one is sent back", async () => {
    const { ask } = await hooked();
    ask();
    expect(ask({ tool_use_id: "toolu_2" })).toEqual(
      permission("deny", expect.stringContaining("One question at a time")),
    );
  });

  test("that waits comes before any prompt", async () => {
    const { ask, hook } = await hooked();
    expect(hook("prompt", { prompt: "Go on." })).toBeNull();
    ask();
    expect(hook("prompt", { prompt: "Go on." })).toEqual({
      decision: "block",
      reason: "a question waits for its answer first",
    });
  });

  test("that orch answers by itself is not put off", async () => {
    const { ask } = await hooked({ history: answered(["Which database?", "SQLite"]) });
    expect(ask({ tool_input: { question: " which DATABASE " } })).toEqual(permission("allow"));
  });

  test("of a sub-agent is sent back", async () => {
    const { ask } = await hooked();
    expect(ask({ agent_id: "a1" })).toEqual(
      permission("deny", expect.stringContaining("Only the main agent")),
    );
  });
});

describe("an act that cannot be undone", () => {
  const question = (words: string, { cwd }: SessionRequest): string =>
    `May the agent publish a package, an image or a release? ${words} (in ${cwd}/lib)`;

  test("is put off until a person has decided, and its question is kept", async () => {
    const { act, questions, request } = await hooked({ level: 1 });
    expect(act()).toEqual(permission("defer"));
    expect(questions.deferred).toMatchObject({
      call: "toolu_1",
      act: {
        question: question("npm publish", request),
        options: ["Allow it", "Refuse it"],
        default: "Refuse it",
      },
    });
  });

  test("is not put off in the place of another one that came under the id of its call", async () => {
    const { act, questions } = await hooked({ level: 1 });
    expect(act({ tool_input: { command: "npm publish --tag next" } })).toEqual(permission("defer"));
    expect(act()).toEqual(permission("deny", expect.stringContaining("another one")));
    expect(questions.deferred?.act?.question).toContain("--tag next");
  });

  test("is shown without a secret, though it is too long to be shown whole", async () => {
    const { act, questions } = await hooked({ level: 1 });
    // Its beginning and its end are shown, and the beginning ends within the secret.
    const command = `npm publish ${"x".repeat(201)} hunter2hunter2 ${"y".repeat(300)}`;
    expect(act({ tool_input: { command } })).toEqual(permission("defer"));
    expect(JSON.stringify(questions.deferred)).not.toContain("hunt");
  });

  test("is done where the person allows it", async () => {
    const { act } = await hooked({}, { toolu_1: "Allow it" });
    expect(act()).toEqual(permission("allow"));
  });

  test("is not done where the person says anything else, and the agent gets the words", async () => {
    const { act } = await hooked({}, { toolu_1: "Only with --dry-run, please" });
    expect(act()).toEqual(
      permission(
        "deny",
        expect.stringContaining('The answer was: "Only with --dry-run, please". Leave'),
      ),
    );
  });

  test("is refused at level 0, and that goes on record", async () => {
    const { act, questions, request } = await hooked({ level: 0 });
    expect(act()).toEqual(permission("deny", NOT_PERMITTED));
    expect(questions.unasked).toEqual([
      {
        question: question("npm publish", request),
        impact: "blocking",
        why: "level",
        answer: "refused: no one was available to allow it",
      },
    ]);
  });

  test("or is a write outside the tree: refused at every level, and on record without a secret", async () => {
    const { hook, questions } = await hooked({ level: 5 });
    hook("write", { tool_input: { file_path: "/srv/hunter2hunter2/a.txt" } });
    const [{ question: words, answer: reply } = { question: "", answer: "" }] = questions.unasked;
    expect(words).toMatch(/^May the agent write \/srv\/(?!hunter).*a\.txt\?$/);
    expect(reply).toBe("refused: it is outside the task's tree");
  });

  test("that was decided on in this task is not asked again; one that is like it is", async () => {
    const { request } = session();
    const { act, questions } = await hooked({
      cwd: request.cwd,
      history: answered(
        [question("npm publish", request), "Allow it"],
        [question("npm publish --tag old", request), "No"],
      ),
    });
    expect(act()).toEqual(permission("allow"));
    const calls = (command: string): unknown =>
      act({ tool_use_id: "toolu_2", tool_input: { command } });
    expect(calls("cd lib && npm publish --tag old")).toEqual(
      permission("deny", expect.stringContaining("not allowed")),
    );
    expect(calls("npm publish")).toEqual(permission("defer"));
    expect(questions.deferred?.act?.question).not.toContain("lib");
  });

  const allowing = (...allowedActions: readonly IrreversibleAction[]) => ({ allowedActions });

  test("that the task allows is allowed, and no other", async () => {
    const { act } = await hooked({ level: 0, ...allowing("publish") });
    expect(act()).toEqual(permission("allow"));
    expect(act({ tool_input: { command: "git push origin main" } })).toEqual(
      permission("deny", NOT_PERMITTED),
    );
  });

  test("of a sub-agent is refused: only the main agent can be asked for", async () => {
    const { act } = await hooked();
    expect(act({ agent_id: "a1" })).toEqual(
      permission("deny", expect.stringContaining("Only the main agent")),
    );
  });

  test.each(["npm test", "echo npm publish"])("is not seen in %j", async (command) => {
    const { act } = await hooked();
    expect(act({ tool_input: { command } })).toEqual(permission("allow"));
  });
});

test.each([
  ["Write, Edit and MultiEdit", "file_path"],
  ["NotebookEdit", "notebook_path"],
])("a write by %s out of the scope is refused, and no other", async (_tool, key) => {
  const { hook } = await hooked({ fence: { ...NO_FENCE, scope: ["src/**"] } });
  expect(hook("write", { tool_input: { [key]: "docs/a.md" } })).toEqual(
    permission("deny", expect.stringContaining("only `src/**`")),
  );
  expect(hook("write", { tool_input: { [key]: "src/a.ts" } })).toBeNull();
});

describe("an agent that wants to stop", () => {
  const stopping = async () => {
    const { hook, request } = await hooked();
    return { stop: () => hook("stop", { stop_hook_active: false }), report: request.reportPath };
  };
  const refused = (reason: string) => ({
    decision: "block",
    reason: expect.stringContaining(reason),
  });

  test("may, with a valid report", async () => {
    const { stop, report } = await stopping();
    writeFileSync(report, '{"version":1,"status":"completed","summary":"Did it."}');
    expect(stop()).toBeNull();
  });

  test("is sent back with a report that is not in order", async () => {
    const { stop, report } = await stopping();
    writeFileSync(report, '{"status":"blocked","summary":"x"}');
    expect(stop()).toEqual(refused('"blockers" must name'));
  });

  test("is told what is wrong and where to write, twice, and is then let go", async () => {
    const { stop, report } = await stopping();
    expect(stop()).toEqual({
      decision: "block",
      reason: [
        "Your report is not in order yet:",
        "- there is no report file there yet",
        `Write it as one JSON object to ${report}, then stop. At least:`,
        '{"version": 1, "status": "completed | partial | failed | blocked", "summary": "what you did and what is left"}',
      ].join("\n"),
    });
    expect(stop()).toEqual(refused("no report file"));
    expect(stop()).toBeNull();
  });

  test("cannot pass a link or a folder off as a report", async () => {
    const { stop, report } = await stopping();
    writeFileSync(`${report}-real`, '{"version":1,"status":"completed","summary":"x"}');
    symlinkSync(`${report}-real`, report);
    expect(stop()).toEqual(refused("no report file"));
    rmSync(report);
    mkdirSync(report);
    expect(stop()).toEqual(refused("no report file"));
  });
});
