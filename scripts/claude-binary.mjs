// Where is the pinned Claude Code? It is installed beside the user's caches, never among orch's own packages.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const CLAUDE_CODE = { name: "@anthropic-ai/claude-code", version: "2.1.329" };

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

/** The program itself, from the platform's package: the wrapper needs install scripts to have run. */
export function claudeBinary() {
  if (process.env.ORCH_CLAUDE_BIN) return process.env.ORCH_CLAUDE_BIN;
  const packages = join(install(CLAUDE_CODE), "node_modules/@anthropic-ai");
  const isMusl = existsSync(`/lib/ld-musl-${process.arch === "x64" ? "x86_64" : "aarch64"}.so.1`);
  const platform = `claude-code-${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;
  const program = join(packages, platform, process.platform === "win32" ? "claude.exe" : "claude");
  if (existsSync(program)) return program;
  throw new Error(`${program} is not there, only: ${readdirSync(packages).join(", ")}`);
}
