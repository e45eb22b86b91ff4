// A web server that plays one turn for each request, and writes down what it was asked.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { onTestFinished } from "vitest";

export type Turn = (response: ServerResponse) => void;

export interface ServerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** The last turn is played again for all further requests. */
export async function serve(...turns: readonly [Turn, ...Turn[]]) {
  const requests: ServerRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url: path = "", headers } = incoming;
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const request = { method, path, headers, body };
      requests.push(request);
      (turns[Math.min(requests.length, turns.length) - 1] ?? turns[0])(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Listening on TCP.
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return { host, url: `http://${host}`, requests, close };
}
