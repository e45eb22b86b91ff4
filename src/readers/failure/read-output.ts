// What does the output of a failed command say is wrong, and what of it is shown?

import { compare } from "../../core/model/alarm.ts";
import type { Check, TestCounts, Finding } from "../../core/model/verdict.ts";
import { shortHash } from "../../core/model/ids.ts";
import type { ResultParser } from "../../core/model/task.ts";
import { inert, excerpt } from "../../core/model/excerpt.ts";
import { cargoTest } from "../tools/cargo.ts";
import { compilers } from "../tools/compilers.ts";
import { goTest } from "../tools/go.ts";
import { countsOf } from "../tools/inventory.ts";
import { jest } from "../tools/jest.ts";
import { mocha } from "../tools/mocha.ts";
import { nodeTest } from "../tools/node-test.ts";
import { pytest } from "../tools/pytest.ts";
import type { Report } from "../tools/reports.ts";
import { tap } from "../tools/tap.ts";
import type { Failure, Reading, Summary, Tool } from "../tools/tool.ts";
import { vitest } from "../tools/vitest.ts";
import { anyText } from "./error-lines.ts";
import { normalise } from "./normalise.ts";

/** One reading of an output, for the verdict, for feedback and for what tells failures apart. */
export interface OutputReading {
  readonly lines: readonly string[];
  /** null: no test runner summed up. */
  readonly run: Run | null;
  readonly failures: readonly Failure[];
  /** One identity for each thing that failed, sorted; empty: nothing was said. */
  readonly faults: readonly string[];
}

export interface Run {
  /** Summed over all summaries: a workspace's runner prints one for each package. */
  readonly counts: TestCounts;
  /** What it listed as failed, tests or not. */
  readonly failures: number;
  /** How many of the failed checks are files or set-ups that never got to run a test. */
  readonly unloaded: number;
  /** The last summary tells of failures. */
  readonly endsRed: boolean;
  readonly checks: readonly Check[];
}

/** A report names every check, and what failed; beside it the text may tell of more. */
export function withReport(text: OutputReading, runner: string, report: Report): OutputReading {
  const { checks } = report;
  const counts = countsOf(checks);
  const isNamed = report.failures.length > 0;
  const failures = isNamed ? chosen(report.failures) : text.failures;
  return {
    ...text,
    run: {
      counts: { runner, ...counts, failed: Math.max(counts.failed, text.run?.counts.failed ?? 0) },
      failures: failures.length,
      unloaded: failures.filter(({ unloaded }) => unloaded).length,
      endsRed: text.run?.endsRed === true || counts.failed > 0,
      checks,
    },
    failures,
    faults: isNamed ? faultsOf({ place: null, failures }) : text.faults,
  };
}

/** Total, and linear in the length of the text. */
export function readOutput(output: string, parser: ResultParser): OutputReading {
  const lines = linesOf(output);
  const read = eachToolOnce(lines);
  const runner = readRunner(read, parser);
  const best = runner !== null && runner.failures.length > 0 ? runner : firstReading(read);
  const failures = best === null ? [] : chosen(best.failures);
  return {
    lines,
    run: runner === null ? null : runOf(runner),
    failures,
    faults: best === null ? [] : faultsOf({ ...best, failures }),
  };
}

const LINE_CHARS_MAX = 1_000;

/**
 * The output as lines without colours, and without what a log, a build step or a CI service put
 * before each; empty lines in a row are one.
 */
function linesOf(output: string): readonly string[] {
  const lines: string[] = [];
  let above: string | null = null;
  for (const whole of inert(output).split("\n")) {
    const line = whole.slice(0, LINE_CHARS_MAX).trimEnd();
    if (line !== "" || above !== "") lines.push(line.replace(PREFIXES, ""));
    above = line;
  }
  return lines;
}

/** A time, a mark of a CI service or of a step of a build, the name of a service, and a level. */
const PREFIXES = new RegExp(
  [
    String.raw`^(?:\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?,? )?`,
    String.raw`(?:##\[error\]|::error(?: [^:]{0,400})?::)?(?:#\d{1,4} )?(?:\d{1,5}\.\d{3} (?=\S))?`,
    String.raw`(?:[a-z][\w.-]{0,60} {1,20}\| )?(?:\[(?:ERROR|error)\] {1,4})?`,
  ].join(""),
);

/** Those that a gate can name. */
const NAMED = { vitest, jest, pytest, "node-test": nodeTest, tap };

/** All that sum up. Earlier ones win a tie: Node's runner can write TAP and says more in it than TAP does. */
const RUNNERS = [jest, vitest, nodeTest, tap, mocha, pytest, cargoTest, goTest];

/** From what says most to what says least: a test run may quote any of the others. */
const TOOLS = [...RUNNERS, compilers, anyText];

type Read = (tool: Tool) => Reading | null;

