// Writes what is made of the types of events: their shapes; and what is made of the zod schemas: JSON
// Schemas and types of a config, the tables of docs/config.md. They are committed, and a test fails when they
// no longer say what the code says: `npm run build` brings them up to date.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "schemas");
/** Inside the project, because what stays outside of a bundle is looked for from where it lies. */
const scratch = join(root, `.dist-derived-${process.pid}`);

async function bundled(name) {
  const bundle = await rolldown({
    cwd: root,
    input: `scripts/${name}.ts`,
    platform: "node",
    external: ["typescript"],
    tsconfig: false,
    logLevel: "warn",
  });
  const file = join(scratch, `${name}.mjs`);
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  return import(pathToFileURL(file).href);
}

try {
  // First, because the schema of an event is made of it.
  const { eventShapesFile } = await bundled("event-shapes");
  writeFileSync(join(root, "generated/event-shapes.ts"), eventShapesFile(root));
  const { derivedFiles } = await bundled("derived");
  const files = derivedFiles((path) => readFileSync(join(root, path), "utf8"));
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!Object.hasOwn(files, `schemas/${name}`)) rmSync(join(folder, name));
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
