// How does an agent carry out a session that speaks the Agent Client Protocol?

import { excerpt } from "../core/model/excerpt.ts";
import { knownAgent, TOOL_SECONDS } from "../core/model/known-agents.ts";
import { createConversation } from "./acp/conversation.ts";
import { endingOf } from "./acp/ending.ts";
import type { AcpSession } from "./acp/permission.ts";
import { createUpdates } from "./acp/updates.ts";
import type { StreamAgent, StreamProgram } from "./stream-agent.ts";

/** An answer must be back before the agent gives the call up. */
const HOLD_SHARE = 0.8;

export const ACP: StreamAgent<AcpSession["spec"]> = {
  name: "acp",
  abilities: { resumes: true, tellsSteps: true, asks: false, tellsCost: false },
  // Every agent has names of its own.
  conversation: /^[\w.:-]{1,200}$/,
  holdMs: ({ command, toolSeconds }) => {
    const seconds = toolSeconds ?? knownAgent("acp", command)?.toolSeconds ?? TOOL_SECONDS;
    return seconds * 1000 * HOLD_SHARE;
  },
  open,
};

function open(session: AcpSession): StreamProgram {
  const { spec, model, request } = session;
  const [file, ...args] = spec.command;
  const preset = knownAgent("acp", spec.command);
  const env = { ...preset?.env, ...session.env };
  const used = () => updates.used(request.totalsBefore, model ?? spec.name);
  const updates = createUpdates(() => request.onUsage(used().usage));
  const { dialogue, over, closed } = createConversation(session, updates.seen);
  return {
    file,
    args,
    env,
    input: dialogue,
    preset,
    over,
    take: updates.take,
    end: async (exit) => {
      const { outcome, sessionId, version } = await closed();
      const seen = updates.seen();
      return {
        ending: endingOf({ outcome, hasBegun: sessionId !== null, seen, exit }),
        ...used(),
        isOver: outcome !== null,
        sessionId,
        agentVersion: version === null ? null : excerpt(version, 40),
      };
    },
  };
}
