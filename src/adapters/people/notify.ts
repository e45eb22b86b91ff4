// How are people notified that a question waits or the run is over?

import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { clip, excerpt, inert, oneLine } from "../../core/model/excerpt.ts";
import type { NotifySettings } from "../../core/model/settings.ts";
import { gateEnvironment } from "../environment.ts";
import { post } from "../http-post.ts";
import { createTail } from "../process/output-lines.ts";
import { runProcess } from "../process/process.ts";
import { createRedactor, redactDeep, type Redact } from "../redact.ts";
import { desktopLine, messageOf, PAYLOADS, type Notice } from "./targets.ts";

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
  /** For the command, and for each try of the address. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const AGAIN_AFTER_MS = 1_000;
const STOP_GRACE_MS = 1_000;
const TROUBLE_CHARS_MAX = 400;
const ERROR_TAIL_BYTES = 8 * 1024;
const ERROR_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 2_000;
const ROWS_MAX = 50;
/** A change that breaks readers raises it. */
const RECORD_VERSION = 1;

/** Where a command finds the short of the record. */
const VARIABLES = {
  ORCH_NOTIFY: "type",
  ORCH_RUN: "run",
  ORCH_TASK: "task",
  ORCH_QUESTION_ID: "id",
  ORCH_QUESTION: "question",
  ORCH_EXIT_CODE: "exitCode",
  ORCH_TITLE: "title",
  ORCH_TEXT: "text",
} as const;

/**
 * Sends a notice to every configured channel at once, and resolves when each has it or gave up.
 *
 * Never rejects. Stops the command and the request when `signal` aborts.
 */
export function notify(
  notice: Notice,
  given: NotifierOptions,
  signal: AbortSignal,
): Promise<readonly Delivery[]> {
  const { command, url, header, to, chat } = given.settings;
  const secret = header === null ? undefined : given.env[header.variable]?.trim();
  const hideHeader = createRedactor({}, secret === undefined ? [] : [secret]);
  const options = { ...given, redact: (text: string) => hideHeader(given.redact(text)) };
  const record = recordOf(notice, options);
  const written = to === null || url === null ? null : PAYLOADS[to]?.(record, { url, chat });
  const commands = [command, to === "desktop" ? desktopLine(process.platform) : null];
  const deliver = async (
    channel: Delivery["channel"],
    sent: Promise<string | null>,
  ): Promise<Delivery> => {
    const trouble = await sent.catch((error) => `it failed: ${String(error)}`);
    const words = trouble === null ? null : excerpt(options.redact(trouble), TROUBLE_CHARS_MAX);
    return { channel, trouble: words };
  };
  return Promise.all([
    ...commands
      .filter((line) => line !== null)
      .map((line) => deliver("command", runCommand(line, record, options, signal))),
    ...(url === null
      ? []
      : [deliver("url", postJson(written ?? { url, body: record }, options, signal))]),
  ]);
}

type Fields = Readonly<Record<string, unknown>>;
type NoticeRecord = Fields & ReturnType<typeof messageOf>;

/** Without secrets, and without what a terminal would obey. */
function recordOf(notice: Notice, { root, redact }: NotifierOptions): NoticeRecord {
  const safe = (text: string): string => clip(redact(inert(text)), TEXT_CHARS_MAX);
  const about = { version: RECORD_VERSION, type: notice.type, project: basename(root) };
  const record = { ...about, ...(notice.type === "question" ? asked(notice) : ended(notice)) };
  const fields = Object.entries(record).map(([key, value]) => [
    key,
    redactDeep(value, safe, () => false),
  ]);
  return { ...Object.fromEntries(fields), ...messageOf(notice, safe) };
}

function asked({ run, question, answerWith }: Extract<Notice, { type: "question" }>): Fields {
  const { toolUseId: _ofTheAgent, budget: _inTheQuestion, ...rest } = question;
  const [options, context] = [rest.options.slice(0, ROWS_MAX), rest.context.slice(0, ROWS_MAX)];
  return { run, ...rest, options, context, answerWith };
}

function ended({ result }: Extract<Notice, { type: "end" }>): Fields {
  const { run, outcome, exitCode } = result;
  const tasks = result.tasks
    .slice(0, ROWS_MAX)
    .map(({ id, title, phase, reason }) => ({ task: id, title, phase, reason }));
  return { run, outcome, exitCode, tasks, tasksOmitted: result.tasks.length - tasks.length };
}

/** The user's own line for the system shell; nothing is ever put into it. */
async function runCommand(
  line: string,
  record: NoticeRecord,
  { root, env, redact, timeoutMs = TIMEOUT_MS }: NotifierOptions,
  signal: AbortSignal,
): Promise<string | null> {
  const variables = Object.entries(VARIABLES).flatMap(([name, key]) =>
    key in record ? [[name, excerpt(String(record[key]), TEXT_CHARS_MAX)]] : [],
  );
  const tail = createTail(ERROR_TAIL_BYTES);
  const end = await runProcess(
    {
      program: { kind: "shell", line },
      cwd: root,
      env: gateEnvironment(env, Object.fromEntries(variables)),
      input: `${JSON.stringify(record)}\n`,
      marker: `notify-${randomUUID()}`,
      timeoutMs,
      stop: [{ signal: "SIGTERM", graceMs: STOP_GRACE_MS }],
      onStdout: () => {},
      onStderr: tail.add,
    },
    signal,
  );
  if (end.kind === "not-started") return `the command could not be started: ${end.detail}`;
  if (end.cause === "timed-out")
    return `the command did not end within ${timeoutMs} ms and was ended`;
  if (end.cause !== "self") return "orch stopped before the command ended";
  if (end.exitCode === 0) return null;
  // What went wrong stands at the end.
  const lastWords = oneLine(inert(redact(tail.text()))).slice(-ERROR_CHARS_MAX);
  return `the command ended with ${end.exitCode === null ? end.signal : `exit code ${end.exitCode}`}: ${lastWords}`;
}

/** Tries once more where it may help. Never names the path or the header: both may be secrets. */
async function postJson(
  { url, body }: { readonly url: string; readonly body: object },
  options: NotifierOptions,
  signal: AbortSignal,
): Promise<string | null> {
  const headers = headersOf(options);
  if (typeof headers === "string") return `${headers}; nothing was sent`;
  const { host } = new URL(url);
  const { timeoutMs = TIMEOUT_MS } = options;
  const request = { headers, body: JSON.stringify(body), timeoutMs, signal };
  let failure = await post(url, request);
  const { status = 200 } = failure ?? {};
  if ((status === 0 || status === 429 || status >= 500) && !signal.aborted) {
    // Rejects only because of the signal, which the next try sees.
    await sleep(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
    failure = await post(url, request);
  }
  if (failure === null) return null;
  return signal.aborted ? `orch stopped before ${host} answered` : `${host} ${failure.why}`;
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
