// Writes what is made of the zod schemas: JSON Schemas and types of a config, the tables of docs/config.md,
// the config that `orch init` writes. They are committed, and a test fails when they no longer say what
// the code says: `npm run build` brings them up to date.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
    input: "scripts/derived.ts",
    platform: "node",
    tsconfig: false,
    logLevel: "warn",
  });
  const file = join(scratch, "derived.mjs");
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  const { derivedFiles } = await import(pathToFileURL(file).href);
  const files = derivedFiles((path) => readFileSync(join(root, path), "utf8"));
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!Object.hasOwn(files, `schemas/${name}`)) rmSync(join(folder, name));
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
