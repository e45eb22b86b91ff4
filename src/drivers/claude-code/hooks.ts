// What does orch say when Claude Code starts, asks a question, or wants to stop?

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { readSmallFile } from "../../adapters/files/small-file.ts";
import { unaskedAnswer } from "../../core/decide/asking.ts";
import { isSafeId } from "../../core/model/ids.ts";
import type { FoundAction } from "../../core/model/irreversible.ts";
import { irreversibleIn } from "../../readers/acts/find.ts";
import {
  actionQuestion,
  actionVerdict,
  NOT_PERMITTED,
  verdictBy,
  type Settled,
} from "../../core/decide/action-verdict.ts";
import {
  claimPending,
  hasPending,
  noteUnasked,
  readAnswer,
  readAsking,
  readHold,
} from "../../mcp/ask-files.ts";
import { parseAskedQuestion, type PendingQuestion } from "../../schema/ask-file.ts";
import { REPORT_BYTES_MAX, reportProblems } from "../../schema/report-file.ts";
import { isObject, objectAt, textAt, type JsonObject } from "../../core/model/json.ts";
import { ALIVE } from "./names.ts";
import { refusedWrite } from "./write-guard.ts";

const REFUSALS = "refusals";

const REFUSALS_MAX = 2;
const CONTROL_BYTES_MAX = 64 * 1024;
const PROBLEMS_SHOWN_MAX = 10;

/**
 * The hook's answer for standard output; "" has no effect on what Claude Code does.
 *
 * Throws only where the disk does. A hook that fails is ignored by the program, and what it looks at
 * is looked at again after the session: that is safe, only less helpful. Not so for an act, which
 * cannot be undone: that hook does not fail.
 */
export function answerHook(name: string, folder: string, input: unknown): string {
  const given = isObject(input) ? input : {};
  switch (name) {
    case "session-start":
      writeFileSync(join(folder, ALIVE), "", { mode: 0o600 });
      return "";
    case "ask":
      return permissionOutput(permitAsking(folder, given));
    case "act":
      return permissionOutput(isObject(input) ? permitAct(folder, input) : deny(UNREAD));
    case "write":
      return permissionOutput(permitWrite(folder, given));
    case "prompt":
      return holdPromptBack(folder);
    case "stop":
      return holdUntilReport(folder);
    default:
      return "";
  }
}

type Permission =
  | { readonly permissionDecision: "allow" | "defer" }
  | { readonly permissionDecision: "deny"; readonly permissionDecisionReason: string };

const ALLOW: Permission = { permissionDecision: "allow" };

/**
 * "defer" ends the process with the call on record, and a person gets the question. "allow" hands
 * the call to the tool server, which has an answer or makes one.
 */
function permitAsking(folder: string, input: JsonObject): Permission {
  if (textAt(input, "agent_id") !== null) {
    return deny("Only the main agent can ask a person. Return your question to it as your result.");
  }
  const id = textAt(input, "tool_use_id");
  if (id === null || !isSafeId(id)) return deny(NO_ID);
  if (readAnswer(folder, id) !== null) return ALLOW;
  const asked = parseAskedQuestion(input["tool_input"]);
  if (asked === null) return deny('Give the question as text in "question".');
  const asking = readAsking(folder);
  if (asking === null || unaskedAnswer(asking, asked) !== null) return ALLOW;
  return defer(folder, { id, asked: null, act: null });
}

/** Of two calls put off in one answer, Claude Code would lose the first without a trace. */
function defer(folder: string, pending: PendingQuestion): Permission {
  return claimPending(folder, pending)
    ? { permissionDecision: "defer" }
    : deny("One question at a time: another one is waiting. Try this again after its answer.");
}

/**
 * What cannot be undone is put off until a person has decided, or refused where none is to be
 * asked. null: nothing of the kind, and the program's own rules decide.
 *
 * Never throws: a hook that fails is ignored, and then it would be done.
 */
