// What is an agent doing, in orch's words?

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
