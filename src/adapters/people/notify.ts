// How are people notified that a question waits or the run is over?

import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { assertNever } from "../../core/model/assert.ts";
import { excerpt, inert } from "../../core/model/excerpt.ts";
import type { NotifySettings } from "../../core/model/settings.ts";
import { gateEnvironment } from "../environment.ts";
import { causeCode } from "../files/disk.ts";
import { createTail } from "../process/output-lines.ts";
import { runProcess, type ProcessEnd } from "../process/process.ts";
import { createRedactor, type Redact } from "../redact.ts";
import { noticeRecord, type Notice, type NoticeRecord } from "./notify-record.ts";

/** What became of a notice on one channel. */
export interface Delivery {
  readonly channel: "command" | "url";
  /** null: it arrived. Otherwise one line, without secrets. */
  readonly trouble: string | null;
}

export interface NotifierOptions {
  readonly settings: NotifySettings;
  /** Absolute; the repository's root. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly redact: Redact;
  /** Of orch. */
  readonly version: string;
  /** Waits between two tries; rejects when `signal` aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const TROUBLE_CHARS_MAX = 400;
/** A shorter value would be found in words that have nothing to do with it. */
const SECRET_CHARS_MIN = 6;
const STOP_GRACE_MS = 1_000;
const ERROR_TAIL_BYTES = 8 * 1024;
const ERROR_CHARS_MAX = 200;
/** Between the first and the second try, and between the second and the third. */
const PAUSES_MS = [1_000, 3_000] as const;

/** Delivers one notice; null: it arrived. */
type Channel = (record: NoticeRecord, signal: AbortSignal) => Promise<string | null>;

export function createNotifier(given: NotifierOptions) {
  const { command, url, header } = given.settings;
  const secret = header === null ? "" : (given.env[header.variable]?.trim() ?? "");
  const own = secret.length < SECRET_CHARS_MIN ? null : createRedactor({}, [secret]);
  const redact: Redact = (text) => own?.(given.redact(text)) ?? given.redact(text);
  const options = { ...given, redact };
  const channels: (readonly [Delivery["channel"], Channel])[] = [];
  if (command !== null) channels.push(["command", commandChannel(command, options)]);
  if (url !== null) channels.push(["url", urlChannel(url, options)]);
  return {
    /**
     * Tells every configured channel at once, and resolves when each has been told or given up.
     *
     * Never rejects. Stops the command and the tries when `signal` aborts.
     */
    tell(notice: Notice, signal: AbortSignal): Promise<readonly Delivery[]> {
      const record = noticeRecord(notice, basename(given.root), redact);
      const told = channels.map(async ([channel, deliver]): Promise<Delivery> => {
        const words = await deliver(record, signal).catch((error) => `it failed: ${String(error)}`);
        const trouble = words === null ? null : excerpt(redact(words), TROUBLE_CHARS_MAX);
        return { channel, trouble };
      });
      return Promise.all(told);
    },
  };
}

/** The user's own line for the system shell; nothing is ever put into it. */
function commandChannel(command: string, options: NotifierOptions): Channel {
  const { root, env, redact, settings } = options;
  return async ({ json, variables }, signal) => {
    const tail = createTail(ERROR_TAIL_BYTES);
    const end = await runProcess(
      {
        program: { kind: "shell", line: command },
        cwd: root,
        env: gateEnvironment(env, variables),
        input: `${json}\n`,
        marker: `notify-${randomUUID()}`,
        timeoutMs: settings.timeoutMs,
        idleMs: null,
        stop: [{ signal: "SIGTERM", graceMs: STOP_GRACE_MS }],
        onStdout: () => {},
        onStderr: tail.add,
        onSpawn: () => Promise.resolve(),
      },
      signal,
    );
    // The last words, on one line: what went wrong stands at the end.
    const plain = inert(redact(tail.text())).replace(/\s+/g, " ").trim();
    const words = plain.length <= ERROR_CHARS_MAX ? plain : `…${plain.slice(1 - ERROR_CHARS_MAX)}`;
    return troubleOf(end, settings.timeoutMs, words === "" ? "" : `: ${words}`);
  };
}

function troubleOf(end: ProcessEnd, timeoutMs: number, said: string): string | null {
  if (end.kind === "not-started") return `the command could not be started: ${end.detail}`;
  switch (end.cause) {
    case "self":
      if (end.exitCode === 0) return null;
      return end.exitCode === null
        ? `the command was ended by ${end.signal ?? "a signal"}${said}`
        : `the command ended with exit code ${end.exitCode}${said}`;
    case "timed-out":
    case "idle":
      return `the command did not end within ${timeoutMs} ms and was ended${said}`;
    case "aborted":
    case "unguarded":
      return "orch stopped before the command ended";
    default:
      return assertNever(end.cause, "cause");
  }
}

/** Never names the path or the header: both may be secrets. */
function urlChannel(url: string, options: NotifierOptions): Channel {
  const pause = options.pause ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  const { host } = new URL(url);
  return async ({ json: body }, signal) => {
    const headers = headersOf(options);
    if (typeof headers === "string") return `${headers}; nothing was sent`;
    for (let tries = 1; ; tries++) {
      const tried = await post(url, { headers, body }, options.settings.timeoutMs, signal);
      if (signal.aborted) return `orch stopped before ${host} answered`;
      if (tried === null) return null;
      const pauseMs = tried.again ? PAUSES_MS[tries - 1] : undefined;
      if (pauseMs === undefined)
        return `${host} ${tried.why}${tries > 1 ? `, ${tries} times` : ""}`;
      // Rejects only because of the signal, which the next try sees.
      await pause(pauseMs, signal).catch(() => undefined);
    }
  };
}

/** null: it arrived. */
async function post(
  url: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<{ readonly why: string; readonly again: boolean } | null> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      ...message,
      method: "POST",
      // The next address was chosen by nobody here, and must not get the secret.
      redirect: "manual",
      signal: AbortSignal.any([signal, late]),
    });
    // Nobody reads the answer, and nobody waits for the rest of it.
    await response.body?.cancel().catch(() => undefined);
    const { ok, status } = response;
    const redirects = status >= 300 && status < 400 ? ", and redirects are not followed" : "";
    return ok
      ? null
      : { why: `answered ${status}${redirects}`, again: status === 429 || status >= 500 };
  } catch (error) {
    const why = late.aborted
      ? `did not answer within ${timeoutMs} ms`
      : `could not be reached (${causeCode(error)})`;
    return { why, again: true };
  }
}

/** A sentence where the secret is missing or cannot be sent. */
function headersOf({
  settings: { header },
  env,
  version,
}: NotifierOptions): Readonly<Record<string, string>> | string {
  const standard = { "content-type": "application/json", "user-agent": `orch/${version}` };
  if (header === null) return standard;
  const secret = env[header.variable]?.trim() ?? "";
  if (secret === "") return `the variable ${header.variable} is not set`;
  // What fetch says of such a value quotes it.
  if (!/^[\t\u0020-\u007e]+$/.test(secret))
    return `the value of ${header.variable} cannot stand in a header`;
  return { ...standard, [header.name]: secret };
}
