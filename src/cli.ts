#!/usr/bin/env node
// The program: what does this process do, and with which code does it end?

import * as nodeModule from "node:module";
import { setFlagsFromString } from "node:v8";

import { createRedactor } from "./adapters/redact.ts";
import { printJson, processIo, styleOf, exitNow, exitSoon } from "./cli/io.ts";
import { atWords } from "./cli/layout.ts";
import { runProgram } from "./cli/command-line/program.ts";
import { errorLine, renderError } from "./cli/render/error.ts";

// Absent on Node 20; from 22 on it saves a fifth of the start.
if ("enableCompileCache" in nodeModule && typeof nodeModule.enableCompileCache === "function")
  nodeModule.enableCompileCache();

const argv = process.argv.slice(2);
// Before the command's own modules: to load them lets the heap grow.
if (["run", "resume", "web"].includes(argv[0] ?? "")) keepHeapSmall();
const io = processIo();
/** What went wrong first; it decides the exit code. */
let failure: { readonly error: unknown; readonly exitCode: number } | null = null;

function fail(error: unknown): number {
  const { text, exitCode } = renderError(error);
  const redacted = createRedactor(process.env)(text);
  io.stderr.write(
    `${io.stderr.isTTY === true ? atWords(styleOf(io, "stderr"), redacted) : redacted}\n`,
  );
  failure ??= { error, exitCode };
  return exitCode;
}

function printFailure(): void {
  if (failure === null || !argv.includes("--json")) return;
  const line = JSON.stringify(errorLine(failure.error, failure.exitCode));
  printJson(io, createRedactor(process.env)(line));
}

/** A command is over when its output is with its readers. */
async function close(exitCode: number): Promise<void> {
  printFailure();
  await io.flushed();
  const lost = io.outputFault();
  // How a run came out matters more than that it could not be printed.
  const ofError = failure?.exitCode ?? exitCode;
  if (lost === null) return exitSoon(ofError);
  const instead = fail(lost);
  await io.flushed();
  exitSoon(ofError === 0 ? instead : ofError);
}

/** A bug, and a state that nobody thought of: nothing is done in it any more. */
function escaped(error: unknown): never {
  const exitCode = fail(error);
  printFailure();
  exitNow(exitCode);
}

/** No await at the top: programs are bundled as CommonJS, which Node.js starts a tenth faster. */
async function main(): Promise<void> {
  await close(await runProgram(argv, io).catch(fail));
}

// Until a command chose its code: a promise that nothing keeps alive ends the process in silence.
process.exitCode = 70;
process.on("uncaughtException", escaped);
void main();

/**
 * Left alone, the engine doubles the part of the heap for what is soon forgotten up to 32 MB (64 in
 * newer ones) while events stream by, lets the other part double too, and gives nothing back. Here
 * the first stays as large as it is by now, and the second is looked through after a quarter more.
 *
 * Both flags are read each time; the limits themselves can only be given when Node.js starts. An
 * engine that does not know a flag any more says so on standard error and goes on.
 */
function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=25");
}
