// Which checks stand in a report that a runner writes for programs?

import type { Check } from "../../core/model/checks.ts";
import { inert } from "../../core/model/excerpt.ts";
import { isObject, jsonIn, listAt, nameAt, numberAt, objectAt } from "../../core/model/json.ts";
import type { JsonObject } from "../../core/model/json.ts";
import { errorsByPackage, goReading } from "./go.ts";
import type { GoPackage } from "./go.ts";
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
  tap: (text) => reportOf(tap.parse(text.split("\n"), text)),
  "go-json": readGoJson,
  "jest-json": readJestJson,
  "rspec-json": readRspecJson,
};

/** null: it is no report of that form, or half of one. Linear. */
export function readReport(form: ReportForm, text: string): Report | null {
  return READERS[form](inert(text));
}

function reportOf(reading: Reading | null): Report | null {
  if (reading === null) return null;
  const { checks, failures, summaries } = reading;
  return { checks, failures, ended: summaries.length > 0 };
}

const GO_STATES: Readonly<Record<string, Check["state"]>> = {
  pass: "passed",
  fail: "failed",
  skip: "skipped",
};

interface GoEvents {
  state: Check["state"] | null;
  readonly output: string[];
}

/** Events of several packages stand in any order; what the compiler says stands between them. */
function readGoJson(text: string): Report | null {
  const packages = new Map<string, Map<string, GoEvents>>();
  const said = (name: string, test: string): GoEvents => {
    const tests = packages.get(name) ?? new Map<string, GoEvents>();
    const events = tests.get(test) ?? { state: null, output: [] };
    packages.set(name, tests.set(test, events));
    return events;
  };
  const aside: string[] = [];
  for (const line of text.split("\n")) {
    const event = line.startsWith("{") ? jsonIn(line) : null;
    const output = isObject(event) ? nameAt(event, "Output").replace(/\n$/, "") : line;
    const name = isObject(event) ? nameAt(event, "Package") : "";
    const unbuilt = /^FAIL\t(\S+) \[\w+ failed\]$/.exec(output)?.[1];
    if (unbuilt !== undefined) said(unbuilt, "").state = "failed";
    if (!isObject(event) || name === "") {
      aside.push(output);
      continue;
    }
    const test = said(name, nameAt(event, "Test"));
    test.state = GO_STATES[nameAt(event, "Action")] ?? test.state;
    if (output !== "" && !/^\s*(?:---|===) /.test(output)) test.output.push(output);
  }
  const all = [...packages].map(([name, tests]) => goPackage(name, tests));
  const last = aside.at(-1)?.startsWith("{") === true ? -1 : 0;
  return all.length === 0 ? null : reportOf(goReading(all, errorsByPackage(aside), last));
}

/** What no test says is the package's. */
function goPackage(name: string, events: ReadonlyMap<string, GoEvents>): GoPackage {
  const { state: said = null, output = [] } = events.get("") ?? {};
  const tests = new Map([...events].filter(([test]) => test !== ""));
  const state = said === "skipped" || (said === "passed" && tests.size === 0) ? "none" : said;
  return { name, state, tests, output, verbose: true };
}

/** What Jest and Vitest both write. */
function readJestJson(text: string): Report | null {
  const report = jsonIn(text);
  if (!isObject(report) || !Array.isArray(report["testResults"])) return null;
  const files = listAt(report, "testResults").filter(isObject).map(jestFile);
  return {
    checks: files.flatMap(({ checks }) => checks),
    failures: files.flatMap(({ failures }) => failures),
    ended: report["wasInterrupted"] !== true,
  };
}

function jestFile(file: JsonObject): Pick<Report, "checks" | "failures"> {
  const results = listAt(file, "assertionResults").filter(isObject);
  const name = nameAt(file, "name");
  const read = results.map((result) => {
    const groups = listAt(result, "ancestorTitles").filter((part) => part !== "");
    const own = [name, ...groups, nameAt(result, "title") || nameAt(result, "fullName")].join(
      " > ",
    );
    const said = listAt(result, "failureMessages").join("\n");
    return { ...check(own, JEST_STATES[nameAt(result, "status")] ?? "skipped"), said };
  });
  const failed = read.filter(({ state }) => state === "failed");
  const checks = read.map((one) => ({ name: one.name, state: one.state }));
  const failures = failed.map((one) => failedTest(one.name, () => one.said.split("\n")));
  if (nameAt(file, "status") !== "failed" || failed.length > 0) return { checks, failures };
  const own = check(name, "failed");
  const said = nameAt(file, "message").replace(/^\s*● Test suite failed to run\n/, "");
  const unloaded = failedTest(own.name, () => said.split("\n"), { unloaded: true });
  return { checks: [...checks, own], failures: [unloaded] };
}

const JEST_STATES: Readonly<Record<string, Check["state"]>> = {
  passed: "passed",
  failed: "failed",
};

function readRspecJson(text: string): Report | null {
  const report = jsonIn(text);
  const summary = isObject(report) ? objectAt(report, "summary") : null;
  if (!isObject(report) || summary === null) return null;
  const examples = listAt(report, "examples").filter(isObject);
  const checks = examples.map((one) =>
    check(nameAt(one, "full_description"), RSPEC_STATES[nameAt(one, "status")] ?? "failed"),
  );
  const failures = examples.flatMap((one, at) => {
    const fault = objectAt(one, "exception") ?? {};
    const kind = nameAt(fault, "class").replace(/^RSpec::Expectations::\w+$/, "");
    const said = `${kind === "" ? "" : `${kind}: `}${nameAt(fault, "message").trim()}`;
    const { name, state } = checks[at] ?? check("", "skipped");
    return state === "failed" ? [saidBelow(name, said.split("\n"))] : [];
  });
  const outside = numberAt(summary, "errors_outside_of_examples_count") ?? 0;
  const messages = listAt(report, "messages").filter((one) => typeof one === "string");
  const unloaded = outside === 0 ? [] : loadingFaults(messages);
  const lost = unloaded.map(({ check: name }) => check(name ?? "", "failed"));
  return { checks: [...checks, ...lost], failures: [...failures, ...unloaded], ended: true };
}

const RSPEC_STATES: Readonly<Record<string, Check["state"]>> = {
  passed: "passed",
  pending: "skipped",
};

/** In the words of its text; at least one. */
function loadingFaults(messages: readonly string[]): readonly Failure[] {
  const text = messages.join("\n");
  const told = rspec.parse(text.split("\n"), text)?.failures ?? [];
  return told.length > 0 ? told : [{ ...saidBelow("rspec", messages), unloaded: true }];
}
