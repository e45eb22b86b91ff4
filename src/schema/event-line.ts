// How does an event stand in the log, and is this line one of ours?

import { isObject } from "../core/model/json.ts";
import type { Recorded, RunEvent } from "../core/model/event.ts";
import { EVENT_SHAPES } from "../../generated/event-shapes.ts";
import { parsed, unparsed, type Parsed } from "./parsed.ts";
import { misfitOf, type Misfit } from "./shape.ts";

/** Version of the lines this program writes. */
export const LINE_VERSION = 20;

/** "2026-11-20T12:14:36.000Z". By pattern, because every line has one and Date.parse takes longer. */
const MOMENT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}\.\d{3}Z$/;

export { EVENT_SHAPES };

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
  if (version !== LINE_VERSION) return { ok: "unknown", version };
  const { v: _v, crc: _crc, seq, epoch, at, run, ...fields } = raw;
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
