// What did the agent ask through a tool that was not offered?

import type { UnaskedQuestion } from "../../core/model/session.ts";
import type { SessionEvent } from "../../core/model/session-event.ts";
import { parseAskedQuestion, type PutQuestion } from "../../schema/channel-request.ts";
import { ASK_TOOL } from "./names.ts";
import { isObject, jsonIn, listAt } from "../../core/model/json.ts";

const MISSED_MAX = 50;
/** The program's own way to ask: withheld, because nobody sits in front of it. */
const OWN_TOOL = "AskUserQuestion";
const NOT_OFFERED = "nobody could be asked this way";

/** Where orch's tool is offered, the tool itself keeps that record; the program's own never is. */
export function watchMissedAsks(isOffered: boolean) {
  const calls = new Map<string, readonly PutQuestion[]>();
  const all: UnaskedQuestion[] = [];
  return {
    all,
    /** Gives the event back, unchanged. */
    hear: (event: SessionEvent): SessionEvent => {
      if (event.type === "tool-call" && calls.size < MISSED_MAX) {
        const asked = missedIn(event, isOffered);
        if (asked.length > 0) calls.set(event.id, asked);
      }
      if (event.type !== "tool-result") return event;
      for (const { question, impact } of calls.get(event.id) ?? [])
        if (all.length < MISSED_MAX)
          all.push({ question, impact, why: "level", answer: NOT_OFFERED });
      calls.delete(event.id);
      return event;
    },
  };
}

function missedIn(
  { tool, input }: Extract<SessionEvent, { type: "tool-call" }>,
  isOffered: boolean,
): readonly PutQuestion[] {
  const given = jsonIn(input);
  const put = tool === ASK_TOOL && !isOffered ? [given] : [];
  const ofBuiltIn = tool === OWN_TOOL && isObject(given) ? listAt(given, "questions") : [];
  // Of the program's own tool only the words: its options have another shape.
  const words = ofBuiltIn.filter(isObject).map(({ question }) => ({ question }));
  return [...put, ...words].slice(0, MISSED_MAX).flatMap((one) => parseAskedQuestion(one) ?? []);
}
