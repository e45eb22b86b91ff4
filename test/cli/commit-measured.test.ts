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

test("a person is told how the files of a nested repository become part of the work", async () => {
  const made = { run: "mkdir -p web; cd web; git init -q; echo ok > index.js" };
  const box = smallProject({
    config: "interactionThreshold: 2,",
    gate: "test -f web/index.js",
    sessions: [
      { attempt: 3, do: [{ run: "rm -r web/.git" }, COMPLETED] },
      { do: [made, COMPLETED] },
    ],
  });
  const { exitCode, stderr } = await box.inProcess(["run", "task.md"]);
  const words = "remove web/.git, and only that";
  expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([4, expect.stringContaining(words)]);
  expect((await box.inProcess(["answer", words, "--resume"])).exitCode).toBe(0);
  expect(box.git("diff", "--name-status", "main", "orch/task")).toBe("A\tweb/index.js");
});

test("where the checkout is sparse, trees and places hold all files, and the work loses none", async () => {
  const box = smallProject({
    config: "interactionThreshold: 0,",
    gate: "test -f far/a.txt && test -f far/new.txt",
    files: { "near/a.txt": "a\n", "far/a.txt": "a\n" },
    sessions: [
      {
        do: [
          { run: "test -f far/a.txt" },
          { write: { path: "far/new.txt", text: "new\n" } },
          COMPLETED,
        ],
      },
    ],
  });
  box.git("sparse-checkout", "set", "--cone", "near");
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(0);
  expect(box.git("diff", "--name-status", "main", "orch/task")).toBe("A\tfar/new.txt");
  expect((await box.inProcess(["merge"])).exitCode).toBe(0);
  expect([existsSync(join(box.root, "far")), box.git("status", "--porcelain")]).toEqual([
    false,
    "",
  ]);
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
