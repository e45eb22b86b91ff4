// How does a driver run its program, from its environment to its ending?

import { dirname, join } from "node:path";
import type { Writable } from "node:stream";

import { UNCONFINED, type Confine, type Confined } from "../adapters/process/confine.ts";
import { runProcess, type ProcessEnd, type ProcessRequest } from "../adapters/process/process.ts";
import { redactDeep, redactStream, type Redact } from "../adapters/redact.ts";
import { assertNever } from "../core/model/assert.ts";
import { clip } from "../core/model/excerpt.ts";
import { isObject, type JsonObject } from "../core/model/json.ts";
import type { KnownAgent } from "../core/model/known-agents.ts";
import type { PriceTable } from "../core/model/settings.ts";
import { withWords, type SessionEnding, type SessionEvent } from "../core/model/session.ts";
import type { SessionRequest } from "../engine/ports.ts";
import { crashed } from "./ending.ts";
import { openOwnHome, type OwnHome } from "./own-home.ts";
import { openSessionLogs } from "./session-logs.ts";
import { createTail, readJsonLines, splitLines } from "../adapters/process/output-lines.ts";

/** What every driver is given by the one who creates it. */
export interface DriverDeps {
  /** Environment that agents start from in a tree; the agent's own `env` is added to it. */
  readonly env: (tree: string) => Readonly<Record<string, string>>;
  readonly confine: Confine;
  /** Makes text safe to write. */
  readonly redact: Redact;
  readonly prices: PriceTable;
  /** How a session is asked to end; `STOP_STEPS` unless a test is in a hurry. */
  readonly stop: ProcessRequest["stop"];
}

/** Interrupt, 5 s, terminate, 5 s; a kill of the whole tree follows. */
export const STOP_STEPS: ProcessRequest["stop"] = [
  { signal: "SIGINT", graceMs: 5_000 },
  { signal: "SIGTERM", graceMs: 5_000 },
];

export interface SessionProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** All of its standard input; or who speaks with the program while it runs; null: none. */
  readonly input: string | Dialogue | null;
  /** What it prints are words, and no records of its own. */
  readonly isPlain?: boolean;
  /** What it needs besides its tree, where it is confined. */
  readonly needs?: Pick<Confined, "read" | "write">;
  /** What is known of the agent it is; null, or nothing: it has no home of the user's. */
  readonly preset?: KnownAgent | null;
  /** What one of its records tells. */
  take(event: JsonObject): readonly SessionEvent[];
}

/** What orch and the program say to each other over its standard streams, beside the session. */
export interface Dialogue {
  /** Its standard input is open, and stays so until the dialogue ends it. */
  begin(input: Writable): void;
  /** What of the message belongs to the session and its logs; the rest is between the two. */
  take(message: object): readonly object[];
  /** The same of what is still open where the output ends. */
  rest?(): readonly object[];
}

export interface SessionRun {
  readonly request: SessionRequest;
  readonly program: SessionProgram;
  readonly deps: DriverDeps;
}

export interface ProgramEnd {
  readonly end: ProcessEnd;
  /** The last of what it printed as errors. */
  readonly errorTail: string;
}

/** Longer texts go to the logs whole and to those who watch in part. */
const EVENT_CHARS_MAX = 16_000;
const COMMAND_CHARS_MAX = 500;

/** Runs the program of a session: its output goes to the logs, and as events to who watches. Never rejects. */
export async function runSession(
  { request, program, deps }: SessionRun,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  const logs = openSessionLogs(request.attemptDir);
  const emit = (event: SessionEvent): void => {
    logs.event(event);
    request.onEvent(withWords(event, (words) => clip(words, EVENT_CHARS_MAX)));
  };
  const { input } = program;
  const commandLine = deps.redact([program.file, ...program.args].join(" "));
  const tail = createTail();
  const stdout = readRedacted({ request, program, deps }, logs, emit);
  const stderr = splitLines((text) => {
    tail.add(Buffer.from(`${text}\n`));
    if (text.trim() !== "") emit({ type: "note", text: `stderr: ${text}` });
  });
  const words = program.isPlain === true ? redacted(deps.redact, stdout) : stdout;
  const errors = redacted(deps.redact, stderr);
  const preset = deps.confine === UNCONFINED ? null : (program.preset ?? null);
  const home = preset && openOwnHome(preset, program.env, request.attemptDir);
  const end = await runProcess(
    {
      program: { kind: "program", file: program.file, args: program.args },
      confinement: confinementOf({ request, program, deps }, home),
      cwd: request.cwd,
      env: program.env,
      input: typeof input === "string" || input === null ? input : (open) => input.begin(open),
      marker: request.token,
      timeoutMs: request.limits.sessionMs,
      idleMs: request.limits.idleMs,
      stop: deps.stop,
      onStdout: (chunk) => words.write(chunk),
      onStderr: (chunk) => errors.write(chunk),
      onSpawn: (identity) => request.onSpawn(identity, clip(commandLine, COMMAND_CHARS_MAX)),
    },
    signal,
  );
  await home?.close();
  for (const output of [words, errors]) output.end();
  logs.close();
  return { end: startedOrNot(end, tail.text()), errorTail: tail.text() };
}

