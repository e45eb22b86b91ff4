import { chmodSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { eventsOf, expectSound, expectTwoLines } from "../support/run-record.ts";
import { COMPLETED, shellAgent, smallProject } from "../support/small-project.ts";
import { type Sandbox, sandbox } from "../support/whole-program.ts";

const RUN = "20261120-121436-add-login-k3f9";
const OTHER_RUN = "20261121-080000-checkout-q7xm";
const LINES = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

/** As the end of a task sets its work aside; the checkout is as it was. */
function setAside(box: Sandbox, ref: string, work: () => void): void {
  work();
  box.git("add", "--all");
  const message = `orch: unfinished work for ${ref}`;
  const commit = box.git("commit-tree", box.git("write-tree"), "-p", "HEAD", "-m", message);
  box.git("update-ref", `refs/orch/${ref}`, commit);
  box.git("reset", "--quiet", "--hard");
}

function withRescue(work: (box: Sandbox) => void): Sandbox {
  const box = sandbox({
    files: { "a.txt": LINES, "old.txt": "old\n", ".gitignore": "ignored/\n" },
  });
  setAside(box, `${RUN}/login/rescue-1`, () => work(box));
  return box;
}

/** All that a person would miss. */
function view({ git }: Sandbox): readonly string[] {
  return [
    git("rev-parse", "HEAD"),
    git("symbolic-ref", "HEAD"),
    git("diff", "--cached"),
    git("stash", "list"),
    git("for-each-ref"),
  ];
}

test("work of a task that was given up is listed, shown and restored as the summary says", async () => {
  const fails = [{ write: { path: "other.txt", text: "x\n" } }, COMPLETED];
  const box = smallProject({ sessions: [{ do: fails }] });
  const run = await box.inProcess(["run", "task.md"]);
  expect(run.exitCode).toBe(1);
  const [, ref = ""] = /kept: orch rescue restore\s+(\S+)/.exec(run.stdout) ?? [];
  const listed = await box.inProcess(["rescue"]);
  expect(listed.stdout).toMatch(/^1 .* task .* work of task, which is not done$/m);
  expect((await box.inProcess(["rescue", "show"])).stdout).toContain("+++ b/other.txt\n");
  const before = view(box);
  const { exitCode, stdout } = await box.inProcess(["rescue", "restore", ref]);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: "1 file restored as uncommitted changes; look: git status\n",
  });
  expect(box.git("status", "--porcelain")).toBe("?? other.txt");
  expect(view(box)).toEqual(before);
});

test("what an agent left in its own repository is kept though the task is done, and comes back", async () => {
  const line = [
    "git checkout -q -b wip && echo w >wip.txt && git add . && git commit -qm wip && git tag v1",
    "git checkout -q - && echo 1 >one.txt && git stash -qu && echo 2 >two.txt && git stash -qu",
    `echo good >good.txt; echo '${JSON.stringify(COMPLETED.report)}' >"$ORCH_REPORT"`,
  ].join("; ");
  const box = smallProject({ config: shellAgent(line) });
  const run = await box.inProcess(["run", "task.md"]);
  expect(run.exitCode).toBe(0);
  const names = ["stash@{0}", "stash@{1}", "branch wip and tag v1"];
  const whys = names.map((name) => `${name} of the agent's repository`);
  expect(eventsOf(box, "rescued").map(({ why }) => why)).toEqual(whys);
  const listed = JSON.parse((await box.inProcess(["rescue", "list", "--json"])).stdout);
  expect(listed.rescues.map(({ why }: { why: string }) => why)).toEqual(whys);
  expect((await box.inProcess(["rescue", "show", "3"])).stdout).toContain("+++ b/wip.txt\n");
  for (const n of ["1", "2", "3"])
    expect((await box.inProcess(["rescue", "restore", n])).exitCode).toBe(0);
  expect(box.git("status", "--porcelain")).toBe("?? one.txt\n?? two.txt\n?? wip.txt");
  expectSound(box);
});

test("numbers count from the oldest, of one run or of all", async () => {
  const box = withRescue((tree) => tree.write("new.txt", "new\n"));
  setAside(box, `${OTHER_RUN}/checkout/rescue-1`, () => box.write("b.txt", "b\n"));
  const list = async (...args: readonly string[]) => {
    const rescues = JSON.parse((await box.inProcess(["rescue", "list", ...args, "--json"])).stdout);
    return rescues.rescues.map((one: { number: number; run: string }) => [one.number, one.run]);
  };
  const [first, second] = [
    [1, RUN],
    [2, OTHER_RUN],
  ];
  expect(await list()).toEqual([first, second]);
  expect(await list(OTHER_RUN)).toEqual([second]);
  const shown = await box.inProcess(["rescue", "show", `${OTHER_RUN}/checkout/rescue-1`, "--json"]);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    number: 2,
    changed: [{ path: "b.txt", change: "added", added: 1, removed: 0 }],
  });
});

