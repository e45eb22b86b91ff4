// Does the real Claude Code do what cannot be undone only where a person allowed it?

import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { NOT_PERMITTED } from "../../src/core/decide/action-verdict.ts";
import type { Turn } from "../support/messages-server.mjs";
import { calls, resultsOf, usePeople, type Person } from "./people.ts";
import { startsOf, SUCCEEDS } from "./runs.ts";

const PUSH = "git push origin HEAD:refs/heads/out";
const PUSHES = calls(["call_1", "Bash", { command: PUSH, description: "Push" }]);
const RUN = "orch run tasks/add.md --threshold 2";

const person = usePeople();

/** A repository with another one to push to. */
async function collaborator(turns: readonly Turn[]): Promise<Person> {
  const ada = await person(turns);
  ada.git("init", "-q", "--bare", join(ada.root, "remote.git"));
  ada.git("remote", "add", "origin", join(ada.root, "remote.git"));
  return ada;
}

const pushed = (ada: Person): boolean => ada.git("ls-remote", "origin", "out").trim() !== "";
const resultOf = (ada: Person, call = "call_1"): string => resultsOf(ada, call).join("\n");

describe("a push", () => {
  test("waits for a person, and is done in the same conversation once it is allowed", async () => {
    const ada = await collaborator([PUSHES]);
    expect((await ada.types(RUN)).exitCode).toBe(4);
    expect(pushed(ada)).toBe(false);
    expect(ada.working()).toEqual([]);
    expect((await ada.types("orch status")).shown).toContain("May the agent send commits");
    expect((await ada.types('orch answer "Allow it"')).exitCode).toBe(0);
    ada.server.add(...SUCCEEDS);
    expect((await ada.types("orch resume")).exitCode).toBe(0);
    expect(pushed(ada)).toBe(true);
    expect(resultOf(ada)).toContain("[new branch]");
    expect(startsOf(ada.events("session-started"))).toEqual(["fresh", "deliver"]);
  });

  test("is not done where the person refuses, who is asked of no other act meanwhile, and the agent goes on with their words", async () => {
    const publish = { command: "npm publish", description: "Publish" };
    const push = { command: PUSH, description: "Push" };
    const ada = await collaborator([calls(["call_1", "Bash", push], ["call_2", "Bash", publish])]);
    expect((await ada.types(RUN)).exitCode).toBe(4);
    expect((await ada.types('orch answer "Not before Monday"')).exitCode).toBe(0);
    ada.server.add(...SUCCEEDS);
    expect((await ada.types("orch resume")).exitCode).toBe(0);
    expect(pushed(ada)).toBe(false);
    for (const words of ["This was not allowed.", 'The answer was: "Not before Monday".'])
      expect(resultOf(ada)).toContain(words);
    expect(resultOf(ada, "call_2")).toContain("One question at a time");
  });

  test("is refused at level 0, and the summary says so", async () => {
    const ada = await collaborator([PUSHES, ...SUCCEEDS]);
    const ran = await ada.types(`orch run tasks/add.md --threshold 0 --quiet < /dev/null`);
    expect(ran.exitCode).toBe(0);
    expect(pushed(ada)).toBe(false);
    expect(resultOf(ada)).toContain(NOT_PERMITTED);
    expect(ran.shown).toContain("unasked   May the agent send commits");
    expect(ada.events("question-asked")).toEqual([]);
  });
});
