// Whatever an agent does with git in its tree: does the user's repository stay, and does orch go on?

import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import {
  ENV,
  PREFIX,
  T,
  everythingOf,
  label,
  openTree,
  tempFolder,
  commitWork,
} from "./sandbox.ts";
import { sandbox, type Sandbox } from "./sandbox.ts";

/** A user with something to lose: branches, a tag, a stash, something staged and something not. */
function project(): Sandbox {
  const box = sandbox();
  box.write("src/a.ts", "stashed\n");
  box.git("stash");
  box.git("branch", "other");
  box.git("tag", "v1");
  box.git("config", "fetch.prune", "true");
  box.git("config", "fetch.pruneTags", "true");
  box.git("config", "protocol.file.allow", "never");
  box.write("src/b.ts", "staged\n");
  box.git("add", "src/b.ts");
  box.write("src/b.ts", "staged and changed\n");
  box.write("untracked.txt", "mine\n");
  return box;
}

interface Place {
  readonly root: string;
  /** The user's git folder. */
  readonly user: string;
  /** A file that is there when something ran which the agent configured. */
  readonly trap: string;
}

/** `$USER_GIT` and `$TRAP` as in `Place`; what fails is no matter, as with an agent. */
function act(script: string, { root, user, trap }: Place): void {
  spawnSync("/bin/sh", ["-c", script], {
    cwd: root,
    env: { ...ENV, USER_GIT: user, TRAP: trap },
  });
}

const TRAP_PROGRAM = `printf '#!/bin/sh\\ntouch "%s"\\ncat\\n' "$TRAP" >trap.sh; chmod +x trap.sh`;

const ACTS: Readonly<Record<string, string>> = {
  "checks out another branch": "git checkout -q other",
  "detaches HEAD": "git checkout -q --detach v1",
  "stashes its work": "git stash -u",
  "clears the stash": "git stash; git stash clear",
  "resets to the commit before": "git commit -qam x; git reset -q --hard HEAD~1",
  "cleans everything": "git clean -fdxq",
  "deletes main": "git branch -D main; git push -q . :main; git tag -d v1",
  "deletes refs": "git for-each-ref --format='delete %(refname)' | git update-ref --stdin",
  "removes what is unreachable": "git reflog expire --all --expire=now; git gc -q --prune=now",
  "commits and begins a rebase that stops":
    "git commit -qam x; git checkout -q other; echo y >src/a.ts; git commit -qam y; git rebase -q orch/t",
  "breaks off in a merge":
    "git commit -qam x; git checkout -q -b y other; echo y >src/a.ts; git commit -qam y; git merge orch/t",
  "adds a working tree and removes it": "git worktree add -q ../w other; git worktree remove ../w",
  "breaks its index": "echo garbage >.git/index; touch .git/index.lock",
  "leaves locks everywhere":
    "touch .git/HEAD.lock .git/packed-refs.lock .git/refs/heads/orch/t.lock",
  "removes .git": "rm -rf .git",
  "empties .git": "rm -rf .git/*",
  "makes .git a file that names the user's": 'rm -rf .git; echo "gitdir: $USER_GIT" >.git',
  "makes .git a link to the user's": 'rm -rf .git; ln -s "$USER_GIT" .git',
  "makes its folder of refs a link": 'rm -rf .git/refs; ln -s "$USER_GIT/refs" .git/refs',
  "names the user's as its common folder": 'echo "$USER_GIT" >.git/commondir',
  "makes itself a repository in a repository": "git init -q .git",
  "writes hooks": `${TRAP_PROGRAM}; mkdir -p .git/hooks; for hook in pre-commit post-commit post-checkout post-index-change reference-transaction pre-auto-gc; do cp trap.sh .git/hooks/$hook; done`,
  "sets a folder of hooks": `${TRAP_PROGRAM}; mkdir hooks; cp trap.sh hooks/reference-transaction; git config core.hooksPath "$PWD/hooks"`,
  "sets a filter": `${TRAP_PROGRAM}; git config filter.x.clean "$PWD/trap.sh"; git config filter.x.smudge "$PWD/trap.sh"; git config filter.x.process "$PWD/trap.sh"; echo '* filter=x' >.gitattributes`,
  "sets a watcher": `${TRAP_PROGRAM}; git config core.fsmonitor "$PWD/trap.sh"`,
  "sets programs of all kinds": `${TRAP_PROGRAM}; for key in diff.external gpg.program core.sshCommand core.alternateRefsCommand uploadpack.packObjectsHook core.gitProxy core.pager core.editor core.askPass credential.helper merge.x.driver diff.x.textconv; do git config $key "$PWD/trap.sh"; done; git config commit.gpgSign true; echo '* merge=x diff=x' >.gitattributes`,
  "includes a config of its own": `${TRAP_PROGRAM}; git config -f own core.fsmonitor "$PWD/trap.sh"; git config include.path "$PWD/own"`,
  "promises objects from a program": `${TRAP_PROGRAM}; git config core.repositoryFormatVersion 1; git config extensions.partialClone x; git config remote.x.promisor true; git config remote.x.url "ext::$PWD/trap.sh"; git config remote.x.uploadpack "$PWD/trap.sh"; git config protocol.ext.allow always; echo 0123456789012345678901234567890123456789 >.git/refs/heads/orch/t`,
};

