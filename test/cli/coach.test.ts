// Does a coach hold back what gates let pass, and nothing else?

import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";

import { eventsOf, filesOf } from "../support/run-record.ts";
import { MAKES_SANDBOXES } from "../support/sandboxes.ts";
import { COMPLETED, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const REPORTS = `echo '${JSON.stringify(COMPLETED.report)}' > "$ORCH_REPORT"`;

function verdict(findings: readonly object[], met: boolean): string {
  const criteria = [{ text: "It is good", met, evidence: "good.txt" }];
  const report = { version: 1, status: "completed", summary: "seen", findings, criteria };
  return `echo '${JSON.stringify(report)}' > "$ORCH_REPORT"`;
}

/** `looks`: what the coach does; the player writes `good`, and `better` once it was sent back. */
function coached(looks: string): Sandbox {
  const works = `cat > .git/prompt; echo good > good.txt; grep -q "does not approve" .git/prompt && echo better > better.txt; ${REPORTS}`;
  const spoils = `cat > prompt.txt; echo spoilt > good.txt; ${looks}`;
  const agents = {
    player: { driver: "command", command: works },
    eyes: { driver: "command", prints: "events", command: spoils },
  };
  const step = { name: "implement", prompt: "implement", coach: { agent: "eyes" } };
  return smallProject({
    task: "# Task\n\nMake it good.\n\n## Acceptance\n\n- [ ] It is good\n",
    config: `agent: "player", agents: ${JSON.stringify(agents)}, pipelines: { p: [${JSON.stringify(step)}] },`,
  });
}

const MAJOR = [{ severity: "major", file: "good.txt", reason: "it could be better" }];
const NIT = [{ severity: "nit", file: null, reason: "one word is enough" }];

const resultOf = (box: Sandbox) =>
  JSON.parse(box.read(`.orch/runs/${filesOf(box).id}/result.json`));

test.each(MAKES_SANDBOXES ? ["none", "bwrap"] : ["none"])(
  "a major finding sends green work back, a nit does not, and what the coach writes is gone (sandbox: %s)",
  async (how) => {
    const looks = `if test -e better.txt; then ${verdict(NIT, true)}; else ${verdict(MAJOR, false)}; fi`;
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("orch-review-"));
    const box = coached(looks);
    const { exitCode, stdout } = await box.inProcess(["run", "task.md", "--sandbox", how]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("1 of 1 met");
    expect(eventsOf(box, "decided").map(({ decision }) => decision.rule)).toEqual([
      "coach-objects",
      "gate-green",
    ]);
    const { into, tasks } = resultOf(box);
    expect(tasks).toMatchObject([
      { criteria: [{ text: "It is good", met: true, evidence: "good.txt" }] },
    ]);
    expect(box.git("show", `${into}:good.txt`)).toBe("good");
    expect(box.git("ls-tree", "--name-only", into)).not.toContain("prompt.txt");
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith("orch-review-"));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  },
);

test("the same objection twice is a person's, who may take the work", async () => {
  const box = coached(verdict(MAJOR, false));
  const { exitCode, stdout } = await box.inProcess(["run", "task.md", "--threshold", "0"]);
  expect(exitCode).toBe(3);
  expect(stdout.replace(/\s+/g, " ")).toContain("the coach asks for the same again");
  expect((await box.inProcess(["answer", "--accept", "--resume"])).exitCode).toBe(0);
  expect(resultOf(box)).toMatchObject({ outcome: "done", tasks: [{ grade: "proven" }] });
  expect(eventsOf(box, "coach-started")).toHaveLength(2);
});

/** More than a coach may spend; then it stays. */
const SPENDS = `echo '{"type":"usage","model":"gpt-5","input":3000000}'; exec sleep 600`;

test.each(["exit 1", "echo '{' > \"$ORCH_REPORT\"", "true", SPENDS])(
  "a coach that does %j neither blocks nor approves",
  async (looks) => {
    const box = coached(looks);
    expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(0);
    expect((await box.inProcess(["explain"])).stdout).toContain("the coach gave no verdict");
  },
);
