// What did pytest say?

import { runOutput, tally } from "./run-output.ts";
import type { ParseRun, Summary } from "./run-output.ts";
import type { Finding } from "../../core/model/verdict.ts";

export const parsePytest: ParseRun = (lines) => {
  const summaries = lines.flatMap((line, at) => readSummary(line, at) ?? []);
  const details = readDetails(lines);
  const listed = readShortSummary(lines, details);
  const findings = listed.length > 0 ? listed : unlisted(details);
  const unloaded = [...details.keys()].filter((title) => title.startsWith(COLLECTING)).length;
  return runOutput("pytest", summaries, findings, unloaded);
};

const COLLECTING = "ERROR collecting ";
const WORDS = {
  passed: "passed",
  xpassed: "passed",
  failed: "failed",
  error: "failed",
  errors: "failed",
  skipped: "skipped",
  xfailed: "skipped",
  deselected: null,
  rerun: null,
  warning: null,
  warnings: null,
  "subtests passed": null,
  "subtests failed": null,
  "subtests skipped": null,
} as const;

/** `=== 3 failed, 2 passed in 0.62s ===`; with `-q` without the bars. */
function readSummary(line: string, at: number): Summary | null {
  const text = line.replace(/^=+ /, "").replace(/ =+$/, "");
  const timed = / in \d{1,9}\.\d{1,3}s(?: \([\d:]+\))?$/.exec(text);
  if (timed === null) return null;
  const said = text.slice(0, timed.index);
  if (said === "no tests ran") return { passed: 0, failed: 0, skipped: 0, line: at };
  return tally(said.split(", "), WORDS, at);
}

/** The lines that begin with `E`, by the title of their block: the words of the error itself. */
function readDetails(lines: readonly string[]): ReadonlyMap<string, string> {
  const details = new Map<string, string>();
  let title: string | null = null;
  for (const line of lines) {
    const heading = /^_+ (.+) _+$/.exec(line)?.[1];
    // `_ _ _` stands between the entries of one traceback.
    if (heading !== undefined && !/^[_ ]+$/.test(heading)) {
      title = heading;
      details.set(title, "");
    } else if (/^={3,} .+ ={3,}$/.test(line)) title = null;
    const words = title === null ? undefined : /^E {3,}(\S.*)$/.exec(line)?.[1];
    if (title !== null && words !== undefined)
      details.set(title, better(details.get(title), words));
  }
  return details;
}

/** The first line of an error says what it is, unless it only quotes the place. */
function better(had: string | undefined, found: string): string {
  if (had === undefined || had === "") return found;
  return /^(?:File "|\^|def |class |import |from )/.test(had) &&
    /^\w*(?:Error|Exception)/.test(found)
    ? found
    : had;
}

function readShortSummary(
  lines: readonly string[],
  details: ReadonlyMap<string, string>,
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const line of lines) {
    const [, kind, rest] = /^(FAILED|ERROR) (\S.*)$/.exec(line) ?? [];
    if (kind === undefined || rest === undefined || !/\.py\b|::/.test(rest)) continue;
    const dash = rest.indexOf(" - ");
    const check = dash === -1 ? rest : rest.slice(0, dash);
    const said = dash === -1 ? "" : rest.slice(dash + 3);
    // The summary cuts long messages to the width of a terminal, and has none for some errors.
    const whole = said !== "" && !said.endsWith("...");
    const message = whole ? said : (details.get(titleOf(kind, check)) ?? said);
    findings.push({ check, message });
  }
  return findings;
}

/** `t.py::Class::test_x` is headed `Class.test_x`; a file that did not load `ERROR collecting t.py`. */
function titleOf(kind: string, check: string): string {
  const [, ...names] = check.split("::");
  if (names.length === 0) return `${COLLECTING}${check}`;
  return kind === "ERROR" ? `ERROR at setup of ${names.join(".")}` : names.join(".");
}

function unlisted(details: ReadonlyMap<string, string>): readonly Finding[] {
  return [...details].map(([title, message]) => ({
    check: title.replace(/^ERROR (?:collecting|at setup of|at teardown of) /, ""),
    message,
  }));
}