/** All that a session says is redacted here, before any of it is cut: half a secret is known for none. */
function readRedacted(
  { program, deps: { redact } }: SessionRun,
  logs: ReturnType<typeof openSessionLogs>,
  emit: (event: SessionEvent) => void,
) {
  const dialogue = typeof program.input === "object" ? program.input : null;
  const say = (text: string): void => {
    if (program.isPlain === true) emit({ type: "text", text });
    else if (text.trim() !== "") emit({ type: "note", text });
  };
  const pass = (message: object, line: string | null): void => {
    const text = line ?? JSON.stringify(message);
    const safe = redact(text);
    logs.raw(safe);
    const words = safe === text ? message : redactDeep(message, redact, () => false);
    if (program.isPlain === true) say(safe);
    else if (isObject(words)) for (const event of program.take(words)) emit(event);
  };
  const output = readJsonLines({
    onJson: (value, text) => {
      const messages = dialogue === null ? [value] : dialogue.take(value);
      for (const message of messages) pass(message, message === value ? text : null);
    },
    onText: (text) => {
      const safe = redact(text);
      logs.raw(JSON.stringify({ type: "text", text: safe }));
      say(safe);
    },
  });
  const end = (): void => {
    output.end();
    for (const message of dialogue?.rest?.() ?? []) pass(message, null);
  };
  return { write: (chunk: Buffer) => output.write(chunk), end };
}

type Lines = ReturnType<typeof splitLines>;

/** Lines are told one by one: a secret that goes over two of them is seen only before. */
function redacted(redact: Redact, lines: Lines): Lines {
  const stream = redactStream(redact);
  return {
    write: (chunk) => lines.write(Buffer.from(stream.write(chunk))),
    end: () => {
      lines.write(Buffer.from(stream.end()));
      lines.end();
    },
  };
}

/** What bwrap itself says of a program that it could not start. */
function startedOrNot(end: ProcessEnd, errors: string): ProcessEnd {
  const isRefusal = end.kind === "ended" && end.exitCode === 1 && /^bwrap: [^\n]*\n?$/.test(errors);
  return isRefusal ? { kind: "not-started", why: "refused", detail: errors.trim() } : end;
}

function confinementOf(
  { request, program, deps }: SessionRun,
  home: OwnHome | null,
): readonly string[] {
  const { file, env, needs = {} } = program;
  const channel = join(request.attemptDir, request.token);
  const read = [...(needs.read ?? []), ...(home?.needs.read ?? []), channel];
  const write = [...(needs.write ?? []), dirname(request.reportPath)];
  const inPlace = home?.needs.inPlace ?? [];
  const { cwd } = request;
  return deps.confine({ who: "agent", cwd, env, program: file, inPlace, read, write });
}

/** The agent's environment: where to leave the report, and what it is working on. */
export function sessionEnvironment(
  request: SessionRequest,
  base: Readonly<Record<string, string>>,
  configured: Readonly<Record<string, string>>,
): Record<string, string> {
  const { names } = request;
  return {
    ...base,
    ...configured,
    ...request.variables,
    ORCH_REPORT: request.reportPath,
    ORCH_RUN: names.run,
    ORCH_TASK: names.task,
    ORCH_STEP: names.step,
    ORCH_ATTEMPT: names.attempt,
  };
}

/**
 * How the session stopped. What orch did to the process outranks what the agent said of itself
 * before; an ending of the agent's own outranks its exit code.
 */
export function endingOf(
  end: ProcessEnd,
  declared: SessionEnding | null,
  errorTail: string,
): SessionEnding {
  if (end.kind === "not-started")
    return { kind: "not-started", reason: end.why, detail: end.detail };
  switch (end.cause) {
    case "aborted":
      return { kind: "interrupted" };
    case "timed-out":
      return { kind: "timed-out", limit: "session" };
    case "idle":
      return { kind: "timed-out", limit: "idle" };
    case "unguarded":
      return crashed({ exitCode: null, signal: null }, UNGUARDED);
    case "self":
      if (declared !== null) return declared;
      if (end.exitCode === 0) return { kind: "finished" };
      return crashed(end, errorTail);
    default:
      return assertNever(end.cause, "cause");
  }
}

const UNGUARDED =
  "orch ended the session: the process that guards it was killed repeatedly, or could not be restarted";

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
