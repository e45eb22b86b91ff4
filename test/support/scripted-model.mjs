// How does a scripted model server play its turns, whatever format its clients speak?
//
// A format is: the `path` of its requests, or a pattern of it; `streams(path)` where the path says so; `aside(path, body)`, an answer to what is no request of that
// kind, else null; `sideTurn(body)`, a turn for what no script speaks of, else null; `refusal(turn)`, the
// body of a fault; `whole(turn, body)`, an answer in one piece; `events(turn, body)`, the same as a stream.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename } from "node:path";

const BODY_BYTES_MAX = 64 * 1024 * 1024;
const SCRIPT_IS_OVER = {
  status: 400,
  type: "invalid_request_error",
  message: "the script is over",
};

export async function startScriptedModel(format, turns, port) {
  const queue = [...turns];
  const requests = [];
  const waiting = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request, response) {
    const path = new URL(request.url ?? "/", "http://loopback").pathname;
    if (request.method !== "POST") return json(response, 404, { error: "not here" });
    const body = JSON.parse(await read(request));
    const aside = format.aside(path, body);
    if (aside !== null) return json(response, 200, aside);
    const { path: asked } = format;
    if (typeof asked === "string" ? path !== asked : !asked.test(path))
      return json(response, 404, { error: "not here" });
    const sideTurn = format.sideTurn(body);
    const streams = format.streams?.(path) ?? body.stream === true;
    if (sideTurn !== null) return play(format, sideTurn, { body, streams }, response);
    requests.push({ headers: request.headers, body });
    for (const tell of waiting.splice(0)) tell();
    const next = queue[0]?.repeat === true ? queue[0] : queue.shift();
    const turn = typeof next === "function" ? next(body) : (next ?? SCRIPT_IS_OVER);
    return play(format, turn, { body, streams }, response);
  }

  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    add: (...more) => void queue.push(...more),
    replace: (...others) => void queue.splice(0, queue.length, ...others),
    async reached(count) {
      while (requests.length < count) await new Promise((resolve) => waiting.push(resolve));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error("a request this large is not expected");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function json(response, status, value, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

function play(format, turn, { body, streams }, response) {
  if (turn.hang === true) return;
  if (turn.drop === true) return void response.destroy();
  const headers = { "request-id": newId("req"), ...turn.headers };
  if (turn.status !== undefined) return json(response, turn.status, format.refusal(turn), headers);
  if (!streams) return json(response, 200, format.whole(turn, body), headers);
  response.writeHead(200, { "content-type": "text/event-stream", ...headers });
  for (const event of format.events(turn, body)) {
    const name = event.type === undefined ? "" : `event: ${event.type}\n`;
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  if (turn.cut === true) setImmediate(() => response.destroy());
  else response.end();
}

export function halves(text) {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

let counter = 0;

export function newId(kind) {
  counter += 1;
  return `${kind}_${String(counter).padStart(4, "0")}scripted`;
}

/** Starts the server where `file` itself was started: `node <file> script.json [port]`. */
export async function playFromShell(file, start) {
  // By its name: bundled, it has the same address as what it is bundled into.
  if (basename(process.argv[1] ?? "") !== file) return;
  const [script, port] = process.argv.slice(2);
  if (script === undefined) throw new Error(`usage: ${file} script.json [port]`);
  const server = await start(JSON.parse(readFileSync(script, "utf8")), Number(port ?? 0));
  console.log(server.url);
}
