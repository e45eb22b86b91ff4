// What did the agent ask although no way to ask was offered?

import { excerpt } from "../../core/excerpt.ts";
import type { UnaskedQuestion } from "../../core/session.ts";
import type { SessionEvent } from "../../engine/ports.ts";
import { parseAskedQuestion, type PutQuestion } from "../../schema/ask-file.ts";
import { ASK_TOOL } from "./facts.ts";

export interface MissedAsks {
  /** The event, unchanged. */
  hear(event: SessionEvent): SessionEvent;
  /** With what the agent was told instead, which are its own program's words. */
  readonly all: readonly UnaskedQuestion[];
}

const MISSED_MAX = 50;

/** Where the tool is offered, the tool itself keeps that record. */
export function watchMissedAsks(isOffered: boolean): MissedAsks {
  const calls = new Map<string, PutQuestion>();
  const all: UnaskedQuestion[] = [];
  return {
    all,
    hear: (event) => {
      if (isOffered || all.length >= MISSED_MAX) return event;
      if (event.type === "tool-call" && event.tool === ASK_TOOL && calls.size < MISSED_MAX) {
        const asked = parseAskedQuestion(inputOf(event.input));
        if (asked !== null) calls.set(event.id, asked);
      }
      const asked = event.type === "tool-result" ? calls.get(event.id) : undefined;
      if (event.type !== "tool-result" || asked === undefined) return event;
      calls.delete(event.id);
      const { question, impact } = asked;
      all.push({ question, impact, why: "level", answer: excerpt(event.output, ANSWER_CHARS_MAX) });
      return event;
    },
  };
}

const ANSWER_CHARS_MAX = 500;

function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Without words there was no question.
  }
}