/** What of the agent's own repository is kept, where an act leaves something there. */
const KEPT: Readonly<Record<string, string>> = {
  "stashes its work": "stash@{0}",
  "commits and begins a rebase that stops": "branch other",
  "breaks off in a merge": "branch orch/t",
};

describe("nothing of the user's is changed, nothing runs in orch's calls, and orch goes on", () => {
  test.each(Object.keys(ACTS))("after an agent that %s", async (name) => {
    const { box, tree, workspaces, workspace, checkpoint } = await openTree({ box: project() });
    const before = everythingOf(box);
    const first = await checkpoint();
    tree.write("src/a.ts", "work\n");
    const trap = join(tempFolder(), "ran");
    act(ACTS[name] ?? "false", { root: tree.root, user: join(box.root, ".git"), trap });
    // What ran in the agent's own calls is the agent's.
    act(`rm -f "$TRAP"`, { root: tree.root, user: "", trap });

    tree.write("src/new.ts", "more\n");
    const after = await checkpoint({ when: "after", verdict: "passed" });
    const change = await workspaces.change(workspace, { since: first, work: null }, null);
    const commit = await commitWork(workspaces, workspace, T, "Work");
    await workspaces.checkpoint(workspace, label("t", { attempt: 2 }));

    expect(box.git("show", `${after.commit}:src/new.ts`)).toBe("more");
    expect(change).toMatchObject({ kind: "measured", tree: after.tree });
    expect(box.git("rev-parse", "orch/t", `${PREFIX}/t/head`)).toBe(`${commit}\n${commit}`);
    expect(box.git("rev-parse", "orch/t^{tree}")).toBe(after.tree);
    expect(tree.git("rev-parse", "--show-toplevel", "HEAD")).toBe(`${tree.root}\n${commit}`);
    expect(tree.git("status", "--porcelain")).toBe("");
    expect(existsSync(trap)).toBe(false);
    expect(everythingOf(box)).toEqual(before);
    expect(box.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");

    const kept = (await workspaces.rescue(workspace, T, "left")).map(({ why }) => why);
    const what = KEPT[name];
    expect(kept).toEqual(what === undefined ? [] : [`${what} of the agent's repository`]);
    await workspaces.remove(workspace, T, "in commits or a rescue");
    expect(existsSync(tree.root)).toBe(false);
    expect(everythingOf(box)).toEqual(before);
  });
});

describe("git that runs in a tree", () => {
  test("reaches no repository that the folder of trees lies in", async () => {
    const box = project();
    const home = sandbox();
    const env = { HOME: home.root };
    writeFileSync(join(home.root, ".git/info/exclude"), "");
    const before = home.git("for-each-ref");
    const index = home.view()["index"];
    const workspaces = box.workspaces({ env });
    const { tree, workspace, checkpoint } = await openTree({ box, workspaces });
    tree.write("src/a.ts", "work\n");
    act("rm -rf .git", { root: tree.root, user: "", trap: "" });
    const made = await checkpoint();
    expect(box.git("show", `${made.commit}:src/a.ts`)).toBe("work");
    await commitWork(workspaces, workspace, T, "Work");
    await workspaces.remove(workspace, T, "in commits or a rescue");
    expect([home.git("for-each-ref"), home.view()["index"]]).toEqual([before, index]);
  });

  test("takes over no commit that an agent's repository has from a third one", async () => {
    const box = project();
    const { tree, workspaces, workspace, checkpoint } = await openTree({ box });
    const third = sandbox();
    const [objects, at] = [join(third.root, ".git/objects"), third.git("rev-parse", "HEAD^{tree}")];
    const borrows = `echo ${objects} >>.git/objects/info/alternates; echo x >x; git add x
      git update-ref HEAD $(git commit-tree -p HEAD -m borrowed ${at})`;
    act(borrows, { root: tree.root, user: "", trap: "" });
    await checkpoint({ when: "after", verdict: "passed" });
    await commitWork(workspaces, workspace, T, "Work");
    expect(box.git("log", "--format=%s", "-1", "orch/t")).toBe("Work");
    expect(box.git("log", "--format=%s", "orch/t").split("\n")).not.toContain("borrowed");
  });

  test("finds the task's branch, the user's branches and tags, and nothing of orch's", async () => {
    const { tree } = await openTree({ box: project() });
    expect(tree.git("for-each-ref", "--format=%(refname)")).toBe(
      "refs/heads/main\nrefs/heads/orch/t\nrefs/heads/other\nrefs/tags/v1",
    );
    expect(tree.git("status", "--porcelain", "--branch")).toBe("## orch/t");
    expect(tree.git("stash", "list")).toBe("");
    expect(tree.git("log", "-1", "--format=%s", "main")).toBe("start");
  });
});

test("a repository that a link in the tree leads to stays the user's", async () => {
  const box = project();
  const { workspaces, workspace } = await openTree({ box });
  symlinkSync(box.root, join(workspace.root, "web"));
  await workspaces.takeWork(workspace, T, "Work", ["web"]);
  expect(existsSync(join(box.root, ".git/HEAD"))).toBe(true);
});
