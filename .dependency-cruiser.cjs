/**
 * The dependency rules of ARCHITECTURE.md ("Code map"), as a config file.
 * An import that no rule below allows is an error.
 */
const folder = (name) => `^src/${name}/`;
const only = (from, allowed, packages = []) => ({
  name: `${from}-imports`,
  severity: "error",
  from: { path: from.endsWith(".ts") ? `^src/${from}` : folder(from) },
  to: {
    pathNot: [...allowed.map((a) => (a.endsWith(".ts") ? `^src/${a}$` : folder(a))), ...packages],
  },
});
const NODE = [
  "^node:",
  "^(assert|async_hooks|buffer|child_process|crypto|events|fs|fs/promises|module|net|os|path|perf_hooks|readline|readline/promises|stream|stream/promises|timers|timers/promises|tty|url|util|v8|vm|worker_threads|zlib|string_decoder|http)$",
];
/** Without effects, and so open to all. */
const NODE_PURE = ["^crypto$"];
const modules = (name) => `node_modules/${name}/`;
/** A third-party package enters through exactly one file (zod and its kin: one folder). */
const gate = (pkg, files) => ({
  name: `${pkg}-enters-once`,
  severity: "error",
  from: { path: "^src/", pathNot: files.map((f) => `^src/${f}`) },
  to: { path: modules(pkg) },
});

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "nobody-imports-cli",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/cli/", "^src/cli.ts$"] },
      to: { path: "^src/cli/" },
    },

    only("core", ["core"], NODE_PURE),
    only("core/model", ["core/model"], NODE_PURE),
    only(
      "readers",
      ["readers", "core/model"],
      [...NODE_PURE, modules("unbash"), modules("saxes"), modules("chrono-node")],
    ),
    only(
      "schema",
      ["core", "schema"],
      ["^generated/", modules("zod"), modules("yaml"), modules("fastest-levenshtein")],
    ),
    only("engine", ["core", "readers", "engine", "errors.ts"]),
    only(
      "adapters",
      ["core", "readers", "schema", "adapters", "engine/ports.ts", "errors.ts"],
      [...NODE, modules("execa"), modules("chokidar")],
    ),
    only(
      "gates",
      [
        "core",
        "readers",
        "schema",
        "gates",
        "engine/ports.ts",
        "adapters/environment.ts",
        "adapters/process/confine.ts",
        "adapters/process/process.ts",
        "adapters/redact.ts",
        "adapters/files/atomic-file.ts",
        "adapters/files/bounded-log.ts",
        "adapters/files/disk.ts",
        "adapters/files/small-file.ts",
        "errors.ts",
      ],
      NODE,
    ),
    only(
      "workspace",
      [
        "core",
        "readers",
        "schema",
        "workspace",
        "engine/ports.ts",
        "adapters/environment.ts",
        "adapters/process/run-program.ts",
        "adapters/process/confine.ts",
        "adapters/process/program.ts",
        "adapters/process/process.ts",
        "adapters/process/staying.ts",
        "adapters/redact.ts",
        "adapters/files/atomic-file.ts",
        "adapters/files/bounded-log.ts",
        "adapters/files/disk.ts",
        "adapters/files/small-file.ts",
        "adapters/log/owner.ts",
        "adapters/process/identity.ts",
        "errors.ts",
      ],
      NODE,
    ),
    only(
      "workspace/git",
      [
        "core",
        "workspace/git",
        "adapters/process/confine.ts",
        "adapters/process/program.ts",
        "adapters/process/staying.ts",
        "adapters/redact.ts",
        "adapters/files/small-file.ts",
        "errors.ts",
      ],
      NODE,
    ),
    only(
      "fleet",
      [
        "core",
        "engine/ports.ts",
        "adapters",
        "schema",
        "workspace/git",
        "workspace/keep/commits.ts",
        "workspace/folders.ts",
        "fleet",
        "errors.ts",
        "version.ts",
      ],
      [...NODE, modules("pg"), modules("@types/pg")],
    ),
    only("library.ts", ["core", "adapters/project/package-folder.ts", "errors.ts"], NODE),
    only("mcp", ["core", "schema", "mcp", "engine/ports.ts", "adapters", "errors.ts"], NODE),
    only(
      "drivers",
      [
        "core",
        "readers",
        "schema",
        "drivers",
        "engine/ports.ts",
        "adapters/process/confine.ts",
        "adapters/process/process.ts",
        "adapters/process/program.ts",
        "adapters/redact.ts",
        "adapters/process/output-lines.ts",
        "adapters/files/atomic-file.ts",
        "adapters/files/small-file.ts",
        "adapters/files/watch.ts",
        "adapters/log/owner.ts",
        "adapters/log/activity-file.ts",
        "adapters/files/disk.ts",
        "adapters/process/program.ts",
        "mcp",
        "errors.ts",
        "version.ts",
      ],
      [...NODE, modules("@anthropic-ai"), modules("@agentclientprotocol")],
    ),
    // The page runs in a browser: of the program it knows the shape of what it gets, and no more.
    only(
      "web/page",
      ["web/page", "web/api.ts"],
      [modules("preact"), modules("@preact"), modules("highlight.js")],
    ),
    only(
      "web/server.ts",
      ["web/api.ts", "errors.ts"],
      [...NODE, modules("hono"), modules("@hono")],
    ),
    gate("zod", ["schema/"]),
    gate("yaml", ["schema/task-file.ts"]),
    gate("unbash", ["readers/shell/each-call.ts"]),
    gate("saxes", ["readers/tools/junit-xml.ts"]),
    gate("chrono-node", ["readers/endings/reset-time.ts"]),
    gate("fastest-levenshtein", ["schema/suggest.ts"]),
    gate("commander", ["cli/command-line/program.ts"]),
    gate("chokidar", ["adapters/files/watch.ts"]),
    gate("hono", ["web/server.ts"]),
    gate("@hono", ["web/server.ts"]),
    gate("preact", ["web/page/"]),
    gate("highlight.js", ["web/page/diff.tsx"]),
    gate("execa", ["adapters/process/run-program.ts"]),
    gate("@anthropic-ai", ["drivers/anthropic/model.ts"]),
    gate("@agentclientprotocol", ["drivers/acp/"]),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types"],
    },
  },
};
