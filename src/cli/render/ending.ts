// How did a session end, in words?

import type { SessionEnding } from "../../core/model/session.ts";
import { endingDetail } from "../../core/views/projection-attempt.ts";

export function endingWords(ending: SessionEnding): string {
  const detail = ending.kind === "asked" ? "" : endingDetail(ending);
  return `${ENDINGS[ending.kind]}${detail === "" ? "" : ` (${detail})`}`;
}

const ENDINGS: Readonly<Record<SessionEnding["kind"], string>> = {
  finished: "the agent finished",
  asked: "the agent stopped to ask",
  limit: "stopped at a limit",
  fault: "the provider failed",
  crashed: "the agent died",
  "timed-out": "ran out of time and was ended",
  looped: "looped and was ended",
  interrupted: "interrupted",
  "not-started": "the agent could not be started",
  lost: "lost: orch died during the session",
};
