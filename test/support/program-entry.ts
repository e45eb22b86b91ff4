// The program as a function, for tests that run it in their own process: as `src/cli.ts`, whose rest
// ends the process.

import { printJson, type CliIo } from "../../src/cli/io.ts";
import { runProgram } from "../../src/cli/command-line/program.ts";
import { errorLine, renderError } from "../../src/cli/render/error.ts";

export async function runInProcess(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    return await runProgram(argv, io);
  } catch (error) {
    const { text, exitCode } = renderError(error);
    io.stderr.write(`${text}\n`);
    if (argv.includes("--json")) printJson(io, JSON.stringify(errorLine(error, exitCode)));
    return exitCode;
  }
}
