// What does a test of workspaces need: a real repository?

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
import { task } from "../support/builders.ts";
import { commitAll, GIT_ENV as ENV, initRepository, type Git } from "../support/repository.ts";

export { ENV };

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export const RUN = "20261120-121436-add-login-k3f9";

export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "orch-workspace-")));
  folders.push(folder);
  return folder;
}

export interface Sandbox {
  readonly root: string;
  readonly git: Git;
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
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const git = initRepository(root);
  write(".orch/.gitignore", "*\n");
  if (commit) {
    write("README.md", "hello\n");
    write("src/a.ts", "a\n");
    write("src/b.ts", "b\n");
    write(".gitignore", "ignored/\n");
    commitAll(git);
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

export const DONE = { kind: "done", verified: true, grade: "proven" } as const;
export const STALLED = {
  kind: "stalled",
  reason: "no change",
  gatesFailing: true,
  retryAtMs: null,
} as const;

/** A sandbox in which the task "t" has been opened. */
export async function openTask(isolation: "branch" | "none" = "branch") {
  const box = sandbox();
  const workspaces = box.workspaces();
  return { box, workspaces, workspace: await workspaces.open(task("t"), isolation) };
}
