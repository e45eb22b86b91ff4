// Which checks stand in a report that a runner writes for programs?

import type { Check } from "../../core/model/verdict.ts";
import { inert } from "../../core/model/excerpt.ts";
import { isObject, jsonIn, listAt, nameAt, type JsonObject } from "../../core/model/json.ts";
import { check, failedTest, stateOfWord } from "./inventory.ts";
import { readJunitXml } from "./junit-xml.ts";
import { tap } from "./tap.ts";
import type { Failure } from "./tool.ts";

export type ReportForm = "junit" | "tap" | "jest-json";

export interface Report {
  readonly checks: readonly Check[];
  readonly failures: readonly Failure[];
  /** The runner came to its own end. */
  readonly ended: boolean;
}

const HEAD_CHARS = 4_000;
/** Of a file of Jest's, which begins with one of these. */
const JEST_KEYS = ['"numTotalTestSuites":', '"numFailedTestSuites":', '"testResults":'];
const TAP_LINES = ["TAP version 1", "1..", "ok ", "not ok "];

/** By its beginning; null: it is none of those that can be read. */
export function formOf(text: string): ReportForm | null {
  const head = text.slice(0, HEAD_CHARS).trimStart();
  if (head.startsWith("<")) return head.includes("<testsuite") ? "junit" : null;
  const lines = head.split("\n");
  if (head.startsWith("{") && JEST_KEYS.some((key) => head.includes(key))) return "jest-json";
  return lines.some((line) => TAP_LINES.some((mark) => line.startsWith(mark))) ? "tap" : null;
}

const READERS: Readonly<Record<ReportForm, (text: string) => Report | null>> = {
  junit: readJunitXml,
  tap: readTap,
  "jest-json": readJestJson,
};

/** null: it is no report of that form, or half of one. Linear. */
export function readReport(form: ReportForm, text: string): Report | null {
  return READERS[form](inert(text));
}

function readTap(text: string): Report | null {
  const reading = tap.parse(text.split("\n"), text);
  if (reading === null) return null;
  const { checks, failures, summaries } = reading;
  return { checks, failures, ended: summaries.length > 0 };
}

/** What Jest and Vitest both write. */
function readJestJson(text: string): Report | null {
  const report = jsonIn(text);
  if (!isObject(report) || !Array.isArray(report["testResults"])) return null;
  const tests = listAt(report, "testResults").filter(isObject).flatMap(testsOfFile);
  const failed = tests.filter(({ state }) => state === "failed");
  return {
    checks: tests.map(({ name, state }) => check(name, state)),
    failures: failed.map(({ name, message, unloaded }) =>
      failedTest(name, () => message.split("\n"), unloaded),
    ),
    ended: report["wasInterrupted"] !== true,
  };
}

function testsOfFile(file: JsonObject) {
  const path = nameAt(file, "name");
  const tests = listAt(file, "assertionResults")
    .filter(isObject)
    .map((test) => {
      const groups = listAt(test, "ancestorTitles").filter((part) => part !== "");
      const title = nameAt(test, "title") || nameAt(test, "fullName");
      const state = stateOfWord(nameAt(test, "status")) ?? "skipped";
      const message = listAt(test, "failureMessages").join("\n");
      return { name: [path, ...groups, title].join(" > "), state, message, unloaded: false };
    });
  if (nameAt(file, "status") !== "failed" || tests.some(({ state }) => state === "failed"))
    return tests;
  const message = nameAt(file, "message").replace("● Test suite failed to run\n", "");
  return [...tests, { name: path, state: "failed" as const, message, unloaded: true }];
}
