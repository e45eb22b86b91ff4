// What does orch say when Claude Code gets a prompt, is about to act or to ask, or wants to stop?

import { resolve } from "node:path";

import { pathInside, realPath } from "../../adapters/files/small-file.ts";
import { redactDeep, type Redact } from "../../adapters/redact.ts";
import { unaskedAnswer } from "../../core/decide/asking.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { refusedWrite } from "../fenced-write.ts";
import { isWorthAsking, refusalToStop } from "../stopping.ts";
import { judgeAct } from "../permission.ts";
import { NOT_PERMITTED, verdictBy, type Settled } from "../../core/decide/action-verdict.ts";
import type { SessionRequest } from "../../engine/ports.ts";
import type { Deferred, OpenQuestions } from "../../mcp/open-questions.ts";
import { parseAskedQuestion } from "../../schema/channel-request.ts";
import { objectAt, textAt, type JsonObject } from "../../core/model/json.ts";
import { ASK_TOOL, SHELL_TOOL, WRITE_TOOLS } from "./names.ts";

const REFUSALS_MAX = 2;

/** What the hooks of one session are answered by. */
export type HookedSession = Pick<
  SessionRequest,
  "cwd" | "reportPath" | "allowedActions" | "fence"
> & {
  /** The agent's home folder; null: it has none. */
  readonly home: string | null;
  /** What a person is shown of a call, and what is compared with earlier questions, holds no secret. */
  readonly redact: Redact;
};

export type Hooks = ReturnType<typeof createHooks>;

const TIMEOUT_S = 30;

/**
 * Which hooks are called when, by the names that `answer` knows them by. One that fails or gets no
 * answer in time holds its call back; in older versions than 2.1.329 only one that is late does.
 */
export const HOOKS = {
  // A prompt comes before anything else: where this is not called, no hook is.
  UserPromptSubmit: [matcher("prompt")],
  PreToolUse: [matcher("act", SHELL_TOOL), matcher("write", WRITE_TOOLS), matcher("ask", ASK_TOOL)],
  Stop: [matcher("stop")],
};

function matcher(name: string, tools?: string): object {
  return {
    ...(tools !== undefined && { matcher: tools }),
    hookCallbackIds: [name],
    timeout: TIMEOUT_S,
    onFailure: "block",
  };
}

/** Answers the hooks of one process of a session, and remembers what it needs of them. */
export function createHooks(session: HookedSession) {
  let live = false;
  let refusals = 0;
  const reasons = new Set<string>();
  const block = (reason: string): object => {
    reasons.add(reason);
    return { decision: "block", reason };
  };
  const permitted = (permission: Permission | null): object | null => {
    if (permission === null) return null;
    if (permission.permissionDecision === "deny") reasons.add(permission.permissionDecisionReason);
    return { hookSpecificOutput: { hookEventName: "PreToolUse", ...permission } };
  };
  /** null has no effect. */
  const answer = (name: string, given: JsonObject, questions: OpenQuestions): object | null => {
    live = true;
    switch (name) {
      case "ask":
        return permitted(permitAsking(session, questions, given));
      case "act":
        return permitted(permitAct(session, questions, given));
      case "write":
        return permitted(permitWrite(session, questions, given));
      case "prompt":
        return questions.isWaiting ? block(PROMPT_HELD_BACK) : null;
      case "stop": {
        // At most twice in one process, and not where a person is to answer what it asks in words.
        const isLeft = refusals >= REFUSALS_MAX || isWorthAsking(given, questions);
        const refusal = isLeft ? null : refusalToStop(session.reportPath);
        if (refusal === null) return null;
        refusals += 1;
        return block(refusal.reason);
      }
      default:
        return null;
    }
  };
  /** Hooks that are not taken up are missed in silence: this is the proof that they are. */
  return {
    answer,
    areLive: () => live,
    /** Words of a refusal that are orch's. */
    isOwn: (words: string) => [...reasons].some((reason) => words.includes(reason)),
  };
}

type Permission =
  | { readonly permissionDecision: "allow" | "defer" }
  | { readonly permissionDecision: "deny"; readonly permissionDecisionReason: string };

