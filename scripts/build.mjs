// Bundles the program into dist/: one entry per process orch starts, chunks shared between them,
// so that `--help` loads the argument parser and nothing else. Does nothing where nothing changed.
// `--programs` leaves out the types of the library, which take most of the time: enough for tests.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Built beside and swapped in at the end: a failed build leaves the last good one in place. */
const dist = join(root, `.dist-${process.pid}`);

const PROGRAMS = { cli: "cli" };
/** Each starts for a session: with what it loads in as few files as can be, and none of the other programs'. */
const FOR_SESSIONS = [
  { "anthropic-agent": "drivers/anthropic/agent" },
  { "session-tools": "drivers/session-tools" },
];
/** What others import. */
const LIBRARY = { index: "index" };

/** What every command needs, in one chunk: each file that is loaded costs a third of a millisecond. */
const START =
  /\/src\/(cli\/(io|layout|command-line\/options)|core\/model\/(excerpt|policy|assert|ids|question|settings)|adapters\/(redact|secret-table|files\/disk)|errors|version)\.ts$/;

/** What commands need that only look at runs: one chunk again. */
const LOOKING =
  /\/src\/(cli\/(commands\/pick|render\/text)|adapters\/(log\/(run-reader|run-files|owner)|process\/identity|files\/(atomic-file|disk|small-file))|schema\/(owner-file|parsed))\.ts$/;

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

/**
 * A script with one letter above U+00FF takes two bytes of memory for each of its letters. In texts and
 * patterns, where such letters stand, an escape means the same; in `String.raw` it would not.
 */
function inLettersOfOneByte(code) {
  if (/String\.raw`[^`]*[^\0-\xff`]/.test(code)) throw new Error("String.raw with such a letter");
  return code.replace(
    /[^\0-\xff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Each of these takes Node.js two or three milliseconds to load, and most commands need none of them:
 * loaded by whoever uses it first.
 */
function loadedWhereUsed(code) {
  return code.replace(
    /^let (\w+) = require\("(node:(?:crypto|v8))"\);$/gm,
    'const $1 = new Proxy({}, { get: (_none, name) => require("$2")[name] });',
  );
}

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

/** Everything the build reads, and what it writes of the schemas: by hand that must not be changed. */
const INPUTS = [
  "docs/config.md",
  "generated",
  "package-lock.json",
  "package.json",
  "schemas",
  "scripts",
  "src",
  "tsconfig.json",
  "tsconfig.types.json",
];
/** What the build was made from lies in it, so that both come and go together. */
const MADE_FROM = join(root, "dist/.made-from");

const withTypes = !process.argv.includes("--programs");
const WITHOUT_TYPES = " without types";

if (!isMade()) {
  try {
    // Not where only the programs are made, for tests: one of them compares what is committed.
    if (withTypes) await import("./derive.mjs");
    await build();
    swapIn();
  } finally {
    rmSync(dist, { recursive: true, force: true });
  }
  writeFileSync(MADE_FROM, `${digestOfInputs()}${withTypes ? "" : WITHOUT_TYPES}`);
}

function isMade() {
  const from = existsSync(MADE_FROM) ? readFileSync(MADE_FROM, "utf8") : "";
  const digest = digestOfInputs();
  return from === digest || (!withTypes && from === `${digest}${WITHOUT_TYPES}`);
}

function digestOfInputs() {
  const digest = createHash("sha256");
  for (const path of INPUTS.flatMap(filesAt)) {
    digest.update(`${path}\0`);
    digest.update(
      createHash("sha256")
        .update(readFileSync(join(root, path)))
        .digest(),
    );
  }
  return digest.digest("hex");
}

function filesAt(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return found === undefined ? [] : [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** Side by side; where one fails, the other is waited for before its folder is removed. */
async function build() {
  const done = await Promise.allSettled([bundleAll(), ...(withTypes ? [declareTypes()] : [])]);
  for (const { reason } of done.filter(({ status }) => status === "rejected")) throw reason;
}

async function bundleAll() {
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
  const modules = [...programs, ...library, ...(await bundledPage())];
  for (const program of FOR_SESSIONS) {
    const [name] = Object.keys(program);
    const chunkFileNames = `chunks/${name}-[name]-[hash].cjs`;
    const options = { format: "cjs", entryFileNames: "[name].cjs", chunkFileNames };
    modules.push(...(await bundled(program, options)));
  }
  writeFileSync(
    join(dist, "THIRD-PARTY-NOTICES.txt"),
    notices(modules).join(`\n${"-".repeat(72)}\n\n`),
  );
  chmodSync(join(dist, "cli.cjs"), 0o755);
}

/** The script of the page and its looks; the browser loads nothing else. */
async function bundledPage() {
  const bundle = await rolldown({
    cwd: root,
    input: { page: "src/web/page/main.tsx" },
    platform: "browser",
    transform: { jsx: { runtime: "automatic", importSource: "preact" } },
    tsconfig: false,
    logLevel: "warn",
  });
  const how = { format: "esm", entryFileNames: "[name].js", minify: true, comments: false };
  const written = await bundle.write({ dir: join(dist, "web"), ...how });
  await bundle.close();
  copyFileSync(join(root, "src/web/page/page.css"), join(dist, "web/page.css"));
  return written.output.flatMap(({ moduleIds = [] }) => moduleIds);
}

/** For those who import the library. */
async function declareTypes() {
  const tsc = join(root, "node_modules/typescript-native/bin/tsc");
  const args = [tsc, "-p", "tsconfig.types.json", "--outDir", join(dist, "types")];
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
  const [exitCode] = await once(child, "exit");
  if (exitCode !== 0) throw new Error("the types of the library could not be made");
  // Those of a config without the schemas they are made of, which need a library.
  rmSync(join(dist, "types/schema"), { recursive: true });
  mkdirSync(join(dist, "types/schema"));
  copyFileSync(join(root, "schemas/config.d.ts"), join(dist, "types/schema/config-types.d.ts"));
  const used = declarationsFrom(join(dist, "types/index.d.ts"));
  const all = readdirSync(join(dist, "types"), { recursive: true, withFileTypes: true });
  const files = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  for (const file of files) if (!used.has(file)) rmSync(file);
}

/** A file of types, and all that it names. */
function declarationsFrom(file, used = new Set()) {
  if (used.has(file)) return used;
  used.add(file);
  for (const [, path] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)\.ts"/g))
    declarationsFrom(join(dirname(file), `${path}.d.ts`), used);
  return used;
}

/** The ids of all modules that went into it. */
async function bundled(entries, output) {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      Object.entries(entries).map(([name, source]) => [name, `src/${source}.ts`]),
    ),
    platform: "node",
    plugins: [parserStartsNothing],
    // The driver of PostgreSQL tries them, and does without.
    external: ["pg-native", "pg-cloudflare"],
    tsconfig: false,
    logLevel: "warn",
  });
  const written = await bundle.write({ dir: dist, comments: false, ...output });
  await bundle.close();
  const chunks = written.output.filter(({ type }) => type === "chunk");
  for (const { fileName, code } of chunks)
    writeFileSync(join(dist, fileName), inLettersOfOneByte(loadedWhereUsed(code)));
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}

function swapIn() {
  const old = `${dist}-old`;
  if (existsSync(join(root, "dist"))) renameSync(join(root, "dist"), old);
  renameSync(dist, join(root, "dist"));
  rmSync(old, { recursive: true, force: true });
}
