import { describe, expect, test } from "vitest";
import type { AgentReport } from "../../src/core/model/report.ts";
import { parseReport, REPORT_BYTES_MAX, reportProblems } from "../../src/schema/report-file.ts";
import { report } from "../support/builders.ts";

const CALM = report({ summary: "Did it." });

function written(fields: object): string {
  return JSON.stringify({ version: 1, status: "completed", summary: "Did it.", ...fields });
}

function read(text: string): { report: AgentReport; notes: readonly string[] } {
  const parsed = parseReport(text);
  if (!parsed.ok) throw new Error(`refused: ${JSON.stringify(parsed.problems)}`);
  if (parsed.value.kind !== "read") throw new Error(`found: ${parsed.value.kind}`);
  return { report: parsed.value.report, notes: parsed.value.notes };
}

function refusal(text: string): string {
  const parsed = parseReport(text);
  if (parsed.ok) throw new Error("the report was accepted");
  return parsed.problems.join("\n");
}

describe("a report as the contract asks for it", () => {
  test("is read whole, without a note", () => {
    const same = {
      status: "partial",
      blockers: [
        {
          type: "missing_dependency",
          message: "no libpq",
          recoverable: false,
          recommendation: "x",
        },
      ],
      assumptions: [{ decision: "UTC", reason: "no zone is named" }],
      questions: [
        { question: "Drop it?", options: ["yes", "no"], default: "no", impact: "contradiction" },
      ],
      criteria: [{ text: "rows survive", met: true, evidence: null }],
      findings: [],
      artifacts: [{ path: "src/schema.sql", summary: "new tables" }],
      confidence: 0.8,
    };
    const progress = { stage: "schema", details: "two of five tables" };
    const text = written({
      ...same,
      requires_user_review: true,
      review_reason: "Rows would be lost.",
      partial_progress: { ...progress, phases_completed: 2, phases_total: 5, handoff_path: "a.md" },
      changed_checks: [{ check: "rounds down", reason: "the task says up" }],
      approaches_tried: ["a view"],
      next_steps: "the other three tables",
    });
    expect(read(text)).toEqual({
      notes: [],
      report: {
        ...same,
        summary: "Did it.",
        review: { reason: "Rows would be lost." },
        progress: { ...progress, phasesCompleted: 2, phasesTotal: 5, handoffPath: "a.md" },
        changedChecks: [{ check: "rounds down", reason: "the task says up" }],
        approachesTried: ["a view"],
        nextSteps: "the other three tables",
      },
    });
  });

  test("may hold keys of a later version", () => {
    expect(read(written({ mood: "good", version: 7 }))).toEqual({ report: CALM, notes: [] });
  });

  test("says that the work still goes on, which is neither success nor failure", () => {
    for (const status of ["in_progress", "in-progress", "In Progress", "inProgress"]) {
      expect(parseReport(written({ status }))).toEqual({
        ok: true,
        value: { kind: "in-progress" },
      });
    }
  });
});

describe("the status", () => {
  test.each([
    ["completed", "completed"],
    ["complete", "completed"],
    ["done", "completed"],
    ["Implemented", "completed"],
    ["SUCCESS", "completed"],
    ["error", "failed"],
    ["failure", "failed"],
    ["blocked", "blocked"],
    ["partial", "partial"],
    ["uncertain", "unstated"],
    ["needs_review", "unstated"],
    ["constructor", "unstated"],
  ])("written %s is read as %s", (status, expected) => {
    const { report, notes } = read(written({ status }));
    expect(report).toEqual({ ...CALM, status: expected });
    expect(notes.length).toBe(status === expected ? 0 : 1);
  });

  test.each([
    ["missing", undefined],
    ["null", null],
    ["a number", 3],
    ["a list", ["completed"]],
    ["empty", ""],
  ])("that is %s claims nothing and is noted", (_name, status) => {
    const { report, notes } = read(written({ status }));
    expect(report.status).toBe("unstated");
    expect(notes.join()).toContain("status");
  });
});

