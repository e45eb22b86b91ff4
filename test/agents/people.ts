// What does a person at a shell do with the built orch, and what do they see?

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { onTestFinished } from "vitest";

import { readLog, requireLog } from "../../src/adapters/log/event-log.ts";
import { runFiles, type RunFiles } from "../../src/adapters/log/run-files.ts";
import type { EventType, Recorded } from "../../src/core/model/event.ts";
import { idOf, type RunId } from "../../src/core/model/ids.ts";
import type { RunResult } from "../../src/core/views/run-view.ts";
import { toolResults, type Turn } from "../support/messages-server.mjs";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { PROGRAM } from "../support/run-orch.ts";
import { useProjects, type Event, type Project } from "./runs.ts";

/** What a command came to. */
export interface Typed {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Both streams, in the order in which they were written. */
  readonly shown: string;
}

/** Somebody with a shell in the project's folder. What they see is printed when the test is over. */
export interface Person extends Project {
  /** A line of the shell to its end. No terminal: nothing can be typed into it. */
  readonly types: (line: string, env?: Environment) => Promise<Typed>;
  /** A line of the shell in a window that can be typed into, and closed. */
  readonly opens: (line: string) => Window;
  /** Into the printed transcript. */
  readonly notes: (words: string) => void;
  /** From now on every program of Node.js begins so much later. */
  readonly waits: (ms: number) => void;
  /** The files of the only run. */
  readonly files: () => RunFiles;
  readonly recorded: () => readonly Recorded[];
  readonly events: <T extends EventType>(type: T) => readonly Event<T>[];
  readonly result: () => RunResult;
}

export interface Window extends Terminal {
  /** The window's last line, with its exit code. */
  readonly closed: Promise<number | null>;
}

type Environment = Readonly<Record<string, string>>;
type Arguments = Parameters<ReturnType<typeof useProjects>>;

/** For one test file: projects with a person in them. */
export function usePeople(): (...given: Arguments) => Promise<Person> {
  const project = useProjects();
  return async (...given) => personIn(await project(...given));
}

function personIn(project: Project): Person {
  const { tree, root } = project;
  const bin = writeShim(root);
  const seen: string[] = [];
  let shiftMs = 0;
  onTestFinished(() => console.log(transcript(seen.join("\n"), project)));
  const environment = (more: Environment = {}): Record<string, string> => ({
    ...project.env,
    PATH: `${bin}:${project.env["PATH"] ?? ""}`,
    ...moved(shiftMs),
    ...more,
  });
  const files = (): RunFiles => onlyRun(tree);
  const recorded = (): readonly Recorded[] => requireLog(files().log, readLog(files().log)).events;
  return {
    ...project,
    files,
    recorded,
    notes: (words) => void seen.push(`[${words}]`),
    waits: (ms) => {
      shiftMs += ms;
      seen.push(`[${ms / HOUR_MS} hours later]`);
    },
    types: async (line, env) => {
      const ended = await typed(line, { cwd: tree, env: environment(env) });
      seen.push(`$ ${line}`, ended.shown.trimEnd(), `[exit code ${exitWords(ended)}]`);
      return ended;
    },
    opens: (line) => opened(line, { cwd: tree, env: environment(), seen }),
    events: (type) => recorded().flatMap(({ event }) => (isOf(event, type) ? [event] : [])),
    result: () => JSON.parse(readFileSync(files().result, "utf8")),
  };
}

const HOUR_MS = 3_600_000;
const SHIFT_CLOCK = join(import.meta.dirname, "../support/shift-clock.mjs");
const DIE_AFTER = join(import.meta.dirname, "../support/die-after.mjs");

function moved(shiftMs: number): Environment {
  if (shiftMs === 0) return {};
  return { NODE_OPTIONS: `--import=${SHIFT_CLOCK}`, ORCH_TEST_SHIFT_MS: String(shiftMs) };
}

/** The environment of a command that is killed as soon as it has recorded such an event. */
export function diesAfter(kind: EventType): Environment {
  return { NODE_OPTIONS: `--import=${DIE_AFTER}`, ORCH_TEST_DIE_AFTER: kind };
}

/** As an installation would put it there. */
function writeShim(root: string): string {
  const bin = join(root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "orch"), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(join(bin, "orch"), 0o755);
  return bin;
}