const ALLOW: Permission = { permissionDecision: "allow" };

/**
 * "defer" ends the process with the call on record, and a person gets the question. "allow" hands
 * the call to orch's tool, which has an answer or makes one.
 */
function permitAsking(
  { redact }: HookedSession,
  questions: OpenQuestions,
  input: JsonObject,
): Permission {
  if (textAt(input, "agent_id") !== null)
    return deny("Only the main agent can ask a person. Return your question to it as your result.");
  const id = textAt(input, "tool_use_id");
  if (id === null) return deny(NO_ID);
  if (questions.answerTo(id) !== null) return ALLOW;
  const asked = parseAskedQuestion(redactDeep(input["tool_input"], redact, () => false));
  if (asked === null) return deny('Give the question as text in "question".');
  if (unaskedAnswer(questions.asking, asked) !== null) return ALLOW;
  return defer(questions, { call: id, act: null });
}

function defer(questions: OpenQuestions, deferred: Deferred): Permission {
  return questions.defer(deferred)
    ? { permissionDecision: "defer" }
    : deny("One question at a time: another one is waiting. Try this again after its answer.");
}

/**
 * What cannot be undone is put off until a person has decided, or refused where none is to be
 * asked. Every other command is allowed, unless the program's own rules forbid it. null: it is none.
 *
 * Never throws: what a hook that fails does not allow is asked by the program of nobody.
 */
function permitAct(
  { cwd: root, home, allowedActions, redact }: HookedSession,
  questions: OpenQuestions,
  input: JsonObject,
): Permission | null {
  try {
    const command = textAt(objectAt(input, "tool_input") ?? {}, "command");
    if (command === null) return null;
    const where = { root, cwd: textAt(input, "cwd") ?? root, home };
    const { asking } = questions;
    const judged = judgeAct(command, { where, allowedActions, asking, redact });
    const id = textAt(input, "tool_use_id");
    const answer = id === null || judged.kind === "allow" ? null : questions.answerTo(id);
    if (answer !== null) return settled(questions, verdictBy(answer));
    if (judged.kind !== "ask") return settled(questions, judged);
    if (textAt(input, "agent_id") !== null) return deny(MAIN_AGENT);
    return id === null ? deny(NO_ID) : defer(questions, { call: id, act: judged.question });
  } catch {
    return deny(NOT_PERMITTED);
  }
}

function settled(questions: OpenQuestions, verdict: Settled): Permission {
  if (verdict.kind === "allow") return ALLOW;
  if (verdict.unasked !== null) questions.note(verdict.unasked);
  return deny(verdict.reason);
}

/** What was to be written outside the tree goes on record: a person may have wanted it. */
function permitWrite(session: HookedSession, questions: OpenQuestions, input: JsonObject) {
  const given = objectAt(input, "tool_input") ?? {};
  const path = textAt(given, "file_path") ?? textAt(given, "notebook_path");
  if (path === null) return null;
  const { cwd: root, reportPath, fence } = session;
  const cwd = textAt(input, "cwd") ?? root;
  const refusal = refusedWrite(path, { root, reportPath, fence }, { cwd });
  if (refusal === null) return null;
  const question = `May the agent write ${excerpt(session.redact(path), 400)}?`;
  if (pathInside(realPath(root), realPath(resolve(cwd, path))) === null)
    questions.note({ question, impact: "blocking", why: "level", answer: OUTSIDE });
  return deny(refusal);
}

const OUTSIDE = "refused: it is outside the task's tree";
const MAIN_AGENT =
  "This cannot be undone, or others would see it. Only the main agent may do it, because only there can a person be asked. Leave it undone, and say so in your result.";

const NO_ID = "This call cannot be answered: it has no id.";

function deny(permissionDecisionReason: string): Permission {
  return { permissionDecision: "deny", permissionDecisionReason };
}

/**
 * A call that was pending when the conversation was taken up is looked at before the prompt. Where
 * it is put off again, the prompt would have the question dropped: the prompt is held back instead.
 */
const PROMPT_HELD_BACK = "a question waits for its answer first";
