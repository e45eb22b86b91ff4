// What does a test of workspaces need: a real repository?

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";

import type { CheckpointLabel } from "../../src/engine/ports.ts";
import { createWorkspaces } from "../../src/workspace/workspaces.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export const RUN = "20261120-121436-add-login-k3f9";

/** Without anything of the machine's own configuration. */
export const ENV: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "orch-workspace-")));
  folders.push(folder);
  return folder;
}

export interface Sandbox {
  readonly root: string;
  git(...args: readonly string[]): string;
  write(path: string, content: string | Buffer): void;
  read(path: string): string;
  /** A new set of workspaces, as a process that starts again has. */
  workspaces(more?: {
    cwd?: string;
    env?: Readonly<Record<string, string>>;
  }): ReturnType<typeof createWorkspaces>;
  /** Everything a person would miss: branch, staged, unstaged, stashes, and the index file itself. */
  view(): Readonly<Record<string, string>>;
}

/** A folder with `.orch/`; with a repository and a first commit unless told otherwise. */
export function sandbox({ commit = true }: { readonly commit?: boolean } = {}): Sandbox {
  const root = tempFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: root, env: ENV, encoding: "utf8", stdio: "pipe" }).trimEnd();
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  write(".orch/.gitignore", "*\n");
  if (commit) {
    write("README.md", "hello\n");
    write("src/a.ts", "a\n");
    write("src/b.ts", "b\n");
    write(".gitignore", "ignored/\n");
    git("add", "--all");
    git("commit", "--quiet", "--message=start");
  }
  return {
    root,
    git,
    write,
    read: (path) => readFileSync(join(root, path), "utf8"),
    workspaces: ({ cwd = root, env = ENV } = {}) =>
      createWorkspaces({
        cwd,
        run: RUN,
        runDir: join(root, ".orch", "runs", RUN),
        branchPrefix: "orch/",
        env,
      }),
    view: () => ({
      head: git("symbolic-ref", "-q", "HEAD"),
      commit: git("rev-parse", "HEAD"),
      status: git("--no-optional-locks", "status", "--porcelain"),
      staged: git("--no-optional-locks", "diff", "--cached"),
      stash: git("stash", "list"),
      index: indexIdentity(root),
    }),
  };
}

function indexIdentity(root: string): string {
  const path = join(root, ".git", "index");
  const sum = createHash("sha256").update(readFileSync(path)).digest("hex");
  return `${sum} ${lstatSync(path, { bigint: true }).mtimeNs}`;
}

export function label(task: string, more: Partial<CheckpointLabel> = {}): CheckpointLabel {
  return {
    task,
    step: "implement",
    attempt: 1,
    when: "before",
    tree: null,
    verdict: "unknown",
    ...more,
  };
}

export const DONE = { kind: "done", verified: true } as const;
export const STALLED = {
  kind: "stalled",
  reason: "no change",
  gatesFailing: true,
  retryAtMs: null,
} as const;
