// What is said of work that cannot be joined with what others merged?

import type { MergeTrouble } from "./event.ts";

export function notJoinedWords(trouble: MergeTrouble): string {
  return `its work ${troubleWords(trouble)}, and the one attempt to join both did not succeed; both branches are kept`;
}

const PATHS_NAMED_MAX = 3;

export function troubleWords(trouble: MergeTrouble): string {
  if (trouble.kind === "red")
    return `no longer passes ${trouble.gates.join(", ")} once it is joined with work merged before it`;
  const named = trouble.paths.slice(0, PATHS_NAMED_MAX).join(", ");
  const more = trouble.paths.length - PATHS_NAMED_MAX;
  return `conflicts with work merged before it in ${named}${more > 0 ? ` and ${more} more` : ""}`;
}
