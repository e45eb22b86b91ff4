// Which interaction threshold does the environment ask for?

import { levelFrom, type Level } from "../../core/model/level.ts";
import { OrchError } from "../../errors.ts";

export const LEVEL_VARIABLE = "ORCH_INTERACTION_THRESHOLD";

/** null: not set, or set to nothing. Throws OrchError "usage" for anything but 0 to 5. */
export function environmentLevel(env: Readonly<Record<string, string | undefined>>): Level | null {
  const written = env[LEVEL_VARIABLE]?.trim() ?? "";
  if (written === "") return null;
  const level = /^\d$/.test(written) ? levelFrom(Number(written)) : null;
  if (level !== null) return level;
  throw new OrchError(
    "usage",
    `${LEVEL_VARIABLE} is ${JSON.stringify(written.slice(0, 40))}; a whole number from 0 to 5 was expected`,
    "0 never waits for a person, 5 asks most readily",
  );
}