describe("what agents write instead", () => {
  test("camelCase keys mean the documented ones, and the documented spelling wins", () => {
    const { report } = read(
      written({
        requiresUserReview: true,
        reviewReason: "look",
        nextSteps: "variant",
        next_steps: "documented",
        approachesTried: ["x"],
        partialProgress: { phasesCompleted: 1 },
      }),
    );
    expect(report.review).toEqual({ reason: "look" });
    expect(report.nextSteps).toBe("documented");
    expect(report.approachesTried).toEqual(["x"]);
    expect(report.progress?.phasesCompleted).toBe(1);
  });

  test.each<[string, object, readonly (readonly [type: string, message: string])[]]>([
    [
      "errors are blockers",
      { errors: ["disk full", { code: "Rate-Limit", error: "429" }] },
      [
        ["unspecified", "disk full"],
        ["rate_limit", "429"],
      ],
    ],
    [
      "one blocker instead of a list is a list of one, and a type unknown to orch is kept",
      { blockers: { type: "Cosmic Rays", message: "again" } },
      [["cosmic rays", "again"]],
    ],
  ])("%s", (_name, fields, expected) => {
    const { blockers } = read(written(fields)).report;
    expect(blockers.map(({ type, message }) => [type, message])).toEqual(expected);
  });

  test('words for "none" are no blocker and no question', () => {
    const { report, notes } = read(
      written({ blockers: "None", questions: ["n/a"], assumptions: [""] }),
    );
    expect({ report, notes }).toEqual({ report: CALM, notes: [] });
  });

  test.each([
    ["that is set without a reason", true, { reason: null }],
    ["written as text", "true", { reason: null }],
    ["written as no", "no", null],
  ])("a flag %s is a flag", (_name, requires_user_review, review) => {
    expect(read(written({ requires_user_review }))).toEqual({
      report: { ...CALM, review },
      notes: [],
    });
  });

  test("a code fence and a byte order mark around the JSON do not hide it", () => {
    expect(read(`\uFEFF\`\`\`json\n${written({})}\n\`\`\`\n`)).toEqual({
      report: CALM,
      notes: [],
    });
    expect(read(`\uFEFF${written({})}`)).toEqual({ report: CALM, notes: [] });
    const withCommas = written({ next_steps: "a,]" }).replaceAll("}", ",}");
    expect(read(withCommas).report.nextSteps).toBe("a,]");
  });
});

describe("the impact of a question", () => {
  test.each([
    ["as given", { impact: "taste" }, "taste"],
    ["in any case", { impact: "Minor" }, "minor"],
    ["not given, with a default: major", { default: "a" }, "major"],
    ["not given, without a default: blocking", {}, "blocking"],
    ["unknown, with a default: major", { impact: "huge", default: "a" }, "major"],
  ])("is read %s", (_name, fields, impact) => {
    const { report } = read(written({ questions: [{ question: "a or b?", ...fields }] }));
    expect(report.questions[0]?.impact).toBe(impact);
  });

  test("of a bare sentence is blocking", () => {
    expect(read(written({ questions: ["a or b?"] })).report.questions).toEqual([
      { question: "a or b?", options: [], default: null, impact: "blocking" },
    ]);
  });
});

test("a coach's finding counts, however its severity and its file are written", () => {
  const reason = "an empty list is lost";
  const findings = [
    { severity: "NIT", file: "src/a.ts", reason },
    { severity: "high", path: "/elsewhere/src/a.ts", message: reason },
    { reason },
    { severity: "major" },
  ];
  expect(read(written({ findings })).report.findings).toEqual([
    { severity: "nit", file: "src/a.ts", reason },
    { severity: "major", file: null, reason },
    { severity: "major", file: null, reason },
  ]);
});

describe("a field of the wrong type", () => {
  test.each([
    ["summary", 7, { summary: "" }],
    ["blockers", 7, {}],
    ["blockers", [7, null, [], {}], {}],
    ["partial_progress", "half", {}],
    ["questions", "what?", {}],
    ["confidence", "high", {}],
    ["confidence", 80, {}],
    ["confidence", -0.1, {}],
    ["next_steps", {}, {}],
    ["assumptions", [{ because: "x" }], {}],
    ["artifacts", "a.ts", {}],
    ["criteria", 1, {}],
    ["requires_user_review", 1, {}],
  ])("%s: %j costs only itself, with a note", (key, value, changes) => {
    const { report, notes } = read(written({ [key]: value }));
    expect(report).toEqual({ ...CALM, ...changes });
    expect(notes.join("\n")).toContain(key);
  });
});

