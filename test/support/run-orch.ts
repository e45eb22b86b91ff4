// What does the built program print, and with which code does it end?

import { spawn } from "node:child_process";

import { bundle } from "./bundle.ts";

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

let built: Promise<string> | null = null;

/** The program as users get it, bundled once for each test file. */
export function orchProgram(): Promise<string> {
  built ??= bundle("src/cli.ts");
  return built;
}

export async function orch(args: readonly string[], options: RunOptions): Promise<Ran> {
  const program = await orchProgram();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
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
    HOME: process.env["HOME"] ?? "",
    TZ: "UTC",
    NO_COLOR: "1",
    ...(columns === undefined ? {} : { COLUMNS: String(columns) }),
    ...env,
  };
}
