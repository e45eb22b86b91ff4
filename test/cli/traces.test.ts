import { expect, test } from "vitest";

import { serve } from "../support/scripted-server.ts";
import { smallProject } from "../support/small-project.ts";

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

test("a run sends its spans, without a word of the agent's, and ends at once", async () => {
  const server = await serve((response) => void response.writeHead(200).end("{}"));
  const box = smallProject();
  const ran = await box.inProcess(["run", "task.md"], { env: { [ENDPOINT]: server.url } });
  expect(ran.exitCode).toBe(0);
  const bodies = JSON.stringify(server.requests.map(({ body }) => body));
  const names = [...bodies.matchAll(/"name":"([^"]+)","spanId"/g)].map(([, name]) => name);
  for (const name of ["orch run", "task task", "attempt 1", "invoke_agent scripted", "gate check"])
    expect(names).toContain(name);
  expect(bodies).not.toContain("it is good");
});

test("a run whose receiver is not there says so once, and comes out the same", async () => {
  const env = { [ENDPOINT]: "http://127.0.0.1:1" };
  const ran = await smallProject().inProcess(["run", "task.md"], { env });
  expect(ran.exitCode).toBe(0);
  expect(
    ran.stderr.match(/traces are not complete: 127\.0\.0\.1:1 could not be reached/g),
  ).toHaveLength(1);
  const off = { ...env, OTEL_SDK_DISABLED: "true" };
  const other = await smallProject().inProcess(["run", "task.md"], { env: off });
  expect(other.stderr).not.toContain("traces");
});
