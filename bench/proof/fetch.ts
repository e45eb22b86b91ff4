// Where is a package, ready to be worked in: fetched once, installed, and committed?

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import type { Project } from "./packages.ts";
import { Tree, writeText } from "./tree.ts";

export const CACHE = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "orch-bench-proof",
);

/** The folder of the package; throws where it cannot be had. */
export function fetched(pkg: Project): string {
  const { from, needs, script, files, drop, prepare } = pkg;
  const recipe = JSON.stringify([from, needs, script, files, drop, prepare]);
  const mark = createHash("sha256").update(recipe).digest("hex").slice(0, 8);
  const root = join(CACHE, `${pkg.name}-${mark}`);
  if (existsSync(root)) return root;
  const making = `${root}.${process.pid}`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  unpack(pkg, making);
  for (const path of pkg.drop ?? []) rmSync(join(making, path), { recursive: true, force: true });
  for (const [path, text] of Object.entries(pkg.files ?? {})) writeText(join(making, path), text);
  const tree = new Tree(making);
  tree.edit(pkg.prepare ?? []);
  tree.apply();
  if (pkg.script !== undefined) install(pkg, making);
  writeFileSync(join(making, ".gitignore"), `${IGNORED}${pkg.files?.[".gitignore"] ?? ""}`);
  if (pkg.tool === "cargo") run(making, "cargo", "test", "--offline", "--tests", "--no-run");
  run(making, "git", "init", "--quiet", "--initial-branch=main");
  run(making, "git", "config", "user.name", "bench");
  run(making, "git", "config", "user.email", "bench@localhost");
  commitAll(making);
  renameSync(making, root);
  return root;
}

const IGNORED = "node_modules/\n.venv/\ntarget/\n__pycache__/\n*.pyc\n.nyc_output/\n";

export function commitAll(root: string): void {
  run(root, "git", "add", "--all");
  run(root, "git", "commit", "--quiet", "--message=base");
}

function unpack({ from }: Project, root: string): void {
  switch (from.kind) {
    case "npm": {
      const file = run(root, "npm", "pack", "--silent", from.spec).trim();
      run(root, "tar", "xzf", file, "--strip-components=1", "--no-same-owner");
      rmSync(join(root, file));
      return;
    }
    case "deb": {
      const into = `${root}.deb`;
      mkdirSync(into, { recursive: true });
      run(into, "apt-get", "download", "-qq", from.name);
      run(into, "dpkg", "-x", only(into), ".");
      const folder = join(into, from.folder);
      const source = folder.endsWith("*") ? join(dirname(folder), only(dirname(folder))) : folder;
      cpSync(source, root, { recursive: true });
      rmSync(into, { recursive: true });
      return;
    }
    case "python": {
      const ask = 'import sysconfig; print(sysconfig.get_paths()["stdlib"])';
      const library = run(root, "python3", "-c", ask).trim();
      for (const [to, path] of Object.entries(from.files)) {
        mkdirSync(dirname(join(root, to)), { recursive: true });
        cpSync(join(library, path), join(root, to));
      }
      return;
    }
    case "pip":
      run(root, "python3", "-m", "venv", ".venv");
      run(root, ".venv/bin/python", "-m", "pip", "install", "--quiet", ...from.packages);
      return;
    case "files":
  }
}

function only(folder: string): string {
  return readdirSync(folder)[0] ?? "";
}

const OWN = new Set(["devDependencies", "dependencies", "ava", "tap", "nyc", "babel"]);

/** Its own settings name linters and builds; only the tests count here. */
function install({ script, needs = {} }: Project, root: string): void {
  const path = join(root, "package.json");
  const text: object = JSON.parse(readFileSync(path, "utf8"));
  const kept = Object.fromEntries(Object.entries(text).filter(([key]) => !OWN.has(key)));
  const manifest = { ...kept, scripts: { test: script }, devDependencies: needs };
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  if (Object.keys(needs).length > 0)
    run(root, "npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts");
}

function run(cwd: string, program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
