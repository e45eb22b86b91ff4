// What is the agent given as it starts, and what does it print?

import type { SessionEnding, SessionEvent, TokenCounts } from "../../core/model/session.ts";
import type { Asking } from "../../core/model/question.ts";
import type { SessionRequest } from "../../engine/ports.ts";
import type { Reach } from "./file-tools.ts";
import type { ToolSpec } from "./tool.ts";

/** On its standard input, because a command of the model can read neither that nor the key in it. */
export interface AgentOptions extends Reach, Pick<SessionRequest, "prompt" | "allowedActions"> {
  /** Variables that the SDK reads, and nobody else is to see. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly model: string;
  /** null: the model's own. */
  readonly effort: string | null;
  readonly system: string;
  /** How many answers of the model there may be. */
  readonly turns: number;
  /** How much the model can read; the work is handed over before that is full. */
  readonly contextTokens: number;
  /** The longest that a command may take. */
  readonly commandMsMax: number;
  readonly asking: Asking;
  /** The file of the conversation. */
  readonly transcript: string;
  /** The folder for what commands print. */
  readonly outputs: string;
  /** The folder by which orch is reached, and the tools that it answers itself. */
  readonly channel: string;
  readonly orchTools: readonly ToolSpec[];
}

/** A line of its standard output. */
export type AgentLine =
  | SessionEvent
  /** Of one answer. */
  | { readonly type: "usage"; readonly model: string; readonly tokens: TokenCounts }
  | { readonly type: "end"; readonly ending: SessionEnding };
