// How does an agent put one question to a person and wait for the answer?

import { randomUUID } from "node:crypto";

import { watchFolder } from "../adapters/files/folder-watch.ts";
import { unaskedAnswer } from "../core/decide/asking.ts";
import { isSameQuestion } from "../core/model/question.ts";
import type { UnaskedQuestion } from "../core/model/session.ts";
import { parseAskedQuestion, type PutQuestion } from "../schema/ask-file.ts";
import { claimPending, noteUnasked, readAnswer, readAsking, readPending } from "./ask-files.ts";

export interface Asker {
  /** How long this asker can wait; orch may allow less. */
  readonly holdMsMax: number;
  /** Ends the wait; the question stays. */
  readonly signal: AbortSignal;
}

/**
 * "unasked": orch answered by itself. "pending": a person did not answer in time. "busy": another
 * question waits. "wordless": there is none. "closed": nobody can be reached.
 */
export interface AskReply {
  readonly kind: "answered" | "unasked" | keyof typeof SAID;
  /** The answer, or what the agent is told in its place. */
  readonly text: string;
  /** Why orch answered; null where it did not. */
  readonly why: UnaskedQuestion["why"] | null;
}

/** What an agent is told, the same by every way of asking. */
const SAID = {
  pending:
    "pending: the question was put to a person, who has not answered yet. Save your state (and " +
    'leave a report with status "partial"), then end your turn; you will be started again with ' +
    "the answer.",
  busy: "One question at a time: another one is waiting. Ask this again after its answer.",
  wordless: 'Give the question as text in "question".',
  closed:
    "The question could not be put to a person now. Take the most conservative reading, " +
    "record it under assumptions, and list the question in your report.",
} as const;

/** `asker` null: nobody can be asked in this place. Throws where the disk does. */
export async function askPerson(
  input: unknown,
  folder: string,
  asker: Asker | null,
): Promise<AskReply> {
  const asked = parseAskedQuestion(input);
  if (asked === null) return instead("wordless");
  const asking = readAsking(folder);
  const unasked = asking === null ? null : unaskedAnswer(asking, asked);
  if (unasked !== null) {
    noteUnasked(folder, unasked);
    return { kind: "unasked", text: unasked.answer, why: unasked.why };
  }
  if (asking === null || asker === null) return instead("closed");
  const id = put(folder, asked);
  if (id === null) return instead("busy");
  const holdMs = Math.min(asking.holdMs, asker.holdMsMax);
  const answer = await held(id, folder, holdMs, asker.signal);
  return answer === null ? instead("pending") : { kind: "answered", text: answer, why: null };
}

function instead(kind: keyof typeof SAID): AskReply {
  return { kind, text: SAID[kind], why: null };
}

/** The id that its answer will have; null: another question waits. */
function put(folder: string, asked: PutQuestion): string | null {
  const id = `ask-${randomUUID()}`;
  if (claimPending(folder, { id, asked, act: null })) return id;
  // The same words again, after a wait that was too short or was cut off: one question still.
  const waiting = readPending(folder);
  const isSame = waiting !== null && isSameQuestion(waiting.asked?.question ?? "", asked.question);
  return isSame ? waiting.id : null;
}

/** null: no answer came in time, or none will come while the session runs. */
async function held(
  id: string,
  folder: string,
  holdMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  if (holdMs <= 0) return null;
  return new Promise((resolve) => {
    const endsAt = performance.now() + holdMs;
    const look = (): void => {
      const answer = readAnswer(folder, id);
      const isOver = signal.aborted || performance.now() >= endsAt || isClosed(folder);
      if (answer !== null || isOver) settle(answer);
    };
    const settle = (answer: string | null): void => {
      unwatch();
      clearTimeout(timer);
      signal.removeEventListener("abort", look);
      resolve(answer);
    };
    const unwatch = watchFolder(folder, look);
    const timer = setTimeout(look, Math.ceil(holdMs) + 1);
    signal.addEventListener("abort", look);
    look();
  });
}

function isClosed(folder: string): boolean {
  return (readAsking(folder)?.holdMs ?? 0) === 0;
}
