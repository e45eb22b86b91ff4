// How do the spans of a run reach an OpenTelemetry receiver?

import { setTimeout as sleep } from "node:timers/promises";

import type { Recorded } from "../core/model/event.ts";
import { digestOf } from "../core/model/ids.ts";
import { NO_SPANS, spansAfter, type Span } from "../core/views/spans.ts";
import { post } from "./http-post.ts";

type Environment = Readonly<Record<string, string | undefined>>;
const TIMEOUT_MS = 10_000;
const HURRY_MS = 2_000;
const AGAIN_AFTER_MS = 1_000;
const RETRYABLE: readonly number[] = [429, 502, 503, 504];

/**
 * Sends spans as they end: those that end while others are on their way become the next batch. `earlier` was
 * sent by the processes before. Never fails: the first batch that is lost is told of.
 */
export function createTraces(
  env: Environment,
  earlier: readonly Recorded[],
  onTrouble: (words: string) => void,
) {
  const { send, mostMs } = createSender(env);
  const over = new AbortController();
  let spans = earlier.reduce(spansAfter, NO_SPANS);
  let [waiting, sending, isTold] = [new Array<Span>(), Promise.resolve(), false];
  const deliver = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const trouble = await send(otlp(waiting.splice(0), spans.run, env), over.signal);
    if (trouble !== null && !isTold) onTrouble(trouble);
    isTold ||= trouble !== null;
  };
  return {
    recorded(events: readonly Recorded[]): void {
      for (const one of events) waiting.push(...(spans = spansAfter(spans, one)).ended);
      sending = sending.then(deliver);
    },
    /** Resolves when all is sent or given up: within the time of one batch, or two seconds in a hurry. */
    async end(inHurry: boolean): Promise<void> {
      const late = setTimeout(() => over.abort(), inHurry ? Math.min(HURRY_MS, mostMs) : mostMs);
      await sending;
      clearTimeout(late);
    },
  };
}

function createSender(env: Environment) {
  const of = (name: string): string | undefined => env[`OTEL_EXPORTER_OTLP_${name}`];
  const url = of("TRACES_ENDPOINT") || `${of("ENDPOINT")?.replace(/\/+$/, "")}/v1/traces`;
  const host = URL.canParse(url) ? new URL(url).host : "the endpoint";
  const mostMs = Number(of("TRACES_TIMEOUT") || of("TIMEOUT")) || TIMEOUT_MS;
  const secret = { ...pairs(of("HEADERS")), ...pairs(of("TRACES_HEADERS")) };
  const headers = { ...secret, "content-type": "application/json" };
  /** null: they arrived. */
  const send = async (spans: object, signal: AbortSignal): Promise<string | null> => {
    const untilMs = Date.now() + mostMs;
    for (let tries = 1; ; tries += 1) {
      const timeoutMs = Math.max(1, untilMs - Date.now());
      const body = JSON.stringify(spans);
      const refusal = await post(url, { headers, body, timeoutMs, signal });
      if (refusal === null) return null;
      const afterMs = refusal.afterMs || AGAIN_AFTER_MS;
      // Where nobody is, the end of a run does not wait for somebody.
      const isHopeful = refusal.status === 0 ? tries === 1 : RETRYABLE.includes(refusal.status);
      if (signal.aborted) return `${host} did not answer in time`;
      if (!isHopeful || Date.now() + afterMs > untilMs) return `${host} ${refusal.why}`;
      await sleep(afterMs, undefined, { signal }).catch(() => undefined);
    }
  };
  return { send, mostMs };
}

/** "a=1,b=2", with values that may be percent-encoded. */
function pairs(text = ""): Readonly<Record<string, string>> {
  const coded = text.trim().replaceAll("+", "%2B").replaceAll("&", "%26");
  return Object.fromEntries(new URLSearchParams(coded.replaceAll(/\s*,\s*/g, "&")));
}

function otlp(spans: readonly Span[], run: string, env: Environment): object {
  const [, traceId = digestOf(run).slice(0, 32), caller] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-/.exec(env["TRACEPARENT"] ?? "") ?? [];
  const given = pairs(env["OTEL_RESOURCE_ATTRIBUTES"]);
  const service = env["OTEL_SERVICE_NAME"] || given["service.name"] || "orch";
  const resource = { attributes: keyValues({ ...given, "service.name": service }) };
  const written = spans.map(({ parentId, startMs, endMs, attributes, error, ...named }) => ({
    ...named,
    traceId,
    parentSpanId: parentId ?? caller,
    // What another program does is of the kind "client".
    kind: "gen_ai.operation.name" in attributes ? 3 : 1,
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${endMs}000000`,
    attributes: keyValues(attributes),
    status: error === null ? {} : { code: 2, message: error },
  }));
  return {
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "orch" }, spans: written }] }],
  };
}

/** An integer has 64 bits, and is a text in JSON; money is none. */
function keyValues(attributes: Span["attributes"]): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]): readonly object[] => {
    if (value === null) return [];
    if (typeof value === "string") return [{ key, value: { stringValue: value } }];
    const isInteger = Number.isInteger(value) && !key.endsWith("_usd");
    return [{ key, value: isInteger ? { intValue: `${value}` } : { doubleValue: value } }];
  });
}
