// What does a CI system that reads JUnit get to know of a run: which task is done, and what failed in it?

import { excerpt, inert } from "../model/excerpt.ts";
import type { GateView, RunView, TaskView } from "./run-view.ts";

type Problem = readonly [as: "failure" | "error" | "skipped", lines: readonly string[]];

/** Red exactly if the run is: where no task says why it did not end with 0, `why` does. */
export function junitOf(view: RunView, exitCode: number, why: string): string {
  const suites = view.tasks.map((task) => suiteText(task.id, casesOf(task)));
  const isTold = exitCode === 0 || suites.some((suite) => /<(?:failure|error) /.test(suite));
  const ofRun = caseText(view.run, { name: "run", elapsedMs: 0 }, ["error", [why]]);
  const all = isTold ? suites : [...suites, suiteText(view.run, [ofRun])];
  const lines = [`<testsuites name="${xml(view.run)}">`, ...all, "</testsuites>"];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${lines.join("\n")}\n`;
}

/** The required gates of every step as they last ran. */
export function requiredGates({ steps }: TaskView): readonly GateView[] {
  const last = steps.map(({ attempts }) => attempts.findLast(({ gates }) => gates.length > 0));
  const gates = last.flatMap((attempt) => attempt?.gates ?? []).filter(({ required }) => required);
  return [...new Map(gates.map((gate) => [gate.name, gate])).values()];
}

function casesOf(task: TaskView): readonly string[] {
  const gates = requiredGates(task);
  const isDone = task.phase === "done" || task.phase === "outdone";
  const cases = gates.map((gate) => caseText(task.id, gate, gateProblem(gate, isDone)));
  const isRed = !isDone && gates.some(({ verdict }) => verdict === "failed");
  const outcome = { name: "outcome", elapsedMs: 0 };
  return isRed ? cases : [...cases, caseText(task.id, outcome, outcomeProblem(task))];
}

/** What failed before the task, too, does not keep it from being done; nor does a lesser candidate. */
function gateProblem(gate: GateView, isDone: boolean): Problem | null {
  const { name, verdict, why, findings, findingsOmitted: more } = gate;
  if (verdict === "passed") return null;
  const messages = findings.map(({ check, message }) => `${check}: ${message}`);
  const first = why === null ? `${name} fails` : `no verdict: ${why}`;
  const rest = more > 0 ? [`… and ${more} more`] : [];
  const lines = [...(messages.length > 0 ? messages : [first]), ...rest];
  return [isDone ? "skipped" : verdict === "failed" ? "failure" : "error", lines];
}

function outcomeProblem({ end, phase, pendingQuestion, waiting }: TaskView): Problem | null {
  if (end?.kind === "done") return null;
  const why = pendingQuestion?.question ?? end?.reason ?? waiting?.cause ?? "";
  const state = pendingQuestion === null ? (end?.kind ?? phase) : "waiting for an answer";
  const words = state === "pending" ? "not begun" : state.replaceAll("_", " ");
  const isSkipped = phase === "skipped" || phase === "outdone" || phase === "pending";
  return [isSkipped ? "skipped" : "error", [why === "" ? words : `${words}: ${why}`]];
}

function suiteText(name: string, cases: readonly string[]): string {
  const count = (tag: string): number => cases.filter((one) => one.includes(`<${tag} `)).length;
  const counts = `failures="${count("failure")}" errors="${count("error")}"`;
  const head = `  <testsuite name="${xml(name)}" tests="${cases.length}" ${counts}>`;
  return [head, ...cases, "  </testsuite>"].join("\n");
}

type Named = Pick<GateView, "name" | "elapsedMs">;

function caseText(suite: string, { name, elapsedMs }: Named, problem: Problem | null): string {
  const time = (elapsedMs / 1_000).toFixed(3);
  const head = `    <testcase name="${xml(name)}" classname="${xml(suite)}" time="${time}"`;
  if (problem === null) return `${head}/>`;
  const [as, lines] = problem;
  const message = xml(excerpt(lines[0] ?? "", 400));
  return `${head}><${as} message="${message}">${xml(lines.join("\n"))}</${as}></testcase>`;
}

/** Without what no XML may hold: control characters, and halves of surrogate pairs. */
function xml(text: string): string {
  return inert(text)
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}