interface Shell {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

function typed(line: string, { cwd, env }: Shell): Promise<Typed> {
  const child = spawn("/bin/sh", ["-c", `exec 2>&1; exec ${line}`], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode, signal) => resolve({ exitCode, signal, shown }));
  });
}

function opened(line: string, { cwd, env, seen }: Shell & { readonly seen: string[] }): Window {
  const words = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  // What the child's own shell adds stays out; a terminal without colours is easier to read here.
  const terminal = openTerminal(
    `cd '${cwd}'; exec env -i TERM=xterm NO_COLOR=1 ${words.join(" ")} ${line}`,
  );
  const closed = terminal.ended.then((exitCode) => {
    seen.push(`$ ${line}`, screenOf(terminal.shown()), `[exit code ${exitCode ?? "none"}]`);
    return exitCode;
  });
  return { ...terminal, closed };
}

function onlyRun(tree: string): RunFiles {
  const [id, ...others] = readdirSync(join(tree, ".orch/runs"));
  if (id === undefined || others.length > 0) throw new Error("expected one run");
  return runFiles(tree, idOf<RunId>(id));
}

function isOf<T extends EventType>(event: Recorded["event"], type: T): event is Event<T> {
  return event.type === type;
}

function exitWords({ exitCode, signal }: Typed): string {
  return signal ?? String(exitCode);
}

/** Every request in which a call has a result, with the result's words. */
export function resultsOf({ server }: Project, id: string): readonly string[] {
  return server.requests.flatMap(({ body }) =>
    toolResults(body).flatMap((one) => (one.id === id ? [one.text] : [])),
  );
}

/** What the agent was told as the result of a call, without the reminder after it. */
export function told(project: Project, call: string): readonly string[] {
  return resultsOf(project, call).map((text) => text.split("\n", 1)[0] ?? "");
}

/** The pairs on record, whoever answered. */
export function history(person: Person): readonly (readonly [question: string, answer: string])[] {
  return person
    .result()
    .tasks.flatMap((task) =>
      task.interactionHistory.map(({ question, answer }) => [question.question, answer.text]),
    );
}

/** The tool by which an agent asks. */
export const ASK = "mcp__orch__ask_human";

/** A turn in which the agent uses tools, each call under the id by which its result is found. */
export function calls(...tools: readonly (readonly [id: string, name: string, input: object])[]) {
  return { tools: tools.map(([id, name, input]) => ({ id, name, input })) } satisfies Turn;
}

/** What a terminal still shows of what was written to it: a line that was drawn anew counts once. */
function screenOf(written: string): string {
  return stripVTControlCharacters(written)
    .split("\n")
    .map((line) => line.replace(/\r+$/, "").split("\r").at(-1) ?? "")
    .join("\n");
}

/** The same on every machine and at every time, and short where it is for programs. */
function transcript(text: string, { root, tree }: Project): string {
  const lines = text
    .replaceAll(tree, "<project>")
    .replaceAll(root, "<root>")
    .replace(/\b\d{8}-\d{4,6}-[\w-]+/g, "<run>")
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<id>")
    .replace(/\b\d{2}:\d{2}:\d{2}\b/g, "<time>")
    .replace(/\b\d{4}-\d{2}-\d{2}[ T]<time>(\.\d+Z)?/g, "<moment>")
    .replace(/\b\d+(?:\.\d+)? ?(?:ms|s)\b/g, "<n> s")
    .replace(/\b[0-9a-f]{10}\b/g, "<commit>")
    .replace(/\(root\)/g, "(<user>)")
    .split("\n")
    .map((line) => (line.startsWith('{"') ? shortJson(line) : line));
  return ["", ...lines, ""].map((line) => `  | ${line}`).join("\n");
}

/** Of an event its kind; of the result what this is about. */
function shortJson(line: string): string {
  const value: Pick<RunResult, "exitCode" | "tasks"> & { readonly type: string } = JSON.parse(line);
  if (value.type !== "result") return `{ "type": "${value.type}", … }`;
  const tasks = value.tasks.map(({ id, end, assumptions, unasked }) => ({
    id,
    end,
    assumptions,
    unasked,
  }));
  return JSON.stringify({ type: value.type, exitCode: value.exitCode, tasks });
}
