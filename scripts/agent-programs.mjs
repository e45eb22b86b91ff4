// Where are the pinned agent programs? They are installed beside the user's caches, never among orch's own packages.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const { platform, arch } = process;
const isMusl = existsSync(`/lib/ld-musl-${arch === "x64" ? "x86_64" : "aarch64"}.so.1`);
const suffix = platform === "win32" ? ".exe" : "";

/**
 * By the names of their tests. `variable` names the program to orch; `program` is its path below
 * `node_modules`, in the platform's package: a wrapper may need install scripts to have run.
 */
export const AGENTS = {
  "claude-code": {
    name: "@anthropic-ai/claude-code",
    version: "2.1.329",
    variable: "ORCH_CLAUDE_BIN",
    program: () =>
      `@anthropic-ai/claude-code-${platform}-${arch}${isMusl ? "-musl" : ""}/claude${suffix}`,
  },
  opencode: {
    name: "opencode-ai",
    version: "1.18.33",
    variable: "ORCH_OPENCODE_BIN",
    program: () => `opencode-${platform}-${arch}${isMusl ? "-musl" : ""}/bin/opencode${suffix}`,
  },
  gemini: {
    name: "@google/gemini-cli",
    version: "0.61.0",
    variable: "ORCH_GEMINI_BIN",
    program: () => ".bin/gemini",
  },
  "claude-acp": {
    name: "@agentclientprotocol/claude-agent-acp",
    version: "0.100.0",
    variable: "ORCH_CLAUDE_ACP_BIN",
    program: () => ".bin/claude-agent-acp",
  },
  codex: {
    name: "@openai/codex",
    version: "0.169.0",
    variable: "ORCH_CODEX_BIN",
    program: (modules) => {
      const vendor = `@openai/codex-${platform}-${arch}/vendor`;
      // One folder, named as compilers name the platform.
      const [target = "none"] = readdirSync(join(modules, vendor));
      return `${vendor}/${target}/bin/codex${suffix}`;
    },
  },
};

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "orch-agents");

/** The folder of an installed version; installs it when it is not there. */
function install({ name, version }) {
  const folder = join(cache, `${name.split("/").at(-1)}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "installing-"));
  console.error(`installing ${name}@${version} into ${folder}`);
  // An older Node.js is warned about; the program brings its own runtime.
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const args = ["install", "--prefix", fresh, ...options, `${name}@${version}`];
  const done = spawnSync("npm", args, { stdio: ["ignore", "inherit", "inherit"], cwd: fresh });
  if (done.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`npm install ${name}@${version} failed`);
  }
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Somebody else finished first; theirs is as good.
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The program of a pinned agent, or the one that the environment names. */
export function agentProgram(agent) {
  const { [agent]: pinned } = AGENTS;
  if (process.env[pinned.variable]) return process.env[pinned.variable];
  const modules = join(install(pinned), "node_modules");
  const program = join(modules, pinned.program(modules));
  if (existsSync(program)) return program;
  throw new Error(`${program} is not there`);
}
