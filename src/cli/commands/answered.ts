// Which questions have an answer in the inbox that the run has not taken yet?

import { readdirSync } from "node:fs";

/** The parser of answers is slow to load: it is loaded where something lies in the inbox. */
export async function answeredIn(inbox: string): Promise<readonly string[]> {
  try {
    if (!readdirSync(inbox).some((name) => name.endsWith(".json"))) return [];
  } catch {
    return []; // No inbox: nobody has asked for anything.
  }
  const { answersIn } = await import("../../adapters/people/inbox.ts");
  return answersIn(inbox).map(({ question }) => question);
}
