// What may one session ask, and who answers it?

import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { unaskedAnswer } from "../core/decide/asking.ts";
import { clip, excerpt } from "../core/model/excerpt.ts";
import { isSameQuestion, type Asking } from "../core/model/question.ts";
import type { AskedQuestion, UnaskedQuestion } from "../core/model/session.ts";
import type { SessionRequest } from "../engine/ports.ts";
import { parseAskedQuestion, type PutQuestion } from "../schema/channel-request.ts";
import { instead, type AskReply } from "./ask.ts";

const UNASKED_MAX = 200;
const ANSWER_CHARS_MAX = 100_000;
const HOLD_MS_MAX = 86_400_000;

/** A call of the agent's own program that was put off until a person has answered. */
export interface Deferred {
  readonly call: string;
  /** What the call is about to do, put as a question; null: the call asks by itself. */
  readonly act: PutQuestion | null;
}

/** The one question that may wait: put to a person while the agent runs, or with a call put off. */
type Waiting =
  | { readonly kind: "put"; readonly asked: PutQuestion; readonly answer: Promise<string | null> }
  | { readonly kind: "deferred"; readonly deferred: Deferred };

/** Kept by orch for one process of a session, where no agent can reach it. */
export class OpenQuestions {
  /** What may be asked now. */
  asking: Asking;
  /** What orch answered by itself, for the record. */
  readonly unasked: UnaskedQuestion[] = [];
  readonly #people: Pick<SessionRequest, "onAsked" | "onEvent">;
  readonly #answers: ReadonlyMap<string, string>;
  readonly #over = new AbortController();
  #waiting: Waiting | null = null;

  /** `answers` are those to calls that were put off before, by the call. */
  constructor(
    asking: Asking,
    people: Pick<SessionRequest, "onAsked" | "onEvent">,
    answers: ReadonlyMap<string, string>,
  ) {
    this.asking = asking;
    this.#people = people;
    this.#answers = answers;
  }

  get isWaiting(): boolean {
    return this.#waiting !== null;
  }

  /** The call that was put off; null: none was. */
  get deferred(): Deferred | null {
    return this.#waiting?.kind === "deferred" ? this.#waiting.deferred : null;
  }

  answerTo(call: string): string | null {
    const answer = this.#answers.get(call);
    return answer === undefined ? null : clip(answer, ANSWER_CHARS_MAX);
  }

  note(unasked: UnaskedQuestion): void {
    if (this.unasked.length < UNASKED_MAX) this.unasked.push(unasked);
  }

  /** False: another question waits. Of two calls put off at once, the program would lose the first. */
  defer(deferred: Deferred): boolean {
    this.#waiting ??= { kind: "deferred", deferred };
    // The same call may be looked at twice, and is decided on by what a person is shown of it.
    return isDeepStrictEqual(this.deferred, deferred);
  }

  /** Waits for `holdMs` at most, and no longer than the caller does; null: nothing is put this way. */
  async ask(question: unknown, holdMs: number | null, signal: AbortSignal): Promise<AskReply> {
    const asked = parseAskedQuestion(question);
    if (asked === null) return instead("wordless");
    const alone = unaskedAnswer(this.asking, asked);
    if (alone !== null) {
      this.note(alone);
      return { kind: "unasked", text: clip(alone.answer, ANSWER_CHARS_MAX), why: alone.why };
    }
    if (holdMs === null) return instead("closed");
    const answer = this.#put(asked);
    if (answer === null) return instead("busy");
    const waitMs = Math.min(this.asking.holdMs, holdMs, HOLD_MS_MAX);
    const late = sleep(waitMs, null, { signal, ref: false }).catch(() => null);
    const words = await Promise.race([answer, late]);
    if (words === null) return instead("pending");
    return { kind: "answered", text: clip(words, ANSWER_CHARS_MAX), why: null };
  }

  /** Never rejects. What is left was put, and nobody answered it; null: nothing of the kind. */
  async close(): Promise<AskedQuestion | null> {
    this.#over.abort("the session is over");
    if (this.#waiting?.kind === "put") await this.#waiting.answer;
    return this.#waiting?.kind === "put" ? { ...this.#waiting.asked, toolUseId: null } : null;
  }

  /** null: another question waits. The same words again, after a wait that was cut off, are one question. */
  #put(asked: PutQuestion): Promise<string | null> | null {
    this.#waiting ??= { kind: "put", asked, answer: this.#askPerson(asked) };
    const waiting = this.#waiting;
    const isSame = waiting.kind === "put" && isSameQuestion(waiting.asked.question, asked.question);
    return isSame ? waiting.answer : null;
  }

  /** null: nobody answers while the session runs. Never rejects. */
  async #askPerson(asked: PutQuestion): Promise<string | null> {
    if (this.asking.holdMs <= 0) return null;
    try {
      const answer = await this.#people.onAsked({ ...asked, toolUseId: null }, this.#over.signal);
      if (answer === null && this.#over.signal.aborted) return null;
      this.asking =
        answer === null ? { ...this.asking, holdMs: 0 } : afterAnswer(this.asking, asked, answer);
      if (answer !== null) this.#waiting = null;
      return answer;
    } catch (error) {
      const text = `a question could not be put: ${excerpt(String(error), 300)}`;
      this.#people.onEvent({ type: "note", text });
      return null;
    }
  }
}

function afterAnswer(asking: Asking, { question }: PutQuestion, answer: string): Asking {
  return {
    ...asking,
    questionsLeft: asking.questionsLeft - 1,
    answered: [...asking.answered, { question, answer }],
  };
}
