import { execFileSync } from "node:child_process";
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

/** As `orch rescue` says: what comes back is uncommitted. */
function restore({ root }: Sandbox, ref: string): void {
  const line = `git show -m --first-parent --binary ${ref} | git apply`;
  expect(execFileSync("/bin/sh", ["-c", line], { cwd: root, encoding: "utf8" })).toBe("");
}

test("work of a task that was given up is listed, and comes back as the list says", async () => {
  const fails = [{ write: { path: "other.txt", text: "x\n" } }, COMPLETED];
  const box = smallProject({ sessions: [{ do: fails }] });
  const run = await box.inProcess(["run", "task.md"]);
  expect(run.exitCode).toBe(1);
  const [, ref = ""] = /kept as\s+(\S+): orch rescue/.exec(run.stdout) ?? [];
  const { stdout } = await box.inProcess(["rescue"]);
  expect(stdout).toMatch(/^\S+ \S+ work of task, which is not done$/m);
  expect(stdout).toContain(`\n  ${ref.replace("refs/", "")}\n`);
  expect(stdout).toContain("\nback: git show -m --first-parent --binary <ref> | git apply\n");
  restore(box, ref);
  expect(box.git("status", "--porcelain")).toBe("?? other.txt");
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
  const { rescues } = JSON.parse((await box.inProcess(["rescue", "--json"])).stdout);
  expect(rescues.map(({ why }: { why: string }) => why)).toEqual(whys);
  for (const { ref } of rescues) restore(box, ref);
  expect(box.git("status", "--porcelain")).toBe("?? one.txt\n?? two.txt\n?? wip.txt");
  expectSound(box);
});

test("those of one run, or of all, stand oldest first", async () => {
  const box = withRescue((tree) => tree.write("new.txt", "new\n"));
  setAside(box, `${OTHER_RUN}/checkout/rescue-1`, () => box.write("b.txt", "b\n"));
  const list = async (...args: readonly string[]) => {
    const { rescues } = JSON.parse((await box.inProcess(["rescue", ...args, "--json"])).stdout);
    return rescues.map(({ run }: { run: string }) => run);
  };
  expect(await list()).toEqual([RUN, OTHER_RUN]);
  expect(await list(OTHER_RUN)).toEqual([OTHER_RUN]);
  const { stderr, ...unknown } = await box.inProcess(["rescue", "restore", "3"]);
  expectTwoLines({ stderr, ...unknown });
  expect(stderr).toContain('there is no rescued work of a run "restore"');
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
  const ref = `refs/orch/${RUN}/login/rescue-1`;
  const names = box.git("ls-tree", "-r", "--name-only", "-z", ref);
  restore(box, ref);
  box.git("add", "--all");
  expect(box.git("ls-files", "-z")).toBe(names);
  expect(box.git("diff", "--cached", ref)).toBe("");
  expect(lstatSync(join(box.root, "bin/run")).mode & 0o111).not.toBe(0);
});

test("without any, it says so", async () => {
  const box = sandbox({});
  expect(await box.inProcess(["rescue"])).toMatchObject({
    exitCode: 0,
    stdout: "there is no rescued work\n",
  });
});
