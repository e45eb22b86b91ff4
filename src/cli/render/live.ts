// What does the agent do at this moment, on one line?

import { assertNever } from "../../core/model/assert.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import type { SessionEvent } from "../../core/model/session-event.ts";
import { dotted } from "../layout.ts";
import { duration } from "./text.ts";

const LINE_CHARS_MAX = 160;

export interface Moment {
  readonly task: string;
  readonly step: string;
  readonly sinceMs: number;
  readonly doing: string;
}

/** The passing line under the story. */
export function renderMoment(moment: Moment): string {
  return dotted([`${moment.task} ${moment.step}`, duration(moment.sinceMs), moment.doing]);
}

/** The event in a few words; "" where there is nothing to see. */
export function activityWords(event: SessionEvent): string {
  switch (event.type) {
    case "text":
      return excerpt(event.text, LINE_CHARS_MAX);
    case "thinking":
      return "thinking";
    case "tool-call":
      return excerpt(`${event.tool} ${event.input}`, LINE_CHARS_MAX);
    case "tool-result":
      return event.isError ? excerpt(`tool failed: ${event.output}`, LINE_CHARS_MAX) : "";
    case "retry":
      return excerpt(`the provider is tried again: ${event.detail}`, LINE_CHARS_MAX);
    case "condensation":
    case "note":
      return excerpt(event.text, LINE_CHARS_MAX);
    default:
      return assertNever(event, "session event");
  }
}
