// Who may see the page, and what is sent to whom?

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { once } from "node:events";
import { join } from "node:path";

import { type HttpBindings, serve } from "@hono/node-server";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";

import { OrchError } from "../errors.ts";
import type { AnswerGiven, LiveRun, WebData } from "./api.ts";

export interface WebOptions {
  readonly data: WebData;
  /** 0: any that is free. */
  readonly port: number;
  /** Where page.js and page.css lie. */
  readonly assets: string;
}

type App = Hono<{ Bindings: HttpBindings }>;

export interface WebServer {
  /** With the key: whoever has it sees everything, and may answer. */
  readonly link: string;
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
const BODY_BYTES_MAX = 256 * 1024;

/** Listens on this machine alone. Rejects with an OrchError where the port is taken. */
export async function startWeb({ data, port, assets }: WebOptions): Promise<WebServer> {
  const key = randomBytes(24).toString("base64url");
  const app: App = new Hono();
  let origin = "";
  const cookie = (): string => `orch-${origin.split(":").at(-1)}`;
  app.use("*", async (c, next) => {
    const refusal = refusalOf(c, origin);
    if (refusal !== null) return c.text(refusal, 403);
    const given = c.req.query("key");
    if (given !== undefined && isSame(given, key)) {
      const flags = "Path=/; HttpOnly; SameSite=Strict";
      return c.body(null, 303, { Location: "/", "Set-Cookie": `${cookie()}=${key}; ${flags}` });
    }
    const sent = new RegExp(`(?:^|; )${cookie()}=([\\w-]+)`).exec(c.req.header("cookie") ?? "");
    if (!isSame(sent?.[1] ?? "", key)) return c.text(NO_KEY, 401);
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    return next();
  });
  addPage(app, assets);
  addData(app, data);
  const stopStreams = addLive(app, data);
  app.notFound((c) => c.json({ message: "there is no such page", hint: "" }, 404));
  app.onError((error, c) => {
    const isOrchError = error instanceof OrchError;
    const { message, hint } = isOrchError ? error : { message: String(error), hint: "" };
    return c.json({ message, hint }, isOrchError ? 400 : 500);
  });
  const server = await listening(app, port);
  const address = server.address();
  origin = `http://${LOOPBACK}:${typeof address === "object" ? address?.port : port}`;
  return {
    link: `${origin}/?key=${key}`,
    close: async () => {
      stopStreams();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const NO_KEY = "This page needs the link that `orch web` printed: it holds the key.";

/** A page of somebody else's can send requests here, and must not be obeyed; null: it is ours. */
function refusalOf(c: Context, origin: string): string | null {
  if (`http://${c.req.header("host")}` !== origin) return "not for this host";
  const from = c.req.header("origin");
  if (from !== undefined && from !== origin) return "not from this page";
  return c.req.method !== "GET" && from === undefined ? "not from this page" : null;
}

function isSame(given: string, key: string): boolean {
  const [a, b] = [given, key].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** All that the page is made of lies in two files; nothing is inline, and nothing comes from elsewhere. */
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
};

function addPage(app: App, assets: string): void {
  const asset = (name: string): string => readFileSync(join(assets, name), "utf8");
  const [script, style] = [asset("page.js"), asset("page.css")];
  app.get("/", (c) => c.html(SHELL));
  app.get("/page.js", (c) => c.body(script, 200, { "Content-Type": "text/javascript" }));
  app.get("/page.css", (c) => c.body(style, 200, { "Content-Type": "text/css" }));
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='5' fill='none' stroke='%233b82f6' stroke-width='3'/%3E%3C/svg%3E";
const SHELL = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>orch</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body><div id="page"></div></body>
</html>
`;

function addData(app: App, data: WebData): void {
  const after = (c: Context): number => Number(c.req.query("after") ?? 0) || 0;
  app.get("/api/runs", async (c) => c.json(await data.runs()));
  app.get("/api/runs/:run", async (c) => c.json(await data.run(c.req.param("run"))));
  app.get("/api/runs/:run/tasks/:task", async (c) =>
    c.json(await data.task(c.req.param("run"), c.req.param("task"))),
  );
  app.get("/api/runs/:run/log", async (c) =>
    c.json(await data.log(c.req.param("run"), c.req.query("task") ?? "", after(c))),
  );
  app.get("/api/runs/:run/diff", async (c) =>
    c.json(await data.diff(c.req.param("run"), c.req.query("task") ?? "")),
  );
  app.get("/api/stats", async (c) =>
    c.json(await data.stats(c.req.query("since") ?? "30d", c.req.query("by") ?? "")),
  );
  const tooLong = (c: Context) => c.json({ message: "the answer is too long", hint: "" }, 413);
  app.post("/api/answer", bodyLimit({ maxSize: BODY_BYTES_MAX, onError: tooLong }), async (c) => {
    const given = answerIn(await c.req.json().catch(() => null));
    if (given === null) return c.json({ message: "this is no answer", hint: "" }, 400);
    return c.json({ next: await data.answer(given) });
  });
}

function answerIn(body: Partial<Record<keyof AnswerGiven, unknown>> | null): AnswerGiven | null {
  const { run, question, action, text } = body ?? {};
  if (typeof run !== "string" || typeof question !== "string") return null;
  if (typeof action !== "string" || typeof text !== "string") return null;
  return { run, question, action, text };
}

/** A browser that takes longer than this to read is let go: it comes back by itself. */
const READ_MS_MAX = 3_000;
/** For proxies and sleeping machines: a sign of life. */
const BEAT_MS = 15_000;

/** Each message is the whole picture, so that one that comes back after a cut has missed nothing. */
function addLive(app: App, data: WebData): () => void {
  const streams = new Set<() => void>();
  app.get("/api/live", (c) =>
    streamSSE(c, async (stream) => {
      let newest: readonly LiveRun[] | null = null;
      let wake: () => void = () => undefined;
      const over = new AbortController();
      const end = (): void => {
        over.abort();
        stop();
        streams.delete(end);
        // What is not read would be waited for as long as the browser lives.
        c.env.outgoing.destroy();
        wake();
      };
      const stop = data.live((runs) => {
        newest = runs;
        wake();
      });
      streams.add(end);
      stream.onAbort(end);
      while (!over.signal.aborted) {
        const runs: readonly LiveRun[] | null = newest;
        newest = null;
        const message =
          runs === null ? { event: "beat", data: "" } : { data: JSON.stringify(runs) };
        const late = setTimeout(end, READ_MS_MAX);
        await stream.writeSSE(message);
        clearTimeout(late);
        if (newest === null && !over.signal.aborted)
          await sleep(BEAT_MS, (woken) => (wake = woken));
      }
    }),
  );
  return () => streams.forEach((end) => end());
}

function sleep(ms: number, wakes: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wakes(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function listening(app: App, port: number): Promise<Server> {
  const server = serve({ fetch: app.fetch, hostname: LOOPBACK, port });
  if (!("closeAllConnections" in server)) throw new Error("not a server of HTTP/1.1");
  try {
    await once(server, "listening");
  } catch (error) {
    throw new OrchError(
      "usage",
      `nothing can listen on port ${port}: ${error instanceof Error ? error.message : String(error)}`,
      "another `orch web` may be open; name another one: --port 0 takes any that is free",
      { cause: error },
    );
  }
  return server;
}
