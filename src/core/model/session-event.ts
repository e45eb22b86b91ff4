// What is an agent doing, in orch's words?

import { assertNever } from "./assert.ts";

/** A call of a tool, or what came of it. */
export type ToolEvent =
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly tool: string;
      readonly input: string;
    }
  | {
      readonly type: "tool-result";
      readonly id: string;
      readonly isError: boolean;
      readonly output: string;
    };

/** For people who watch, and to see a session that goes round in circles. */
export type SessionEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | ToolEvent
  | { readonly type: "retry"; readonly detail: string }
  /** The conversation was shortened to fit the model. */
  | { readonly type: "condensation"; readonly text: string }
  | { readonly type: "note"; readonly text: string };

/** The event with its words changed: what was said, done or given back. */
export function withWords(event: SessionEvent, change: (words: string) => string): SessionEvent {
  switch (event.type) {
    case "tool-call":
      return { ...event, input: change(event.input) };
    case "tool-result":
      return { ...event, output: change(event.output) };
    case "retry":
      return { ...event, detail: change(event.detail) };
    case "text":
    case "thinking":
    case "condensation":
    case "note":
      return { ...event, text: change(event.text) };
    default:
      return assertNever(event, "session event");
  }
}
