// How are an agent's session and its ending put into words?

import { assertNever } from "../../core/model/assert.ts";
import { endingDetail } from "../../core/views/projection-attempt.ts";
import type { SessionEnding } from "../../core/model/session.ts";

export function endingWords(ending: SessionEnding): string {
  const detail = endingDetail(ending);
  switch (ending.kind) {
    case "finished":
      return "the agent finished";
    case "asked":
      return "the agent stopped to ask";
    case "limit":
      return `stopped at the limit of ${detail}`;
    case "fault":
      return `the provider failed (${detail})`;
    case "crashed":
      return detail === "" ? "the agent died" : `the agent died (${detail})`;
    case "timed-out":
      return ending.limit === "idle"
        ? "went silent and was ended"
        : "ran out of time and was ended";
    case "looped":
      return "went round in circles and was ended";
    case "interrupted":
      return "interrupted";
    case "not-started":
      return `the agent could not be started (${detail})`;
    case "lost":
      return "lost: orch died during the session";
    default:
      return assertNever(ending, "ending");
  }
}

export function agentWords(agent: string, model: string | null): string {
  return model === null ? agent : `${agent} (${model})`;
}
