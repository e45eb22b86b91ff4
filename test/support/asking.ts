// How does a test keep a session's channel open, and answer what is asked there?

import { join } from "node:path";

import { onTestFinished } from "vitest";

import { NO_USAGE, type AskedQuestion, type SessionEnd } from "../../src/core/model/session.ts";
import { withQuestionChannel, type ChannelOptions } from "../../src/drivers/question-channel.ts";
import type { QuestionChannel } from "../../src/drivers/question-channel.ts";
import type { SessionRequest } from "../../src/engine/ports.ts";
import { OWN_PROGRAM } from "./run-orch.ts";
import { until } from "./processes.ts";
import { session, type Session } from "./sessions.ts";

export interface Asked {
  readonly asked: AskedQuestion;
  readonly signal: AbortSignal;
  readonly answer: (words: string | null) => void;
}

export interface Attended extends Session {
  readonly asked: readonly Asked[];
  readonly nth: (count: number) => Promise<Asked>;
  readonly folder: string;
}

/** A session at level 3 whose questions are answered by the test, within a minute. */
export function attended(change: Partial<SessionRequest> = {}): Attended {
  const asked: Asked[] = [];
  const made = session({
    holdMs: 60_000,
    onAsked: (question, signal) =>
      new Promise((resolve) => {
        asked.push({ asked: question, signal, answer: resolve });
        signal.addEventListener("abort", () => resolve(null));
      }),
    ...change,
  });
  const nth = async (count: number): Promise<Asked> => {
    await until(() => asked.length >= count);
    const question = asked[count - 1];
    if (question === undefined) throw new Error("nothing was asked");
    return question;
  };
  return { ...made, asked, nth, folder: join(made.request.attemptDir, made.request.token) };
}

export interface Opened extends Attended {
  readonly channel: QuestionChannel;
  readonly questions: QuestionChannel["questions"];
  /** Ends the session in order; what came of it. */
  readonly end: () => Promise<SessionEnd>;
}

/** The same, as it runs: with its channel, and without an agent. */
export async function opened(
  change: Partial<SessionRequest> = {},
  options: Partial<ChannelOptions> = {},
): Promise<Opened> {
  const made = attended(change);
  let finish = (): void => {};
  const over = new Promise<SessionEnd>((resolve) => (finish = () => resolve(NOTHING)));
  let opens = (_channel: QuestionChannel): void => {};
  const open = new Promise<QuestionChannel>((resolve) => (opens = resolve));
  const ended = withQuestionChannel(
    {
      request: made.request,
      program: OWN_PROGRAM,
      redact: (text) => text,
      asks: "hold",
      ...options,
    },
    (channel) => {
      opens(channel);
      return over;
    },
  );
  const end = (): Promise<SessionEnd> => {
    finish();
    return ended;
  };
  onTestFinished(async () => void (await end()));
  const channel = await open;
  return { ...made, channel, questions: channel.questions, end };
}

const NOTHING: SessionEnd = {
  ending: { kind: "finished" },
  usage: NO_USAGE,
  sessionId: null,
  totals: null,
  agentVersion: null,
  unasked: [],
};