test("new, changed and removed files come back, whatever they hold and are called", async () => {
  const work = (box: Sandbox): void => {
    box.write("a.txt", LINES.replace("5", "five"));
    box.write("an odd\nname -ü.txt", "\r\n\t trailing \n\u0000binary");
    box.write("bin/run", "#!/bin/sh\n");
    chmodSync(join(box.root, "bin/run"), 0o755);
    box.git("rm", "--quiet", "old.txt");
  };
  const box = withRescue(work);
  const names = box.git("ls-tree", "-r", "--name-only", "-z", `refs/orch/${RUN}/login/rescue-1`);
  expect((await box.inProcess(["rescue", "restore"])).exitCode).toBe(0);
  box.git("add", "--all");
  expect(box.git("ls-files", "-z")).toBe(names);
  expect(box.git("diff", "--cached", `refs/orch/${RUN}/login/rescue-1`)).toBe("");
  expect(lstatSync(join(box.root, "bin/run")).mode & 0o111).not.toBe(0);
});

test("it goes on top of what was committed meanwhile, where both fit together", async () => {
  const box = withRescue((tree) => tree.write("a.txt", LINES.replace("9", "nine")));
  box.write("a.txt", LINES.replace("1", "one"));
  box.git("commit", "--quiet", "--all", "--message=meanwhile");
  expect((await box.inProcess(["rescue", "restore"])).exitCode).toBe(0);
  expect(box.read("a.txt")).toBe(LINES.replace("1", "one").replace("9", "nine"));
  const again = await box.inProcess(["rescue", "restore"]);
  expect(again.stderr).toContain("does not fit the files that are there: a.txt");
});

test.each<[string, (box: Sandbox) => void, string]>([
  ["an uncommitted change", (box) => box.write("a.txt", "mine\n"), "a.txt: does not match index"],
  ["a staged change", (box) => stage(box, "a.txt"), "patch does not apply"],
  ["an untracked file", (box) => box.write("new.txt", "mine\n"), "new.txt: already exists"],
  ["an ignored file", (box) => box.write("ignored/x", "mine\n"), "ignored/x: already exists"],
  ["a file where a folder is to be", (box) => box.write("deep", "mine\n"), "deep is no folder"],
  ["a commit that changed the same lines", (box) => commit(box), "patch does not apply"],
])("nothing is touched where %s is in the way", async (_what, meanwhile, words) => {
  const box = withRescue((tree) => {
    tree.write("a.txt", LINES.replace("5", "five"));
    tree.write("new.txt", "new\n");
    tree.write("deep/er.txt", "deep\n");
    tree.write("ignored/x", "x\n");
    tree.git("add", "--force", "ignored/x");
  });
  meanwhile(box);
  const before = [box.git("status", "--porcelain", "--ignored"), box.git("diff"), ...view(box)];
  const refused = await box.inProcess(["rescue", "restore", "1"]);
  expectTwoLines(refused);
  expect(refused.stderr).toContain(words);
  const after = [box.git("status", "--porcelain", "--ignored"), box.git("diff"), ...view(box)];
  expect(after).toEqual(before);
});

function stage(box: Sandbox, path: string): void {
  box.write(path, "mine\n");
  box.git("add", path);
}

function commit(box: Sandbox): void {
  box.write("a.txt", LINES.replace("5", "cinq"));
  box.git("commit", "--quiet", "--all", "--message=meanwhile");
}

test.each<[string, readonly string[], string]>([
  ["an unknown number is told", ["show", "7"], "there is no rescue 7"],
  ["an unknown word is told", ["undo"], "there is no `orch rescue undo`"],
])("%s", async (_name, args, words) => {
  const box = withRescue((tree) => tree.write("new.txt", "new\n"));
  const before = view(box);
  const refused = await box.inProcess(["rescue", ...args]);
  expectTwoLines(refused);
  expect(refused.stderr).toContain(words);
  expect(view(box)).toEqual(before);
});

test("without any, it says so", async () => {
  const box = sandbox({});
  expect(await box.inProcess(["rescue"])).toMatchObject({
    exitCode: 0,
    stdout: "there is no rescued work\n",
  });
  expectTwoLines(await box.inProcess(["rescue", "show"]));
});
