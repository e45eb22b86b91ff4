// How does an event stand in the log, and is this line one of ours?

import { isObject } from "../core/model/json.ts";
import type { Recorded, RunEvent } from "../core/model/event.ts";
import { EVENT_SHAPES } from "../../generated/event-shapes.ts";
import { parsed, unparsed, type Parsed } from "./parsed.ts";
import { misfitOf, type Misfit } from "./shape.ts";
import { NOT_GATHERED } from "../core/model/evidence.ts";
import { DEFAULT_PROOF } from "../core/model/policy.ts";

/** Version of the lines this program writes. */
export const LINE_VERSION = 15;

/** Older ones were written before there was a first version. */
const OLDEST_VERSION = 13;

/** "2026-11-20T12:14:36.000Z". By pattern, because every line has one and Date.parse takes longer. */
const MOMENT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}\.\d{3}Z$/;

export { EVENT_SHAPES };

type Fields = Readonly<Record<string, unknown>>;

/** A line of the log, whole: the event and the run it belongs to. */
export interface EventLine {
  readonly run: string;
  readonly recorded: Recorded;
}

/** A line, or why it is none: damaged, or of a version that this program does not know. */
export type ParsedLine = Parsed<EventLine> | { readonly ok: "unknown"; readonly version: number };

/** One line without its newline. */
export function eventLine(run: string, recorded: Recorded): string {
  const { seq, epoch, at, event } = recorded;
  return JSON.stringify({ v: LINE_VERSION, seq, epoch, at, run, ...event });
}

/**
 * Checks by hand instead of by schema, because a replay reads all of a log: the envelope, and by its kind
 * every field of the event, as far down as it goes. What reads a state may rely on it.
 */
export function parseEventLine(raw: unknown): ParsedLine {
  if (!isObject(raw)) return unparsed("not a JSON object");
  const version = raw["v"];
  if (!isCount(version) || version < 1) return unparsed("v: not a version number");
  if (version > LINE_VERSION || version < OLDEST_VERSION) return { ok: "unknown", version };
  return parseCurrent(version < LINE_VERSION ? completed(raw) : raw);
}

function parseCurrent(line: Fields): Parsed<EventLine> {
  const { v: _v, crc: _crc, seq, epoch, at, run, ...fields } = line;
  if (!isCount(seq) || seq < 1) return unparsed("seq: not a number from 1");
  if (!isCount(epoch) || epoch < 1) return unparsed("epoch: not a number from 1");
  if (typeof at !== "string" || !MOMENT.test(at))
    return unparsed("at: not a time in ISO 8601, UTC, with milliseconds");
  if (typeof run !== "string" || run === "") return unparsed("run: not a run's id");
  const { type } = fields;
  const misfit = typeof type === "string" ? MISFITS.get(type) : undefined;
  if (misfit === undefined) return unparsed(`type: not an event orch knows: ${quoted(type)}`);
  // The first event names its run as a fact of its own; on disk the envelope's field is the same.
  const event = type === "run-started" ? { ...fields, run } : fields;
  const place = misfit(event);
  if (place !== null) return unparsed(`${place.slice(1)}: not what ${quoted(type)} holds there`);
  return parsed({ run, recorded: { seq, epoch, at, event: asEvent(event) } });
}

function asEvent(fields: unknown): RunEvent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The one cast of the log's reader: every field was checked by a table that the compiler holds against RunEvent.
  return fields as RunEvent;
}

const MISFITS: ReadonlyMap<string, Misfit> = new Map(
  Object.entries(EVENT_SHAPES).map(([type, fields]) => [type, misfitOf({ fields })]),
);

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && typeof value === "number" && value >= 0;
}

function quoted(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? "nothing";
}

type Change = (value: unknown) => unknown;

/** What was not written then, and what is said of it instead. Nothing is guessed. */
function added(fields: Fields): Change {
  return (value) => (isObject(value) ? { ...fields, ...value } : value);
}

/** Prompts that are given no more; the conversation went on by them. */
const FOLLOW_UP: Change = (why) => (why === "nudge" || why === "write-report" ? "go-on" : why);

/** At a place of an event, or of each element of a list there. */
const CHANGES: readonly (readonly [event: string, place: string, change: Change])[] = [
  ["task-defined", "task.proof", added({ ...DEFAULT_PROOF })],
  ["decided", "evidence", added(NOT_GATHERED)],
  ["decided", "evidence.readings.closing", added({ options: [] })],
  ["decided", "evidence.trace", added({ hook: null })],
  ["decided", "tally.streaks", added({ ending: null, endings: 0 })],
  ["session-started", "start.why", FOLLOW_UP],
  ["session-ended", "trace", added({ hook: null })],
  ["decided", "evidence.integrity", added({ tests: [] })],
  ["task-defined", "task.steps", added({ fallbacks: [], coach: null })],
  ["session-ended", "report.report", added({ findings: [] })],
  ["session-ended", "report.report.criteria", added({ evidence: null })],
  ["decided", "evidence.report.report", added({ findings: [] })],
  ["decided", "evidence.report.report.criteria", added({ evidence: null })],
  ["run-started", "flags.agent", (agent) => (typeof agent === "string" ? [agent] : agent)],
  ["decided", "decision.how.changed", added({ file: null, count: 1 })],
];

/** With all that today's has, before anything looks at its fields. */
function completed(line: Fields): Fields {
  return CHANGES.filter(([event]) => event === line["type"]).reduce(
    (before, [, place, change]) => changedAt(before, place.split("."), change),
    line,
  );
}

function changedAt<T>(value: T, path: readonly string[], change: Change): T;
function changedAt(value: unknown, path: readonly string[], change: Change): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => changedAt(one, path, change));
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  return isObject(value) && name in value
    ? { ...value, [name]: changedAt(value[name], rest, change) }
    : value;
}
