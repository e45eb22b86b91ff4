// How is what an agent does made safe to show?

import { assertNever } from "../../core/model/assert.ts";
import type { SessionEvent } from "../../core/model/session-event.ts";
import type { Redact } from "../redact.ts";

/** The same event without secrets: what is written goes through the log, this goes to the screen. */
export function redactedActivity(event: SessionEvent, redact: Redact): SessionEvent {
  switch (event.type) {
    case "text":
    case "thinking":
    case "condensation":
    case "note":
      return { ...event, text: redact(event.text) };
    case "tool-call":
      return { ...event, input: redact(event.input) };
    case "tool-result":
      return { ...event, output: redact(event.output) };
    case "retry":
      return { ...event, detail: redact(event.detail) };
    default:
      return assertNever(event, "session event");
  }
}