describe("a hostile report", () => {
  test.each([
    ["nothing", "", "empty"],
    ["white space", " \n", "empty"],
    ["half a file", '{"status":"comp', "not valid JSON"],
    ["a list", "[]", "expected a JSON object"],
    ["a text", '"completed"', "expected a JSON object"],
    ["null", "null", "expected a JSON object"],
    ["prose", "All done!", "not valid JSON"],
    ["binary", "\u0000\u0001", "not valid JSON"],
    ["10 MB", written({ summary: "x".repeat(10_000_000) }), "bytes long"],
  ])("of %s is refused with a reason", (_name, text, reason) => {
    expect(refusal(text)).toContain(reason);
  });

  test("is read up to the limit and refused one byte above it", () => {
    const pad = REPORT_BYTES_MAX - Buffer.byteLength(written({ pad: "" }));
    expect(read(written({ pad: "x".repeat(pad) })).report).toEqual(CALM);
    expect(refusal(written({ pad: "x".repeat(pad + 1) }))).toContain("bytes long");
  });

  test("nested a hundred thousand deep neither crashes nor hides the rest", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(read(`{"status":"completed","summary":"Did it.","blockers":${deep}}`).report).toEqual(
      CALM,
    );
    expect(refusal(deep)).toContain("expected a JSON object");
  });

  test("cannot reach a prototype", () => {
    const { report } = read(
      '{"status":"completed","summary":"Did it.","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"questions":[{"__proto__":{"question":"x"}}]}',
    );
    expect(report).toEqual(CALM);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("names no file outside the tree", () => {
    const paths = [
      "/etc/passwd",
      "../up",
      "a/../../up",
      "C:\\x",
      "\\\\host\\x",
      "~/x",
      "src/ok.ts",
    ];
    const { report } = read(
      written({ artifacts: paths, partial_progress: { handoff_path: "../../up" } }),
    );
    expect(report.artifacts).toEqual([{ path: "src/ok.ts", summary: null }]);
    expect(report.progress?.handoffPath).toBeNull();
  });

  test("is cut to bounds", () => {
    const { report } = read(
      written({
        summary: `${"x".repeat(3_998)}😀yy`,
        approaches_tried: Array.from({ length: 60 }, (_, index) => `approach ${index}`),
      }),
    );
    // No half character is left where it is cut.
    expect(report.summary).toBe(`${"x".repeat(3_998)}…`);
    expect(report.approachesTried.length).toBe(50);
  });

  test("cannot move the cursor of a terminal", () => {
    const { report } = read(written({ summary: "a\u001b[2Jb\u0007\u009bc\nd" }));
    expect(report.summary).toBe("ab\nd");
  });

  test("cannot flood the notes", () => {
    const { notes } = read(written({ artifacts: Array.from({ length: 50 }, () => "/etc/passwd") }));
    expect(notes.length).toBe(21);
  });
});

describe("an agent may stop when its report", () => {
  test.each([
    ["says completed and what was done", {}],
    ["flags with a reason", { requires_user_review: true, review_reason: "look" }],
    ["is blocked by something named", { status: "blocked", blockers: [{ type: "timeout" }] }],
    ["is partial", { status: "partial" }],
  ])("%s", (_name, fields) => {
    expect(reportProblems(written(fields))).toEqual([]);
  });

  test.each([
    ["has no status", { status: undefined }, '"status" must be one of'],
    ["uses another word", { status: "done" }, '"status" must be one of'],
    ["says that it goes on", { status: "in_progress" }, '"status" must say how the work ended'],
    ["has no summary", { summary: "  " }, '"summary"'],
    ["flags without a reason", { requires_user_review: true }, '"review_reason"'],
    ["is blocked by nothing", { status: "blocked" }, '"blockers"'],
  ])("not yet when it %s", (_name, fields, message) => {
    const problems = reportProblems(written(fields));
    expect(problems.length).toBe(1);
    expect(problems[0]).toContain(message);
  });

  test("is JSON at all", () => {
    expect(reportProblems("nope")[0]).toContain("not valid JSON");
    expect(reportProblems("[]")).toEqual(["expected a JSON object"]);
  });
});
