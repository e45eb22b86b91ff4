// How much has a session used so far, by the answers in its stream?

import { isObject, numberAt, objectAt, textAt } from "../../core/model/json.ts";
import { NO_USAGE, type Usage } from "../../core/model/session.ts";
import { addTokens } from "../../core/run/spent.ts";

/**
 * Tokens only, and rather too few than too many: an answer is counted as it begins. The totals at the
 * session's end say it exactly; this is for the session that never comes to its end.
 */
export function createLiveUsage(tell: (usage: Usage) => void): (event: unknown) => void {
  const counted = new Set<string>();
  let usage = NO_USAGE;
  return (event) => {
    const message = isObject(event) ? objectAt(event, "message") : null;
    const used = message === null ? null : objectAt(message, "usage");
    const id = message === null ? null : textAt(message, "id");
    // One event per block: the blocks of one answer share the message's id, and its usage.
    if (message === null || used === null || id === null || counted.has(id)) return;
    counted.add(id);
    const tokens = {
      input: numberAt(used, "input_tokens") ?? 0,
      output: numberAt(used, "output_tokens") ?? 0,
      cacheRead: numberAt(used, "cache_read_input_tokens") ?? 0,
      cacheWrite: numberAt(used, "cache_creation_input_tokens") ?? 0,
    };
    const byModel = { [textAt(message, "model") ?? "unknown"]: tokens };
    usage = { ...usage, byModel: addTokens(usage.byModel, byModel) };
    tell(usage);
  };
}
