// What does a test need that looks at the page of a project: its server, and requests with the key?

import { request } from "node:http";
import { text } from "node:stream/consumers";

import type { Program, Sandbox } from "./whole-program.ts";

export interface Web {
  readonly link: string;
  readonly origin: string;
  readonly program: Program;
  /** With the key, and from the page itself, unless the headers say otherwise. */
  ask(path: string, options?: AskOptions): Promise<Answered>;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export async function openWeb(box: Sandbox): Promise<Web> {
  const program = box.start(["web", "--port", "0"]);
  await program.prints("\n");
  const link = program.printed().trim();
  const { origin } = new URL(link);
  const { headers } = await send(link, {});
  const cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
  const ask: Web["ask"] = (path, options = {}) => {
    const headers = { cookie, origin, "content-type": "application/json" };
    return send(`${origin}${path}`, { ...options, headers: { ...headers, ...options.headers } });
  };
  return { link, origin, program, ask };
}

function send(url: string, { method = "GET", headers = {}, body }: AskOptions): Promise<Answered> {
  return new Promise((resolve, reject) => {
    // As it is written: a browser's own library would tidy the path.
    const { hostname, port } = new URL(url);
    const path = url.slice(new URL(url).origin.length);
    const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const { statusCode = 0, headers: got } = response;
      text(response).then(
        (all) => resolve({ status: statusCode, headers: got, body: all }),
        reject,
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The first message that fits, of a stream that is read until then. */
export async function messageOf(
  { origin, link }: Web,
  fits: (message: string) => boolean,
): Promise<string> {
  const { headers } = await fetch(link, { redirect: "manual" });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  const over = new AbortController();
  const { body } = await fetch(`${origin}/api/live`, { headers: { cookie }, signal: over.signal });
  if (body === null) throw new Error("there is no stream");
  let seen = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    seen += chunk;
    const message = seen.split("\n\n").find((one) => one.startsWith("data: ") && fits(one));
    if (message === undefined) continue;
    over.abort();
    return message.slice("data: ".length);
  }
  throw new Error(`the stream ended: ${seen}`);
}
