// What does the program print, and with which code does it end?

import { spawn } from "node:child_process";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { inject } from "vitest";

import type { OwnProgram } from "../../src/drivers/question-channel.ts";
import type { CliIo } from "../../src/cli/io.ts";
import type * as Program from "./program-entry.ts";

/** The program as users get it; `test/support/programs.ts` sees that it is there. */
export const PROGRAM = join(import.meta.dirname, "../../dist/cli.cjs");

/** How a driver's agent calls it. */
export const OWN_PROGRAM: OwnProgram = { node: process.execPath, cli: PROGRAM };

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

export interface RunOptions {
  readonly cwd: string;
  readonly columns?: number;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A program of `test/support/*-entry.ts` that plain Node runs. */
export function testProgram(name: string): string {
  return join(inject("programs"), `${name}.mjs`);
}

/** A command that starts no agent, in this process: forty times as fast as a process of its own. */
export async function orch(args: readonly string[], options: RunOptions): Promise<Ran> {
  const program: typeof Program = await import(testProgram("program-entry"));
  const written = { stdout: "", stderr: "" };
  const into = (name: keyof typeof written): Writable =>
    new Writable({
      decodeStrings: false,
      write: (text, _encoding, done) => {
        written[name] += String(text);
        done();
      },
    });
  const io: CliIo = {
    stdin: Readable.from([options.input ?? ""]),
    stdout: into("stdout"),
    stderr: into("stderr"),
    cwd: options.cwd,
    env: environment(options),
    readerGone: new AbortController().signal,
  };
  return { exitCode: await program.runInProcess(args, io), ...written };
}

/** The built program, as a process of its own. */
export function orchProcess(args: readonly string[], options: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: options.cwd,
      env: environment(options),
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ stdout, stderr, exitCode }));
    child.stdin.end(options.input ?? "");
  });
}

/** Nothing of the machine the tests run on reaches the program. */
export function environment({
  columns,
  env,
}: Pick<RunOptions, "columns" | "env">): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    // Trees of tasks lie there, and go with what the tests made.
    HOME: inject("programs"),
    TZ: "UTC",
    NO_COLOR: "1",
    ...(columns === undefined ? {} : { COLUMNS: String(columns) }),
    ...env,
  };
}
