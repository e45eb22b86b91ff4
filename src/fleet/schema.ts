// Which tables does a fleet have?

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { packageFolder } from "../adapters/project/package-folder.ts";

/** Of the tables. A newer orch migrates; an older one refuses. */
export const SCHEMA_VERSION = 1;

/** Statements that make the tables in the schema of this name. */
export function schemaOf(name: string): string {
  const text = readFileSync(join(packageFolder(), "templates/fleet.sql"), "utf8");
  return text.replaceAll(':"schema"', name).replaceAll(":version", String(SCHEMA_VERSION));
}
