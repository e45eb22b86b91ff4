// Do two tasks at once, each with the real Claude Code in a tree of its own, become one proven result?

import { expect, test } from "vitest";

import { useProjects } from "./runs.ts";
import { bash, writesReport } from "./support.ts";
import type { MessagesRequest, Turn } from "../support/messages-server.mjs";

const open = useProjects();

/** Outside the scope of both. */
const changed_checks = [{ check: "shared.txt", reason: "both sides are listed there" }];

/** By which task asks and how far its conversation is: both ask the same server, in any order. */
function turnOf(request: MessagesRequest): Turn {
  const messages = JSON.stringify(request.messages);
  const side = messages.includes("Write the left side") ? "left" : "right";
  const done = messages.split('"type":"tool_result"').length - 1;
  const write = bash(
    `pwd > ${side}.txt && echo ${side} > shared.txt && git stash --include-untracked && git stash pop && git checkout -q -b mine && git add . && git commit -qm mine`,
  );
  const join = bash("printf 'left\\nright\\n' > shared.txt");
  const isJoining = messages.includes("Join your work with what was merged meanwhile");
  return (
    [
      isJoining ? join : write,
      writesReport({ version: 1, status: "completed", summary: "done", changed_checks }),
    ][done] ?? { text: "Done." }
  );
}

test("two tasks at once are merged, and the conflict between them is resolved by its agent", async () => {
  const turns = Array.from({ length: 30 }, () => turnOf);
  const scoped = (side: string): string =>
    `---\nscope: ["${side}.txt", "shared.txt"]\n---\n# ${side}\n\nWrite the ${side} side.\n`;
  const { orch, git, read } = await open(turns, {
    config: `git: { branchPrefix: "orch/" },`,
    gate: `{ run: "! grep -q '<<<' shared.txt 2>/dev/null", parse: "none" }`,
    files: {
      "sides/left.md": scoped("left").replace(', "shared.txt"', ""),
      "sides/right.md": scoped("right").replace(', "shared.txt"', ""),
    },
  });
  const before = [git("rev-parse", "HEAD"), git("status", "--short"), git("stash", "list")];
  const end = await orch("run", "sides", "--parallel", "2", "--json");
  expect({ exitCode: end.exitCode, stderr: end.exitCode === 0 ? "" : end.stderr }).toEqual({
    exitCode: 0,
    stderr: "",
  });
  const started = end.events.filter(({ type }) => type === "session-started");
  const firstEnd = end.events.findIndex(({ type }) => type === "session-ended");
  expect(
    end.events.slice(0, firstEnd).filter(({ type }) => type === "session-started"),
  ).toHaveLength(2);
  expect(started.length).toBeGreaterThan(2);
  const into = end.result?.into ?? "";
  expect(git("show", `${into}:shared.txt`)).toBe("left\nright");
  const places = ["left", "right"].map((side) => git("show", `${into}:${side}.txt`));
  expect(new Set(places).size).toBe(2);
  for (const place of places) expect(place).toMatch(/\/orch-trees\/tree-/);
  expect(git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n").sort()).toEqual(
    ["main", into, "orch/left", "orch/right"].sort(),
  );
  expect([git("rev-parse", "HEAD"), git("status", "--short"), git("stash", "list")]).toEqual(
    before,
  );
  expect(read("left.txt")).toBe("");
});
