// How do other programs start, follow, answer and read runs? By the commands, in processes of their own.

import { once } from "node:events";
import { join } from "node:path";

import { packageFolder } from "./adapters/project/package-folder.ts";
import type { Recorded, RunEvent } from "./core/model/event.ts";
import type { AnswerAction } from "./core/model/question.ts";
import type { RunHead, RunResult, RunView } from "./core/views/run-view.ts";
import { OrchError } from "./errors.ts";

/** A command's flags: `{ threshold: 0, withChanges: true }` is `--threshold=0 --with-changes`. */
export type Flags = Readonly<Record<string, string | number | boolean | undefined>>;

export interface StartOptions {
  /** A folder of the project. */
  readonly cwd: string;
  /** Task files by name or path, a folder of them, or the task itself in words. */
  readonly task: string | readonly string[];
  readonly flags?: Flags | undefined;
  /** Ends the run in order, as `orch stop` does; it can be resumed. */
  readonly signal?: AbortSignal | undefined;
}

export interface ResumeOptions extends Omit<StartOptions, "task"> {
  /** By default the one that `orch resume` takes. */
  readonly run?: string | undefined;
}

/** A run at work. It goes on where this process ends, and nobody has to read its events. */
export interface StartedRun {
  readonly id: string;
  /** From the first one on; whoever iterates again gets all of them again. */
  readonly events: AsyncIterable<EventLine>;
  /** How it came out, whatever the exit code. Rejects where it could not go on. */
  readonly ended: Promise<RunResult>;
  answer(answer: Omit<AnswerGiven, "run">): Promise<AnswerLeft>;
}

/** An event as it stands in the log. */
export type EventLine = Omit<Recorded, "event"> & { readonly run: string } & RunEvent;

export interface AnswerGiven {
  /** A part of its id is enough; by default any that waits. */
  readonly run?: string | undefined;
  /** Its id; needed where several wait. */
  readonly question?: string | undefined;
  /** As a person types it: a number picks an option. With an action, its words. */
  readonly text?: string | undefined;
  readonly action?: Exclude<AnswerAction, "expire"> | undefined;
  /** Who answers, for the record. */
  readonly by?: string | undefined;
}

export interface AnswerLeft extends Readonly<Record<"run" | "question" | "task" | "text", string>> {
  readonly action: AnswerAction;
  /** True: the run goes on with it. False: once it is resumed. */
  readonly runIsAlive: boolean;
}

/** As `orch run`. Resolves when the run has begun. */
export function startRun({ task, flags = {}, ...where }: StartOptions): Promise<StartedRun> {
  return started(["run", "--json", ...words(flags), "--", ...[task].flat()], where);
}

/** As `orch resume`. */
export function resumeRun({ run, flags = {}, ...where }: ResumeOptions): Promise<StartedRun> {
  return started(["resume", "--json", ...words(flags), "--", run], where);
}

/** All runs that can be read, newest first; rejects where there never was one. */
export async function listRuns(cwd: string): Promise<readonly RunHead[]> {
  return (await printed(["list", "--all", "--json"], cwd)).runs;
}

/** How a run stands. Without an id: the unfinished one, else the newest. */
export function readRun(cwd: string, id?: string): Promise<RunView> {
  return printed(["status", "--json", "--", id], cwd);
}

/** All that is recorded of a run, then what is added, until its process leaves it. */
export async function* followRun(
  cwd: string,
  id?: string,
  { signal }: Pick<StartOptions, "signal"> = {},
): AsyncGenerator<EventLine> {
  const args = ["log", "--follow", "--json", "--", id];
  for await (const line of linesOf(args, { cwd, signal })) yield JSON.parse(line);
}

/** As `orch answer`: the first answer counts. */
export function answerQuestion(cwd: string, answer: AnswerGiven): Promise<AnswerLeft> {
  const { run, by, question, text, action = "answer" } = answer;
  const isPlain = action === "answer";
  const flags = words({ run, by, [action]: isPlain ? undefined : (text ?? true) });
  const rest = [question, isPlain ? text : undefined];
  return printed(["answer", "--json", ...flags, "--", ...rest], cwd);
}

function words(flags: Flags): readonly string[] {
  return Object.entries(flags).flatMap(([name, value = false]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === false ? [] : [value === true ? flag : `${flag}=${value}`];
  });
}

type Where = Pick<StartOptions, "cwd" | "signal">;
/** What was not given is left out. */
type Args = readonly (string | undefined)[];

async function started(args: Args, { cwd, signal }: Where): Promise<StartedRun> {
  const lines = linesOf(args, { cwd, signal });
  const first = await lines.next();
  if (first.done === true) throw signal?.reason ?? new Error("orch began no run");
  const { run: id }: EventLine = JSON.parse(first.value);
  // Read at once: a full pipe would hold up the run.
  const ended = (async (): Promise<RunResult> => {
    let last = first.value;
    for await (const line of lines) last = line;
    return JSON.parse(last);
  })();
  // Whoever reads events alone is not ended by a run that could not go on.
  ended.catch(() => {});
  const events = { [Symbol.asyncIterator]: () => followRun(cwd, id) };
  return { id, events, ended, answer: (answer) => answerQuestion(cwd, { ...answer, run: id }) };
}

/** Its shape is what a program of this same package prints, and what the schemas beside it say. */
async function printed(args: Args, cwd: string) {
  let text = "";
  for await (const line of linesOf(args, { cwd })) text += line;
  return JSON.parse(text);
}

/** What a command prints, line by line. Throws the error that it tells; ends where `signal` ended it. */
async function* linesOf(args: Args, { cwd, signal }: Where): AsyncGenerator<string> {
  signal?.throwIfAborted();
  // Most who import this package write a config, and start nothing.
  const { spawn } = await import("node:child_process");
  const argv = [join(packageFolder(), "dist/cli.cjs"), ...args.filter((arg) => arg !== undefined)];
  const child = spawn(process.execPath, argv, { cwd, signal, stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close").catch((fault: unknown) => fault);
  let rest = "";
  try {
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      const lines = `${rest}${String(chunk)}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith('{"type":"error"')) throw faultIn(line);
        yield line;
      }
    }
    const fault = await closed;
    if (signal?.aborted === true) return;
    if (fault instanceof Error)
      throw new OrchError("usage", `cannot start in "${cwd}": ${fault.message}`, "name a folder");
    if (child.signalCode !== null)
      throw new OrchError("machine-fault", `${child.signalCode} ended orch`, "see `orch status`");
  } finally {
    child.kill(); // Where nobody reads on.
  }
}

function faultIn(line: string): OrchError {
  const { code, message, hint, exitCode } = JSON.parse(line);
  return new OrchError(code, message, hint, { exitCode });
}
