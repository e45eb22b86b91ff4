// What is a session by the Agent Client Protocol, and what is seen of it?

import type { AgentSpec } from "../../core/model/settings.ts";
import type { StreamSession } from "../stream-agent.ts";

export type AcpSession = StreamSession<Extract<AgentSpec, { driver: "acp" }>>;

/** What the agent did, as far as it told. */
export interface Seen {
  readonly closing: string;
  /** It called no tool, and told of no tokens. */
  readonly didNothing: boolean;
}
