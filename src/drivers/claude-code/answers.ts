// Which answers does a conversation find when it is taken up again?

import { isSafeId } from "../../core/model/ids.ts";
import type { SessionRequest } from "../../engine/ports.ts";

/**
 * By the call they answer: the one to be delivered, and those given before. A delivery that was
 * cut short leaves its call pending, and whatever the conversation is taken up with, the call comes first.
 */
export function answersFor({ start, history }: SessionRequest): ReadonlyMap<string, string> {
  const given = history.flatMap(({ question: { toolUseId }, answer: { text } }) =>
    toolUseId === null || !isSafeId(toolUseId) || text.trim() === ""
      ? []
      : [[toolUseId, text] as const],
  );
  const now = start.kind === "deliver" ? [[start.toolUseId, start.answer] as const] : [];
  return new Map([...given, ...now]);
}
