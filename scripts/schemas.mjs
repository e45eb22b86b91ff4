// Writes the published JSON Schemas from the zod schemas. `schemas/` is committed, and a test fails
// when it no longer says what the code says: `npm run build` brings it up to date.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "schemas");
const scratch = mkdtempSync(join(tmpdir(), "orch-schemas-"));
try {
  const bundle = await rolldown({
    cwd: root,
    input: "src/schema/json-schemas.ts",
    platform: "node",
    tsconfig: false,
    logLevel: "warn",
  });
  const file = join(scratch, "json-schemas.mjs");
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  const { jsonSchemas } = await import(pathToFileURL(file).href);
  const schemas = jsonSchemas();
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!Object.hasOwn(schemas, name)) rmSync(join(folder, name));
  }
  for (const [name, text] of Object.entries(schemas)) writeFileSync(join(folder, name), text);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
