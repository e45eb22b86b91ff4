// How is a process of the test's own started, listened to, killed and never left behind?

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Actor {
  readonly pid: number;
  /** What it has said so far. */
  readonly said: readonly string[];
  /** Resolves with the first line that matches; rejects when it ends without one. */
  hears(pattern: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when it is gone and all it said has been heard. */
  readonly gone: Promise<void>;
}

export function startActor(program: string, args: readonly string[]): Actor {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: string[] = [];
  const listeners = new Set<() => void>();
  const lines = createInterface({ input: child.stdout });
  let isGone = false;
  const tell = () => listeners.forEach((listener) => listener());
  lines.on("line", (line) => {
    said.push(line);
    tell();
  });
  const gone = untilGone();
  return { pid: child.pid ?? 0, said, hears, kill: (signal) => void child.kill(signal), gone };

  async function untilGone(): Promise<void> {
    await Promise.all([once(child, "exit"), once(lines, "close")]);
    isGone = true;
    tell();
  }

  function hears(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = said.find((line) => pattern.test(line));
        if (found === undefined && !isGone) return;
        listeners.delete(look);
        if (found === undefined)
          reject(new Error(`never said ${String(pattern)}: ${said.join("; ")}`));
        else resolve(found);
      };
      listeners.add(look);
      look();
    });
  }
}
