// How does a person read what is longer than the window?

import { spawn } from "node:child_process";

import { inertButColored } from "../core/model/excerpt.ts";
import { type CliIo, printOut } from "./io.ts";

/** Through the person's pager where standard output is a terminal and a pager is there. */
export async function printPaged(io: CliIo, text: string): Promise<void> {
  const pager = io.env["GIT_PAGER"] ?? io.env["PAGER"] ?? "less";
  const isPlain = io.stdout.isTTY !== true || io.env["TERM"] === "dumb";
  if (isPlain || pager === "" || pager === "cat" || !(await paged(pager, text, io)))
    printOut(io, text);
}

/** False: the pager could not be started, and nothing was shown. */
function paged(pager: string, text: string, { env, cwd }: CliIo): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", pager], {
      // As git asks less: leave at the end of a short text, keep colours, keep the screen.
      env: { LESS: "FRX", ...env },
      cwd,
      stdio: ["pipe", "inherit", "inherit"],
    });
    child.once("error", () => resolve(false));
    // Without such a program the shell says so by this code, and has read nothing.
    child.once("close", (exitCode) => resolve(exitCode !== NO_SUCH_PROGRAM));
    child.stdin.on("error", () => {
      // The person has read enough.
    });
    child.stdin.end(`${inertButColored(text)}\n`);
  });
}

const NO_SUCH_PROGRAM = 127;
