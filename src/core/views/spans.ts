// Which spans of a trace do the facts of a log make, as they come?

import type { EventType, Recorded, RunEvent } from "../model/event.ts";
import { excerpt } from "../model/excerpt.ts";
import { shortHash } from "../model/ids.ts";
import type { Usage } from "../model/session.ts";
import { exitMeaning, exitName } from "../model/exit-code.ts";

/** Ids, names, numbers and verdicts, and never what an agent said; null: not known. */
type Attributes = Readonly<Record<string, string | number | null>>;

export interface Span {
  readonly name: string;
  readonly spanId: string;
  /** null: none in the run. */
  readonly parentId: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** What failed, in a few words; null: nothing did. */
  readonly error: string | null;
}

/** Before the first fact. `open`: what goes on, by what ends it; `ended`: by the newest fact. */
export const NO_SPANS = {
  run: "",
  atMs: 0,
  open: new Map<string, Span>(),
  ended: new Array<Span>(),
};
const PROCESS = "process";
const ERROR_CHARS_MAX = 200;

/** With one more fact. Ids follow from the run and the fact's place: whoever resumes gets the same. */
export function spansAfter(before: typeof NO_SPANS, { seq, at, event }: Recorded) {
  const run = event.type === "run-started" ? event.run : before.run;
  const next = { run, atMs: Date.parse(at), open: new Map(before.open), ended: new Array<Span>() };
  const { atMs: endMs, open, ended } = next;
  const [key = "", name, attributes, failure = null, tookMs] = changeOf(event.type, event) ?? [];
  const error = failure === null ? null : excerpt(failure, ERROR_CHARS_MAX);
  const old = open.get(key);
  open.delete(key);
  if (name === null && old !== undefined)
    ended.push({ ...old, endMs, attributes: { ...old.attributes, ...attributes }, error });
  if (name === null || name === undefined) return next;
  // Whoever was killed could not say when.
  if (old !== undefined) ended.push({ ...old, endMs: before.atMs, error: "cut off" });
  const place = placeOf(event);
  const task = place["orch.task"];
  const around = [`attempt of ${task}`, `task ${task}`, PROCESS].find((one) => open.has(one)) ?? "";
  // Later processes are children of the first one.
  const parentId = open.get(around)?.spanId ?? (seq === 1 ? null : shortHash(`${run} 1`));
  const ids = { name, spanId: shortHash(`${run} ${seq}`), parentId };
  const times = { startMs: endMs - (tookMs ?? 0), endMs };
  const span = { ...ids, ...times, attributes: { ...place, ...attributes }, error };
  if (tookMs === undefined) open.set(key, span);
  else ended.push(span);
  return next;
}

function placeOf(event: RunEvent): Attributes {
  if (event.type === "question-asked") return { "orch.task": event.question.task };
  const task = "task" in event && typeof event.task === "string" ? event.task : null;
  const at = "attempt" in event ? { "orch.step": event.step, "orch.attempt": event.attempt } : {};
  return { "orch.task": task, ...at };
}

type Events = { readonly [T in EventType]: Extract<RunEvent, { type: T }> };
/** Key, name, attributes, what failed, and how long it took: without a name it ends what is open. */
type Change = readonly [string, string | null, Attributes?, (string | null)?, number?];

/** The two of a pair belong together, which the compiler sees in this form. */
function changeOf<T extends EventType>(type: T, event: Events[T]): Change | undefined {
  return CHANGES[type]?.(event);
}

/** Waiting, put off and stopped are no failures. */
const UNFAILED: readonly number[] = [0, 4, 75, 130, 143];
/** Where red is expected, or says nothing of the work. */
const MAY_BE_RED: readonly string[] = ["base", "trial", "again", "control", "canary"];
/** As the conventions name them; any other agent is its own. */
const PROVIDERS: Attributes = { "claude-code": "anthropic", codex: "openai", gemini: "gcp.gemini" };

const CHANGES: { readonly [T in EventType]?: (event: Events[T]) => Change } = {
  "run-started": ({ run }) => [PROCESS, "orch run", { "orch.run": run }],
  "run-resumed": () => [PROCESS, "orch resume"],
  "run-interrupted": ({ signal }) => [PROCESS, null, { "orch.signal": signal }],
  "run-ended": ({ exitCode }) => {
    const error = UNFAILED.includes(exitCode) ? null : exitMeaning(exitCode);
    return [PROCESS, null, { "orch.outcome": exitName(exitCode) }, error];
  },
  "task-started": ({ task }) => [`task ${task}`, `task ${task}`],
  "task-ended": ({ task, end }) => {
    const [grade, reason] = end.kind === "done" ? [end.grade, null] : [null, end.reason];
    const error = end.kind === "outdone" ? null : reason;
    return [`task ${task}`, null, { "orch.end": end.kind, "orch.grade": grade }, error];
  },
  "attempt-started": ({ task, attempt, role }) => [
    `attempt of ${task}`,
    `attempt ${attempt}`,
    { "orch.role": role },
  ],
  decided: ({ task, decision: { kind, rule } }) => [
    `attempt of ${task}`,
    null,
    { "orch.decision": kind, "orch.rule": rule },
  ],
  "session-started": ({ token, agent, driver, model }) => {
    const provider = PROVIDERS[driver] ?? PROVIDERS[agent] ?? agent;
    const asked = { "gen_ai.operation.name": "invoke_agent", "gen_ai.provider.name": provider };
    const of = { ...asked, "gen_ai.agent.name": agent, "gen_ai.request.model": model };
    return [token, `invoke_agent ${agent}`, of];
  },
  "session-ended": ({ token, ending, usage, sessionId }) => {
    const kind = ending.kind === "fault" ? ending.fault.kind : ending.kind;
    const error = ["finished", "asked", "interrupted"].includes(kind) ? null : kind;
    const of = { "gen_ai.conversation.id": sessionId, "error.type": error, ...usageOf(usage) };
    return [token, null, of, error];
  },
  measured: ({ of, result: { name, verdict, counts, elapsedMs } }) => {
    const gate = { "orch.gate": name, "orch.measured": of, "orch.verdict": verdict.kind };
    const checks = { "orch.passed": counts?.passed ?? null, "orch.failed": counts?.failed ?? null };
    const isFailure = verdict.kind === "failed" && !MAY_BE_RED.includes(of);
    const error = isFailure ? `the gate ${name} failed` : null;
    return ["", `gate ${name}`, { ...gate, ...checks }, error, elapsedMs];
  },
  "merge-started": ({ task }) => [`merge of ${task}`, "merge"],
  "merge-ended": ({ task, result: { kind } }) => {
    const error = kind === "conflict" || kind === "red" ? kind : null;
    return [`merge of ${task}`, null, { "orch.merge": kind }, error];
  },
  "question-asked": ({ question: { id, kind } }) => [id, "question", { "orch.kind": kind }],
  answered: ({ answer: { id, action } }) => [id, null, { "orch.answer": action }],
};

/** By convention the input holds what came from a cache, too. */
function usageOf({ byModel, costUsd }: Usage): Attributes {
  const sum = (count: (one: Usage["byModel"][string]) => number) =>
    Object.values(byModel).reduce((total: number | null, one) => (total ?? 0) + count(one), null);
  const input = sum((one) => one.input + one.cacheRead + one.cacheWrite);
  const output = sum((one) => one.output);
  const tokens = { "gen_ai.usage.input_tokens": input, "gen_ai.usage.output_tokens": output };
  return { ...tokens, "orch.cost_usd": costUsd };
}
