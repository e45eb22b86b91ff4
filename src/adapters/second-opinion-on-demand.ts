// How is a second opinion asked for without loading the library where it is switched off?

import type { JudgeChoice } from "../core/model/settings.ts";
import { NO_TOKENS } from "../core/model/session.ts";
import type { ModelJudge } from "../engine/ports.ts";

/** null where it is switched off. A missing key is a failed call and changes nothing. */
export function secondOpinionOnDemand(
  { settings, keyVariable, baseUrl }: JudgeChoice,
  env: Readonly<Record<string, string | undefined>>,
): ModelJudge | null {
  if (!settings.enabled) return null;
  // At once, though it may not be asked for days: another version may be installed meanwhile.
  const loaded = import("./second-opinion.ts");
  loaded.catch(() => {}); // Whoever asks gets the error.
  return {
    ask: async (prompt, signal) => {
      const apiKey = env[keyVariable];
      if (apiKey === undefined || apiKey === "")
        return { kind: "failed", why: `${keyVariable} is not set`, usage: NO_TOKENS };
      const { createSecondOpinion } = await loaded;
      const { model, timeoutMs } = settings;
      return createSecondOpinion({ apiKey, baseUrl, model, timeoutMs }).ask(prompt, signal);
    },
  };
}
