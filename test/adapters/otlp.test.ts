import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTraces } from "../../src/adapters/otlp.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import { attempt, FAILED, recorded, runStarted, taskStarted } from "../support/builders.ts";
import { serve, type Turn } from "../support/scripted-server.ts";

const ENDED: RunEvent = { type: "run-ended", exitCode: 5 };
const EVENTS = recorded([...runStarted(), taskStarted(), ...attempt({ gates: [FAILED] }), ENDED]);

const status = (code: number, headers = {}): Turn => {
  return (response) => void response.writeHead(code, headers).end("{}");
};
const silence: Turn = () => {};

/** What is said of traces that a receiver of these turns gets, and what it got. */
async function sent(turns: readonly [Turn, ...Turn[]], more: NodeJS.ProcessEnv = {}) {
  const server = await serve(...turns);
  const notes: string[] = [];
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `${server.url}/`, ...more };
  const traces = createTraces(env, [], (why) => notes.push(why.replace(server.host, "HOST")));
  traces.recorded(EVENTS);
  await traces.end(false);
  return { notes, requests: server.requests };
}

/** Each place in a document with the type of what stands there; integers are texts, as they may be. */
function formOf(value: unknown, path = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => formOf(one, `${path}[]`));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, one]) => formOf(one, `${path}.${key}`));
  return [`${path}: ${path.endsWith(".intValue") ? "integer" : typeof value}`];
}

test("spans have the form in which the SDK of OpenTelemetry sends them", async () => {
  const { requests, notes } = await sent([status(200)]);
  const file = join(import.meta.dirname, "../fixtures/otlp/sdk-2.12.1.json");
  const allowed = new Set(formOf(JSON.parse(readFileSync(file, "utf8"))));
  expect(notes).toEqual([]);
  expect(requests.map(({ path }) => path)).toEqual(["/v1/traces"]);
  expect(formOf(requests[0]?.body).filter((place) => !allowed.has(place))).toEqual([]);
  const body = JSON.stringify(requests[0]?.body);
  expect(body).toMatch(/"traceId":"[\da-f]{32}","parentSpanId":"[\da-f]{16}","kind":3/);
  expect(body).toMatch(/"startTimeUnixNano":"\d{13}000000","endTimeUnixNano":"\d{13}000000"/);
  expect(body).toContain('{"key":"gen_ai.usage.input_tokens","value":{"intValue":"10500"}}');
  expect(body).toContain('{"key":"orch.cost_usd","value":{"doubleValue":0.42}}');
  expect(body).toContain('"status":{"code":2,"message":"the gate test failed"}');
});

test("the environment names the caller, the service and the headers", async () => {
  const { requests } = await sent([status(200)], {
    TRACEPARENT: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    OTEL_SERVICE_NAME: "nightly",
    OTEL_RESOURCE_ATTRIBUTES: "team=a%20b,service.name=other",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20x, x-a=1",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-a=2",
  });
  expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer x", "x-a": "2" });
  const body = JSON.stringify(requests[0]?.body);
  const caller = '"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","parentSpanId":"00f067aa0ba902b7"';
  expect(body).toMatch(new RegExp(`"name":"orch run","spanId":"[^"]*",${caller}`));
  expect(body).toContain('"key":"team","value":{"stringValue":"a b"}');
  expect(body).toContain('"key":"service.name","value":{"stringValue":"nightly"}');
});

const [SOON, LATE] = [{ "retry-after": "0.01" }, { "retry-after": "99" }];
const SILENT = expect.stringMatching(/^HOST did not answer/);

test.each<[string, readonly [Turn, ...Turn[]], number, readonly unknown[]]>([
  ["503 and 200 is sent again", [status(503, SOON), status(200)], 2, []],
  ["429 for longer than there is time is given up", [status(429, LATE)], 1, ["HOST answered 429"]],
  ["400 is not sent again", [status(400)], 1, ["HOST answered 400"]],
  ["a receiver that hangs is left at the time-out", [silence], 1, [SILENT]],
])("%s", async (_name, turns, tries, trouble) => {
  const { requests, notes } = await sent(turns, { OTEL_EXPORTER_OTLP_TIMEOUT: "300" });
  expect(notes).toEqual(trouble);
  expect(requests).toHaveLength(tries);
});
