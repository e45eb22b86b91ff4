import { describe, expect, test } from "vitest";

import type { Asking } from "../../src/core/model/question.ts";
import { actionQuestion, actionVerdict, verdictBy } from "../../src/core/decide/action-verdict.ts";
import { acts } from "../readers/acts-cases.ts";

const asking = (change: Partial<Asking> = {}): Asking => ({
  level: 2,
  holdMs: 0,
  questionsLeft: 3,
  answered: [],
  ...change,
});

const judged = (script: string, change: Partial<Asking> = {}) =>
  actionVerdict(acts(script), asking(change));

function asked(script: string): string {
  const [first, ...others] = acts(script);
  if (first === undefined) throw new Error("nothing to ask");
  return actionQuestion([first, ...others], "").question;
}

describe("what a person says", () => {
  test.each(["Allow it", "ALLOW IT!", "y", "yes please", "Go ahead.", " ok "])(
    "%j gives permission",
    (answer) => {
      expect(verdictBy(answer).kind).toBe("allow");
    },
  );

  test.each(["", "Refuse it", "no", "not yet", "yes, but only with --dry-run", "2", "push"])(
    "%j gives none",
    (answer) => {
      expect(verdictBy(answer).kind).toBe("refuse");
    },
  );
});

describe("the verdict", () => {
  test.each([0, 1, 2, 3, 4, 5] as const)("at level %d", (level) => {
    expect(judged("git push", { level }).kind).toBe(level === 0 ? "refuse" : "ask");
  });

  test("of a call needs leave for each of its commands", () => {
    const answered = [{ question: asked("git push"), answer: "yes" }];
    expect(judged("git push; git push", { answered })).toEqual({ kind: "allow" });
    const both = judged("git push; npm publish", { answered });
    expect(both).toMatchObject({ kind: "ask", open: [{ action: "publish" }] });
  });

  test("is a refusal where one of its commands was refused", () => {
    const answered = [{ question: asked("npm publish"), answer: "no" }];
    expect(judged("git push; npm publish", { answered, level: 5 }).kind).toBe("refuse");
  });

  test("follows what was said of the same commands together", () => {
    const both = "git push; npm publish";
    const answered = [{ question: asked(both), answer: "Allow it" }];
    expect(judged(both, { answered })).toEqual({ kind: "allow" });
    expect(judged("git push", { answered }).kind).toBe("ask");
  });

  test("follows the newest answer", () => {
    const question = asked("git push");
    const answered = ["no", "yes"].map((answer) => ({ question, answer }));
    expect(judged("git push", { answered })).toEqual({ kind: "allow" });
  });

  test.each([
    'cd "$where" && git push',
    'git push origin "$branch"',
    "git push origin `cat branch`",
  ])("is asked for anew where only a run knows what is meant: %s", (script) => {
    const answered = [{ question: asked(script), answer: "yes" }];
    expect(judged(script, { answered }).kind).toBe("ask");
  });

  test("is not carried to another folder, or to a long command that begins and ends alike", () => {
    const long = (host: string): string =>
      `curl -H 'X: ${"a".repeat(300)}' -X POST https://${host}/${"b".repeat(80)}`;
    const answered = ["git push", long("one.example")].map((script) => ({
      question: asked(script),
      answer: "yes",
    }));
    expect(judged("cd ../api && git push", { answered }).kind).toBe("ask");
    expect(judged(long("one.example"), { answered }).kind).toBe("allow");
    expect(judged(long("two.example"), { answered }).kind).toBe("ask");
  });
});
