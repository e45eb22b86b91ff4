// Bundles the program into dist/: one entry per process orch starts, chunks shared between them,
// so that `--help` loads the argument parser and nothing else.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Built beside and swapped in at the end: a failed build leaves the last good one in place. */
const dist = join(root, `.dist-${process.pid}`);

/** cli: the program. hook: what agents call back. script-agent: the scripted agent. */
const PROGRAMS = ["cli", "hook", "script-agent"];
/** What others import. */
const LIBRARY = ["index"];

/** What every command needs, in one chunk: each file that is loaded costs a third of a millisecond. */
const START = /\/src\/(cli\/(io|options)|core\/(excerpt|policy|assert|ids)|errors|version)\.ts$/;

/** What commands need that only look at runs: one chunk again. */
const LOOKING =
  /\/src\/(cli\/(commands\/waiting|render\/text)|adapters\/(run-reader|run-files|owner|process-identity|atomic-file|disk|dice)|schema\/(owner-file|parsed)|core\/(deadline|asking|question|json))\.ts$/;

/**
 * The argument parser loads what starts processes, for subcommands that are programs of their own.
 * orch has none, and loading it would be a seventh of the time that `orch --version` takes.
 */
const parserStartsNothing = {
  name: "parser-starts-nothing",
  resolveId: (source, importer) =>
    source === "node:child_process" && /\/node_modules\/commander\//.test(importer ?? "")
      ? "\0no-child-process"
      : null,
  load: (id) => (id === "\0no-child-process" ? "module.exports = {};" : null),
};

/** Names and licences of everything that is bundled, as their terms ask for. */
function notices(moduleIds) {
  const packages = new Set();
  for (const id of moduleIds) {
    const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id);
    if (match) packages.add(match[1]);
  }
  return [...packages]
    .sort((a, b) => a.localeCompare(b))
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, "package.json"), "utf8"),
      );
      // All of them: a package that changed its licence keeps the old one for its older parts.
      const files = readdirSync(folder).filter((entry) => /^(licen[cs]e|notice)/i.test(entry));
      const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
      const text = texts.length > 0 ? texts.join("\n\n") : `License: ${license}`;
      return `${name} ${version}\n\n${text}\n`;
    });
}

try {
  await build();
  swapIn();
} finally {
  rmSync(dist, { recursive: true, force: true });
}
if (existsSync(join(root, "scripts/schemas.mjs"))) await import("./schemas.mjs");

async function build() {
  // Programs as CommonJS: to start a module of the other kind takes Node.js ten milliseconds more.
  const programs = await bundled(PROGRAMS, {
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    codeSplitting: {
      groups: [
        { name: "start", test: START },
        { name: "looking", test: LOOKING },
      ],
    },
  });
  const library = await bundled(LIBRARY, {
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
  });
  const modules = [...programs, ...library];
  writeFileSync(
    join(dist, "THIRD-PARTY-NOTICES.txt"),
    notices(modules).join(`\n${"-".repeat(72)}\n\n`),
  );
  chmodSync(join(dist, "cli.cjs"), 0o755);
  execFileSync(
    process.execPath,
    [
      join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      "tsconfig.types.json",
      "--outDir",
      join(dist, "types"),
    ],
    {
      cwd: root,
      stdio: "inherit",
    },
  );
}

/** The ids of all modules that went into it. */
async function bundled(entries, output) {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    platform: "node",
    plugins: [parserStartsNothing],
    tsconfig: false,
    logLevel: "warn",
  });
  const written = await bundle.write({ dir: dist, comments: false, ...output });
  await bundle.close();
  return written.output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
}

function swapIn() {
  const old = `${dist}-old`;
  if (existsSync(join(root, "dist"))) renameSync(join(root, "dist"), old);
  renameSync(dist, join(root, "dist"));
  rmSync(old, { recursive: true, force: true });
}
