import { expect, test } from "vitest";

import { signInTrouble } from "../../src/adapters/project/agent-program.ts";
import { BUILT_IN_AGENTS } from "../../src/schema/config-agents.ts";
import { makeProject } from "../support/project.ts";
import { smallProject } from "../support/small-project.ts";

test("doctor looks at all that a run needs, and runs its gates once", async () => {
  const reads = "! git grep -q '^<<<<<<< '";
  const box = smallProject({ gate: reads });
  const first = await box.inProcess(["doctor"]);
  expect([first.exitCode, first.stderr]).toEqual([0, `runs the gates: ${reads}\n`]);
  for (const about of ["node", "git", "config", "trees", "gate"])
    expect(first.stdout).toMatch(new RegExp(`^[✓!] ${about}: `, "m"));
  expect(first.stdout).toContain("✓ gate: check passed");
  const blind = await smallProject({ gate: "true" }).inProcess(["doctor"]);
  expect([blind.exitCode, blind.stdout.replaceAll("\n ", "")]).toEqual([
    0,
    expect.stringMatching(/^! gate: check passed · .*, and says the same of sources/m),
  ]);
});

test("doctor says what stands in the way, what to do, and ends with 2", async () => {
  const box = smallProject({ gate: "no-such-program" });
  const { exitCode, stdout } = await box.inProcess(["doctor", "--json"]);
  const { ok, findings } = JSON.parse(stdout);
  expect([exitCode, ok]).toEqual([2, false]);
  expect(findings.filter(({ state }: { state: string }) => state === "bad")).toEqual([
    {
      about: "gate",
      state: "bad",
      text: expect.stringMatching(
        /^check unknown \(.*\): exited 127: \/bin\/sh: 1: no-such-program/,
      ),
      hint: "fix its command, or what it needs, on the last commit",
    },
  ]);
  const around = await box.inProcess(["doctor", "--no-gates"]);
  expect([around.exitCode, around.stderr]).toEqual([0, ""]);
  const wrong = smallProject({ config: "modle: 1," });
  const broken = await wrong.inProcess(["doctor"]);
  expect(broken.exitCode).toBe(2);
  expect(broken.stdout).toContain('unknown key "modle" (did you mean "model"?)');
});

test("a sign-in that is nowhere is told, and no guess", () => {
  const keys = { ANTHROPIC_API_KEY: "k", CODEX_API_KEY: "k" };
  const signIns = { ".claude/.credentials.json": "{}", ".codex/auth.json": "{}" };
  const [none, some] = [makeProject({}), makeProject(signIns)];
  const agents = BUILT_IN_AGENTS.filter(({ driver }) => driver !== "acp");
  const hints = (env: NodeJS.ProcessEnv) =>
    agents.map((agent) => signInTrouble(agent, env)?.hint ?? null);
  const named = [...Object.keys(keys), "ANTHROPIC_API_KEY"].map((key) =>
    expect.stringContaining(key),
  );
  expect(hints({ HOME: none })).toEqual(named);
  expect(hints({ HOME: some })).toEqual([null, null, "set ANTHROPIC_API_KEY"]);
  expect(hints({ HOME: none, ...keys })).toEqual([null, null, null]);
});