function eachToolOnce(lines: readonly string[]): Read {
  const whole = lines.join("\n");
  const readings = new Map<Tool, Reading | null>();
  const isIts = ({ marks }: Tool): boolean => marks.some((mark) => whole.includes(mark));
  return (tool) => {
    if (!readings.has(tool)) readings.set(tool, isIts(tool) ? tool.parse(lines, whole) : null);
    return readings.get(tool) ?? null;
  };
}

/**
 * The runner that summed up; null: none did, or none is to be heard. Where several speak, one ran
 * the other or came after it: the last to sum up is the one to hear.
 */
function readRunner(read: Read, parser: ResultParser): Reading | null {
  if (parser === "none") return null;
  const asked = parser === "auto" ? RUNNERS : [NAMED[parser]];
  const summedUp = asked
    .flatMap((tool) => read(tool) ?? [])
    .filter(({ summaries }) => summaries.length > 0);
  const endOf = ({ summaries }: Reading): number => summaries.at(-1)?.line ?? -1;
  return summedUp.sort((one, other) => endOf(other) - endOf(one))[0] ?? null;
}

function firstReading(read: Read): Reading | null {
  const tool = TOOLS.find((one) => (read(one)?.failures.length ?? 0) > 0);
  return tool === undefined ? null : read(tool);
}

function runOf({ tool, summaries, failures, checks }: Reading): Run {
  const total = (of: keyof Summary): number => summaries.reduce((sum, one) => sum + one[of], 0);
  return {
    counts: {
      runner: tool ?? "",
      passed: total("passed"),
      failed: total("failed"),
      skipped: total("skipped"),
    },
    failures: failures.length,
    unloaded: failures.filter(({ unloaded }) => unloaded).length,
    endsRed: (summaries.at(-1)?.failed ?? 0) > 0,
    checks,
  };
}

/** Reading a thousand takes longer than the rest of the output. */
const FAILURES_MAX = 200;

/** The same ones in whatever order the tool listed them. */
function chosen(failures: readonly Failure[]): readonly Failure[] {
  if (failures.length <= FAILURES_MAX) return failures;
  // Only where there is no name: the words are read when they are asked for.
  const nameOf = (one: Failure): string => one.check ?? one.words[0] ?? "";
  const sorted = failures.toSorted((a, b) => compare(nameOf(a), nameOf(b)));
  return sorted.slice(0, FAILURES_MAX);
}

type Faulty = Pick<Reading, "place" | "failures">;

function faultsOf({ place, failures }: Faulty): readonly string[] {
  const where = place === null ? "" : normalise(place).split(/[\\/]/).at(-1);
  const facts = failures.flatMap(({ check, words }) => {
    const fact = normalise([...(check === null ? [] : [check]), ...words].join(" | "));
    return fact === "" ? [] : [`${where}\n${fact}`];
  });
  return [...new Set(facts.map(shortHash))].sort();
}

const FINDINGS_MAX = 20;
const MESSAGE_CHARS_MAX = 300;
const CHECK_CHARS_MAX = 200;
const EXCERPT_LINES_MAX = 30;
const EXCERPT_CHARS_MAX = 2_000;

/** What the output names as failed; where it names no check, the gate is the check. */
export function findingsOf(gate: string, { failures }: OutputReading): readonly Finding[] {
  return failures.flatMap(({ check, message }) =>
    check === null && message === "" ? [] : [{ check: check ?? gate, message }],
  );
}

/**
 * Findings short enough for a prompt, each once. Where there are too many, the same ones are kept
 * in whatever order the runner listed them: a random choice would look like another failure.
 */
export function bounded(findings: readonly Finding[]): readonly Finding[] {
  const short = findings.map(({ check, message }) => ({
    check: excerpt(check, CHECK_CHARS_MAX),
    message: excerpt(message, MESSAGE_CHARS_MAX),
  }));
  const each = [...new Map(short.map((one) => [`${one.check}\n${one.message}`, one]))];
  const kept = each.length <= FINDINGS_MAX ? each : each.sort(([a], [b]) => compare(a, b));
  return kept.slice(0, FINDINGS_MAX).map(([, finding]) => finding);
}

/** What the output of a failed command says is wrong, on one line; "": nothing. */
export function errorLine(output: string): string {
  const messages = readOutput(output, "auto").failures.map(({ message }) => message);
  return excerpt(messages.filter((message) => message !== "").join(" | "), MESSAGE_CHARS_MAX);
}

/** The end of the output, for people; text is inert. */
export function tailOf(text: string): string {
  const lines = inert(text.slice(-EXCERPT_CHARS_MAX * 8)).trimEnd();
  const last = lines.split("\n").slice(-EXCERPT_LINES_MAX).join("\n");
  if (last.length <= EXCERPT_CHARS_MAX) return last;
  return `…${last.slice(1 - EXCERPT_CHARS_MAX).replace(/^[\udc00-\udfff]/, "")}`;
}
