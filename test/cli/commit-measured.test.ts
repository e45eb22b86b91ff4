// Do gates find what lands, and not what stands in the agent's tree?

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { eachOf } from "../support/each-of.ts";
import { eventsOf } from "../support/run-record.ts";
import { COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";

test("gates find the work as a commit: what git lists, compares or generates is what lands", async () => {
  const write = (path: string, text: string) => ({ write: { path, text } });
  const scaffold = "mkdir web; cd web; git init -q; echo ok > index.js; git add index.js";
  await eachOf<readonly [string, string, readonly object[], string]>(
    [
      [
        "a file that only git knows to be new",
        'test -z "$(git ls-files -z "*.js" | xargs -0 -r grep -l debugger)"',
        [write("b.js", "debugger\n")],
        "stalled",
      ],
      [
        "only what differs from the base branch",
        'test -z "$(git diff --name-only main...HEAD)" || grep -q right sum.mjs',
        [write("sum.mjs", "wrong\n")],
        "stalled",
      ],
      [
        "what is generated, and compared",
        'echo "made of $(cat in.txt)" > out.txt && git diff --exit-code -- out.txt',
        [write("in.txt", "two\n"), write("out.txt", "made of two\n")],
        "done",
      ],
      [
        "a repository inside of the work",
        "test -f web/index.js",
        [{ run: scaffold }, write("README.md", "see web\n")],
        "blocked",
      ],
    ],
    async ([name, gate, work, expected]) => {
      const box = smallProject({
        config: "interactionThreshold: 0,",
        gate,
        files: { "in.txt": "one\n", "out.txt": "made of one\n", "sum.mjs": "right\n" },
        sessions: [{ do: [...work, COMPLETED] }],
      });
      await box.inProcess(["run", "task.md"]);
      expect([name, eventsOf(box, "task-ended")[0]?.end.kind]).toEqual([name, expected]);
    },
  );
});

const NESTED = `mkdir web; cd web; git init -q -b trunk; echo ok > index.js; git add -A
git -c user.name=a -c user.email=a@b commit -qm scaffold; git branch spare
git checkout -q -b wip; echo wip > wip.js; git add -A; git -c user.name=a -c user.email=a@b commit -qm wip
git checkout -q trunk; echo more > loose.js`;

test("a person takes the files of a nested repository along, and its commits are kept", async () => {
  const box = smallProject({
    config: "interactionThreshold: 2,",
    gate: "test -f web/index.js && test -f web/loose.js",
    sessions: [{ attempt: 1, do: [{ run: NESTED }, COMPLETED] }, { do: [COMPLETED] }],
  });
  const { exitCode, stderr } = await box.inProcess(["run", "task.md"]);
  const words = "[1] take the work with the files of web";
  expect([exitCode, stderr]).toEqual([4, expect.stringContaining(words)]);
  const { stdout } = await box.inProcess(["answer", "--accept", "--resume", "--json"]);
  const { tasks } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  expect(tasks[0]).toMatchObject({ end: "done", grade: "proven" });
  expect(eventsOf(box, "session-started")).toHaveLength(2);
  const made = box.git("diff", "--name-status", "main", "orch/task");
  expect(made).toBe("A\tweb/index.js\nA\tweb/loose.js");
  const kept = eventsOf(box, "rescued").map(({ ref, why }) => [
    why,
    box.git("log", "--format=%s", `${ref}^2`),
  ]);
  expect(kept).toEqual([
    ["branch spare in web and branch trunk in web of the agent's repository", "scaffold"],
    ["branch wip in web of the agent's repository", "wip\nscaffold"],
  ]);
});

test("what a task allows beforehand of nested repositories is taken along at level 0", async () => {
  const shallow = `git init -q far; cd far; for n in 1 2; do echo $n > n
git add -A; git -c user.name=a -c user.email=a@b commit -qm $n; done; cd ..
git clone -q --depth 1 "file://$PWD/far" web/loose.js; rm -rf far`;
  await eachOf<readonly [string, string, string]>(
    [
      ["ordinary", NESTED, "web/loose.js"],
      ["shallow, inside of it", `mkdir -p web; touch web/index.js; ${shallow}`, "web/loose.js/n"],
    ],
    async ([name, run, path]) => {
      const box = smallProject({
        config: "interactionThreshold: 0,",
        gate: "test -e web/index.js && test -e web/loose.js",
        task: '---\nallow: ["ignored: web/**"]\n---\n# Task\n',
        sessions: [{ do: [{ run }, COMPLETED] }],
      });
      expect([name, (await box.inProcess(["run", "task.md"])).exitCode]).toEqual([name, 0]);
      expect(box.git("ls-tree", "-r", "--name-only", "orch/task", "web")).toContain(path);
      expect(eventsOf(box, "rescued")[0]?.why).toContain("of the agent's repository");
    },
  );
});

test("beside the files of a nested repository others may be missing, which are told", async () => {
  const box = smallProject({
    config: "interactionThreshold: 1,",
    gate: "test -f web/index.js && test -f made.txt",
    files: { ".gitignore": "made.txt\n" },
    sessions: [
      { attempt: 1, do: [{ run: `touch made.txt; ${NESTED}` }, COMPLETED] },
      { do: [COMPLETED] },
    ],
  });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(4);
  const { stdout } = await box.inProcess(["answer", "--accept", "--resume", "--json"]);
  const { tasks } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  const unproven = "measured with made.txt, which no commit holds";
  expect(tasks[0]).toMatchObject({ end: "done", grade: "not-verified", unproven });
  expect(box.git("ls-tree", "-r", "--name-only", "orch/task", "web")).toContain("web/index.js");
});

test("where the checkout is sparse, trees and places are, and the work loses no file", async () => {
  const gate = "test ! -e far/a.txt && test -f far/new.txt && git diff --quiet";
  const box = smallProject({
    config: `interactionThreshold: 0, gates: { check: { run: "${gate}", parse: "none" }, there: { fileExists: "far/a.txt" } },`,
    files: { "near/a.txt": "a\n", "far/a.txt": "a\n", "far/b.txt": "b\n" },
    sessions: [
      {
        do: [
          { run: "test ! -e far/a.txt && git sparse-checkout add far && echo more >far/b.txt" },
          { write: { path: "far/new.txt", text: "new\n" } },
          COMPLETED,
        ],
      },
    ],
  });
  box.git("sparse-checkout", "set", "--cone", "near");
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(0);
  expect(box.git("diff", "--name-status", "main", "orch/task")).toBe(
    "M\tfar/b.txt\nA\tfar/new.txt",
  );
  expect((await box.inProcess(["merge"])).exitCode).toBe(0);
  expect([existsSync(join(box.root, "far")), box.git("status", "--porcelain")]).toEqual([
    false,
    "",
  ]);
  expect(box.git("show", "HEAD:far/b.txt")).toBe("more");
});

test("a virtual environment that is committed finds the sources of the tree and of the place", async () => {
  const tool = ".venv/bin/check";
  const box = smallProject({
    gate: `${tool} && git diff --exit-code`,
    files: { "src/answer": "0", "src/list": "" },
    sessions: [
      {
        do: [
          { run: `! ${tool}; echo 42 > src/answer; ${tool} && git add -A && git commit -qm mine` },
          { run: `sed s/answer/list/ ${tool} > .venv/bin/other; git status --short > src/list` },
          ...GOOD_WORK,
        ],
      },
    ],
  });
  const names = `#!/bin/sh\ngrep 42 '${box.root}/src/answer' # ${box.root}2\n`;
  mkdirSync(join(box.root, ".venv/bin"), { recursive: true });
  writeFileSync(join(box.root, tool), names, { mode: 0o755 });
  box.git("add", "--force", ".venv");
  box.git("commit", "--quiet", "--message=environment");
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(0);
  const made = box.git("diff", "--name-only", "main", "orch/task").split("\n");
  expect(made).toEqual([".venv/bin/other", "good.txt", "src/answer", "src/list"]);
  expect(box.git("show", "orch/task:.venv/bin/other")).toContain(`'${box.root}/src/list'`);
  expect(box.git("show", "orch/task:src/list")).toBe("?? .venv/bin/other");
});
