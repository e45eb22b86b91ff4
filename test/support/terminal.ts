// How does a program behave at a real terminal?

import { spawn } from "node:child_process";

export interface Terminal {
  /** Resolves when the text has appeared after what was waited for before. */
  until(text: string): Promise<void>;
  type(text: string): void;
  /** Everything shown so far. */
  shown(): string;
  /** The program's exit code, once it ended. */
  readonly ended: Promise<number | null>;
  /** The terminal's window is closed: everything in it gets SIGHUP. */
  closeWindow(): void;
}

/** Runs one line of the shell in a pseudo-terminal made by script(1). */
export function openTerminal(line: string, columns = 80): Terminal {
  const child = spawn("script", ["-qefc", `stty cols ${columns} rows 30; ${line}`, "/dev/null"], {
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm", TZ: "UTC", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  let seen = 0;
  let look = (): void => {};
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    look();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (exitCode) => {
      look();
      resolve(exitCode);
    });
  });
  return {
    ended,
    shown: () => shown,
    type: (text) => void child.stdin.write(text),
    closeWindow: () => void child.kill("SIGKILL"),
    until: (text) =>
      new Promise((resolve, reject) => {
        look = () => {
          const at = shown.indexOf(text, seen);
          if (at >= 0) {
            seen = at + text.length;
            look = () => {};
            resolve();
          } else if (child.exitCode !== null)
            reject(new Error(`ended without showing ${JSON.stringify(text)}:\n${shown}`));
        };
        look();
      }),
  };
}
