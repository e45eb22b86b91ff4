// Which checks stand in a report that a runner writes for programs?

import type { Check } from "../../core/model/checks.ts";
import { inert } from "../../core/model/excerpt.ts";
import { isObject, jsonIn, listAt, nameAt, numberAt, objectAt } from "../../core/model/json.ts";
import type { JsonObject } from "../../core/model/json.ts";
import { stateOfWord } from "./counts.ts";
import { readGoJson } from "./go.ts";
import { check, saidBelow } from "./inventory.ts";
import { readJunitXml } from "./junit-xml.ts";
import { rspec } from "./rspec.ts";
import { tap } from "./tap.ts";
import { failedTest } from "./test-words.ts";
import type { Failure, Reading } from "./tool.ts";

export type ReportForm = "junit" | "tap" | "go-json" | "jest-json" | "rspec-json";

export interface Report {
  readonly checks: readonly Check[];
  readonly failures: readonly Failure[];
  /** The runner came to its own end. */
  readonly ended: boolean;
}

const HEAD_CHARS = 4_000;
const FORMS: readonly (readonly [form: ReportForm, said: RegExp])[] = [
  ["junit", /^\s*<[^]{0,2000}?<?testsuites?[\s>/]/],
  ["go-json", /^\{[^\n]{0,200}"Action":"/m],
  ["jest-json", /^\s*\{[^]{0,2000}?"(?:numTotalTestSuites|numFailedTestSuites|testResults)":/],
  ["rspec-json", /^\s*\{"version":[^]{0,200}?"(?:examples|messages|seed)":/],
  ["tap", /^(?:TAP version 1|1\.\.\d|(?:not )?ok\b)/m],
];

/** By its beginning; null: it is none of those that can be read. */
export function formOf(text: string): ReportForm | null {
  const head = text.slice(0, HEAD_CHARS).replace(/^\ufeff/, "");
  return FORMS.find(([, said]) => said.test(head))?.[0] ?? null;
}

const READERS: Readonly<Record<ReportForm, (text: string) => Report | null>> = {
  junit: readJunitXml,
  tap: (text) => ofReading(tap.parse(text.split("\n"), text)),
  "go-json": (text) => ofReading(readGoJson(text)),
  "jest-json": readJestJson,
  "rspec-json": readRspecJson,
};

/** null: it is no report of that form, or half of one. Linear. */
export function readReport(form: ReportForm, text: string): Report | null {
  return READERS[form](inert(text));
}

function ofReading(reading: Reading | null): Report | null {
  if (reading === null) return null;
  const { checks, failures, summaries } = reading;
  return { checks, failures, ended: summaries.length > 0 };
}

/** A check as a report in JSON tells it. */
interface Told extends Check {
  readonly said: string;
  /** A file that never got to run a test. */
  readonly unloaded: boolean;
}

function ofTold(
  told: readonly Told[],
  failureOf: (name: string, lines: readonly string[]) => Failure,
): Omit<Report, "ended"> {
  const failed = told.filter(({ state }) => state === "failed");
  return {
    checks: told.map(({ name, state }) => check(name, state)),
    failures: failed.map(({ name, said, unloaded }) => {
      const { check: own, message, words } = failureOf(name, said.split("\n"));
      return { check: own, message, words, unloaded };
    }),
  };
}

/** What Jest and Vitest both write. */
function readJestJson(text: string): Report | null {
  const report = jsonIn(text);
  if (!isObject(report) || !Array.isArray(report["testResults"])) return null;
  const told = listAt(report, "testResults").filter(isObject).flatMap(jestFile);
  return {
    ...ofTold(told, (name, said) => failedTest(name, () => said)),
    ended: report["wasInterrupted"] !== true,
  };
}

function jestFile(file: JsonObject): readonly Told[] {
  const path = nameAt(file, "name");
  const tests = listAt(file, "assertionResults").filter(isObject);
  const told = tests.map((test): Told => {
    const groups = listAt(test, "ancestorTitles").filter((part) => part !== "");
    const title = nameAt(test, "title") || nameAt(test, "fullName");
    const state = stateOfWord(nameAt(test, "status")) ?? "skipped";
    const said = listAt(test, "failureMessages").join("\n");
    return { name: [path, ...groups, title].join(" > "), state, said, unloaded: false };
  });
  if (nameAt(file, "status") !== "failed" || told.some(({ state }) => state === "failed"))
    return told;
  const said = nameAt(file, "message").replace(/^\s*● Test suite failed to run\n/, "");
  return [...told, { name: path, state: "failed", said, unloaded: true }];
}

function readRspecJson(text: string): Report | null {
  const report = jsonIn(text);
  const summary = isObject(report) ? objectAt(report, "summary") : null;
  if (!isObject(report) || summary === null) return null;
  const told = listAt(report, "examples")
    .filter(isObject)
    .map((example): Told => {
      const fault = objectAt(example, "exception") ?? {};
      const kind = nameAt(fault, "class").replace(/^RSpec::Expectations::\w+$/, "");
      const said = [kind, nameAt(fault, "message").trim()].filter((part) => part !== "").join(": ");
      const state = stateOfWord(nameAt(example, "status")) ?? "failed";
      return { name: nameAt(example, "full_description"), state, said, unloaded: false };
    });
  const outside = numberAt(summary, "errors_outside_of_examples_count") ?? 0;
  const lost = outside === 0 ? [] : notLoaded(listAt(report, "messages").join("\n"));
  return { ...ofTold([...told, ...lost], saidBelow), ended: true };
}

/** The files that RSpec names in its text; at least one. */
function notLoaded(text: string): readonly Told[] {
  const failures = rspec.parse(text.split("\n"), text)?.failures ?? [];
  const told = failures.length > 0 ? failures : [saidBelow("rspec", text.split("\n"))];
  return told.map(({ check: name, words }) => ({
    name: name ?? "rspec",
    state: "failed",
    said: words.join("\n"),
    unloaded: true,
  }));
}
