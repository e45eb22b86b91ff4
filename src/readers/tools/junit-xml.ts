// Which checks stand in a JUnit report?

import type { Check } from "../../core/model/checks.ts";
import { check, saidBelow } from "./inventory.ts";
import type { Failure } from "./tool.ts";
import { readXml } from "./xml.ts";

interface Case {
  readonly name: string;
  /** Of a file that could not be loaded, or of a set-up. */
  readonly unloaded: boolean;
  state: Check["state"];
  message: string;
  text: string;
}

/** Of those that hold a test, the inner ones. */
const SUITES_MAX = 16;
const TEXT_CHARS_MAX = 4_000;

/** null: it is no JUnit report, or half of one. */
export function readJunitXml(xml: string) {
  const checks: Check[] = [];
  const failures: Failure[] = [];
  const suites: string[] = [];
  let isReport = false;
  let current: Case | null = null;
  let heard = false;
  const settle = (one: Case): void => {
    const own = check(one.name, one.state);
    checks.push(own);
    if (one.state === "failed") failures.push(failureOf(own.name, one));
  };
  const whole = readXml(xml, {
    open: (name, attribute) => {
      isReport ||= name === "testsuite" || name === "testsuites";
      if (name === "testsuite") suites.push(attribute("name"));
      else if (name === "testcase") current = caseOf(attribute, suites);
      else if (name === "failure" || name === "error") {
        current ??= { ...newCase(suites.at(-1) ?? ""), unloaded: true };
        // A test of PHPUnit that asserts nothing proves nothing.
        current.state = attribute("type").endsWith("RiskyTestError") ? "skipped" : "failed";
        current.message ||= attribute("message");
        heard = true;
      } else if (name === "skipped" && current !== null && current.state === "passed")
        current.state = "skipped";
    },
    text: (text) => {
      if (heard && current !== null && current.text.length < TEXT_CHARS_MAX)
        current.text += text.slice(0, TEXT_CHARS_MAX);
    },
    close: (name) => {
      if (name === "testsuite") suites.pop();
      if (name === "failure" || name === "error") heard = false;
      if (current === null || (name !== "testcase" && !(current.unloaded && !heard))) return;
      settle(current);
      current = null;
    },
  });
  return whole && isReport ? { checks, failures, ended: true } : null;
}

function newCase(name: string): Case {
  return { name, unloaded: false, state: "passed", message: "", text: "" };
}

/** Node's own reporter says "test" for every class, and names the groups that hold a test. */
function caseOf(attribute: (key: string) => string, suites: readonly string[]): Case {
  const [owner, file] = [attribute("classname"), attribute("file")];
  const told = owner !== "" && owner !== "test";
  const place = told
    ? [owner]
    : owner === "test" || file === ""
      ? [file, ...suites.slice(-SUITES_MAX)]
      : [file];
  const parts = [...place, attribute("name")].filter((part) => part !== "");
  const isRun = !/^(?:notrun|disabled|skipped)$/.test(attribute("status"));
  return { ...newCase(parts.join(" > ")), state: isRun ? "passed" : "skipped" };
}

function failureOf(name: string, { message, text, unloaded }: Case): Failure {
  const lines = (message === "" ? text : message).split("\n");
  const [first = ""] = lines;
  // Some begin with the name of the test.
  const isName = lines.length > 1 && /^\S+::\S/.test(first);
  return { ...saidBelow(name, isName ? lines.slice(1) : lines), unloaded };
}
