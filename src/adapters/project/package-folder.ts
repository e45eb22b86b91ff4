// Where do orch's own files lie? By itself, for those who need nothing else and start often.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** orch's own. Source and bundle lie at different depths below it, and it does not move. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "templates", "prompts"))) {
    if (dirname(folder) === folder) throw new Error("orch was installed without its templates");
    folder = dirname(folder);
  }
  return folder;
}