function permitAct(folder: string, input: JsonObject): Permission | null {
  try {
    const hold = readHold(folder);
    const root = hold?.root ?? textAt(input, "cwd") ?? "/";
    const command = textAt(objectAt(input, "tool_input") ?? {}, "command") ?? "";
    const where = { root, cwd: textAt(input, "cwd") ?? root, home: process.env["HOME"] ?? null };
    const allowed = hold?.allowedActions ?? [];
    const acts = irreversibleIn(command, where);
    if (acts === null) return deny(UNREAD);
    const found = acts.filter(({ action }) => !allowed.includes(action));
    return found.length === 0 ? null : permitFound(found, folder, input);
  } catch {
    return deny(NOT_PERMITTED);
  }
}

function permitFound(found: readonly FoundAction[], folder: string, input: JsonObject): Permission {
  const id = textAt(input, "tool_use_id");
  const answer = id === null ? null : readAnswer(folder, id);
  if (answer !== null) return settled(folder, verdictBy(answer));
  const asking = readAsking(folder);
  if (asking === null) return deny(NOT_PERMITTED);
  const verdict = actionVerdict(found, asking);
  if (verdict.kind !== "ask") return settled(folder, verdict);
  if (textAt(input, "agent_id") !== null) return deny(MAIN_AGENT);
  if (id === null || !isSafeId(id)) return deny(NO_ID);
  return defer(folder, { id, asked: null, act: actionQuestion(verdict.open) });
}

function settled(folder: string, verdict: Settled): Permission {
  if (verdict.kind === "allow") return ALLOW;
  if (verdict.unasked !== null) noteUnasked(folder, verdict.unasked);
  return deny(verdict.reason);
}

/** Whoever broke orch's own file is held by what is measured. */
function permitWrite(folder: string, input: JsonObject): Permission | null {
  const hold = readHold(folder);
  const given = objectAt(input, "tool_input") ?? {};
  const path = textAt(given, "file_path") ?? textAt(given, "notebook_path");
  if (hold === null || path === null) return null;
  const refusal = refusedWrite(path, hold, { cwd: textAt(input, "cwd") ?? hold.root });
  return refusal === null ? null : deny(refusal);
}

const UNREAD =
  "This call could not be looked at. Make it shorter: put long texts into files first.";
const MAIN_AGENT =
  "This cannot be undone, or others would see it. Only the main agent may do it, because only there can a person be asked. Leave it undone, and say so in your result.";

const NO_ID = "This call cannot be answered: it has no usable id.";

function deny(permissionDecisionReason: string): Permission {
  return { permissionDecision: "deny", permissionDecisionReason };
}

function permissionOutput(permission: Permission | null): string {
  if (permission === null) return "";
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...permission } });
}

/**
 * A call that was pending when the conversation was taken up is looked at before the prompt. Where
 * it is put off again, the prompt would have the question dropped: the prompt is held back instead.
 */
function holdPromptBack(folder: string): string {
  if (!hasPending(folder)) return "";
  return JSON.stringify({ decision: "block", reason: "a question waits for its answer first" });
}

/** Holds the agent until its report is in order, at most twice in one process. */
function holdUntilReport(folder: string): string {
  // Whoever broke orch's own file is not helped by being held.
  const reportPath = readHold(folder)?.reportPath ?? null;
  if (reportPath === null) return "";
  // Somewhat more than a report may have, so that one that is too long is told its size.
  const text = readSmallFile(reportPath, 2 * REPORT_BYTES_MAX);
  const problems = text === null ? ["there is no report file there yet"] : reportProblems(text);
  if (problems.length === 0) return "";
  const refusals = Number(readSmallFile(join(folder, REFUSALS), CONTROL_BYTES_MAX) ?? "0");
  if (!(refusals < REFUSALS_MAX)) return "";
  writeFileSync(join(folder, REFUSALS), String(refusals + 1), { mode: 0o600 });
  return JSON.stringify({ decision: "block", reason: refusal(reportPath, problems) });
}

function refusal(reportPath: string, problems: readonly string[]): string {
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem) => `- ${problem}`);
  return [
    "Your report is not in order yet:",
    ...shown,
    `Write it as one JSON object to ${reportPath}, then stop. At least:`,
    '{"version": 1, "status": "completed | partial | failed | blocked", "summary": "what you did and what is left"}',
  ].join("\n");
}
