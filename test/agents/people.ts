// What does a person at a shell do with the built orch, and what do they see?

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readLog, requireLog } from "../../src/adapters/log/event-log.ts";
import { runFiles, type RunFiles } from "../../src/adapters/log/run-files.ts";
import type { EventType, Recorded } from "../../src/core/model/event.ts";
import { idOf, type RunId } from "../../src/core/model/ids.ts";
import type { RunResult } from "../../src/core/views/run-view.ts";
import { toolResults, type Turn } from "../support/messages-server.mjs";
import { PROGRAM } from "../support/run-orch.ts";
import { useProjects, type Event, type Project } from "./runs.ts";

/** What a command came to. */
export interface Typed {
  readonly exitCode: number | null;
  /** Both streams, in the order in which they were written. */
  readonly shown: string;
}

/** Somebody with a shell in the project's folder. */
export interface Person extends Project {
  /** A line of the shell to its end. No terminal: nothing can be typed into it. */
  readonly types: (line: string) => Promise<Typed>;
  /** Of the only run. */
  readonly recorded: () => readonly Recorded[];
  readonly events: <T extends EventType>(type: T) => readonly Event<T>[];
  readonly result: () => RunResult;
}

type Arguments = Parameters<ReturnType<typeof useProjects>>;

/** For one test file: projects with a person in them. */
export function usePeople(): (...given: Arguments) => Promise<Person> {
  const project = useProjects();
  return async (...given) => personIn(await project(...given));
}

function personIn(project: Project): Person {
  const { tree, root } = project;
  const env = { ...project.env, PATH: `${writeShim(root)}:${project.env["PATH"] ?? ""}` };
  const recorded = (): readonly Recorded[] => {
    const { log } = onlyRun(tree);
    return requireLog(log, readLog(log)).events;
  };
  return {
    ...project,
    recorded,
    types: (line) => typed(line, tree, env),
    events: (type) => recorded().flatMap(({ event }) => (isOf(event, type) ? [event] : [])),
    result: () => JSON.parse(readFileSync(onlyRun(tree).result, "utf8")),
  };
}

/** As an installation would put it there. */
function writeShim(root: string): string {
  const bin = join(root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "orch"), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(join(bin, "orch"), 0o755);
  return bin;
}

function typed(line: string, cwd: string, env: Record<string, string>): Promise<Typed> {
  const child = spawn("/bin/sh", ["-c", `exec 2>&1; exec ${line}`], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, shown }));
  });
}

function onlyRun(tree: string): RunFiles {
  const [id, ...others] = readdirSync(join(tree, ".orch/runs"));
  if (id === undefined || others.length > 0) throw new Error("expected one run");
  return runFiles(tree, idOf<RunId>(id));
}

function isOf<T extends EventType>(event: Recorded["event"], type: T): event is Event<T> {
  return event.type === type;
}

/** Every request in which a call has a result, with the result's words. */
export function resultsOf({ server }: Project, id: string): readonly string[] {
  return server.requests.flatMap(({ body }) =>
    toolResults(body).flatMap((one) => (one.id === id ? [one.text] : [])),
  );
}

/** The pairs on record, whoever answered. */
export function history(person: Person): readonly (readonly [question: string, answer: string])[] {
  return person
    .result()
    .tasks.flatMap((task) =>
      task.interactionHistory.map(({ question, answer }) => [
        question?.question ?? "",
        answer.text,
      ]),
    );
}

/** The tool by which an agent asks. */
export const ASK = "mcp__orch__ask_human";

/** A turn in which the agent uses tools, each call under the id by which its result is found. */
export function calls(...tools: readonly (readonly [id: string, name: string, input: object])[]) {
  return { tools: tools.map(([id, name, input]) => ({ id, name, input })) } satisfies Turn;
}
