// Which checks stand in a JUnit report?

import { SaxesParser } from "saxes";

import type { Check } from "../../core/model/verdict.ts";
import { check } from "./inventory.ts";
import type { Failure } from "./tool.ts";

interface Case {
  readonly name: string;
  /** Of a file that could not be loaded, or of a setup. */
  readonly unloaded: boolean;
  state: Check["state"];
  message: string;
  text: string;
}

const TEXT_CHARS_MAX = 4_000;
const WORDS_MAX = 6;

/** In XML 1.0 a report may not name the control characters that Surefire names. */
const OPTIONS = {
  xmlns: false,
  position: false,
  defaultXMLVersion: "1.1",
  forceXMLVersion: true,
} as const;

/** null: it is no JUnit report, or half of one. */
export function readJunitXml(xml: string) {
  const checks: Check[] = [];
  const failures: Failure[] = [];
  const suites: string[] = [];
  let [isReport, isWhole, depth, inFailure] = [false, false, 0, false];
  let current: Case | null = null;
  const parser = new SaxesParser(OPTIONS);
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    isReport ||= name === "testsuite" || name === "testsuites";
    if (name === "testsuite") suites.push(attributes["name"] ?? "");
    else if (name === "testcase") current = caseOf(attributes, suites);
    else if (name === "failure" || name === "error") {
      current ??= { ...newCase(suites.at(-1) ?? ""), unloaded: true };
      // A test of PHPUnit that asserts nothing proves nothing.
      const isRisky = attributes["type"]?.endsWith("RiskyTestError") === true;
      current.state = isRisky ? "skipped" : "failed";
      current.message ||= attributes["message"] ?? "";
      inFailure = true;
    } else if (name === "skipped" && current?.state === "passed") current.state = "skipped";
  });
  const hear = (text: string): void => {
    if (inFailure && current !== null && current.text.length < TEXT_CHARS_MAX)
      current.text += text.slice(0, TEXT_CHARS_MAX);
  };
  parser.on("text", hear);
  parser.on("cdata", hear);
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    isWhole = depth === 0;
    if (name === "testsuite") suites.pop();
    if (name === "failure" || name === "error") inFailure = false;
    if (current === null || (name !== "testcase" && !(current.unloaded && !inFailure))) return;
    const result = check(current.name, current.state);
    checks.push(result);
    if (result.state === "failed") failures.push(failureOf(result.name, current));
    current = null;
  });
  try {
    parser.write(xml.trimStart()).close();
  } catch {
    // What stands behind its end, as in an output, says nothing about it.
  }
  return isWhole && isReport ? { checks, failures, ended: true } : null;
}

function newCase(name: string): Case {
  return { name, unloaded: false, state: "passed", message: "", text: "" };
}

/** Node's own reporter says "test" for every class, and names the groups that hold a test. */
function caseOf(
  { classname: owner = "", file = "", name = "", status = "" }: Readonly<Record<string, string>>,
  suites: readonly string[],
): Case {
  const hasClass = owner !== "" && owner !== "test";
  const place = hasClass ? [owner] : owner === "test" || file === "" ? [file, ...suites] : [file];
  const parts = [...place, name].filter((part) => part !== "");
  const isRun = !["notrun", "disabled", "skipped"].includes(status);
  const fullName = pytestId(owner, file, name) ?? parts.join(" > ");
  return { ...newCase(fullName), state: isRun ? "passed" : "skipped" };
}

/** As pytest names it in words: `test/test_a.py::TestCart::test_adds`; null: another runner wrote it. */
function pytestId(owner: string, file: string, name: string): string | null {
  const module = file.replace(/\.py$/, "").replaceAll("/", ".");
  if (!file.endsWith(".py") || !(owner || name).startsWith(module)) return null;
  const suites = owner.slice(module.length).split(".").slice(1);
  return [file, ...suites, ...(owner === "" ? [] : [name])].join("::");
}

function failureOf(name: string, { message, text, unloaded }: Case): Failure {
  const lines = (message === "" ? text : message).split("\n");
  const [first = ""] = lines;
  // Some begin with the name of the test.
  const isName = lines.length > 1 && /^\S+::\S/.test(first);
  const texts = (isName ? lines.slice(1) : lines).map((line) => line.trim());
  const words = texts.filter((line) => line !== "").slice(0, WORDS_MAX);
  return { check: name, message: words.join(" | "), words, unloaded };
}
