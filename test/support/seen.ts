// What does a person see of a command, and is it as its golden file has it?

import { join } from "node:path";
import { expect } from "vitest";

import { normalise } from "./normalise.ts";
import { orch } from "./run-orch.ts";

/** All that a person or a program sees, as one text. */
export async function seen(args: readonly string[], cwd: string, columns = 80): Promise<string> {
  const { stdout, stderr, exitCode } = await orch(args, { cwd, columns });
  const text = `$ orch ${args.join(" ")}\n${stdout}--- stderr\n${stderr}--- exit code ${exitCode}\n`;
  return normalise(text, cwd).replaceAll(/orch \d\S+; this is \S+\)/g, "orch <x>; this is <y>)");
}

export function golden(name: string): string {
  return join(import.meta.dirname, `../golden/${name}.txt`);
}

/** At 80 and at 40 columns as in its golden file, and not wider than that. */
export async function expectCalm(name: string, args: readonly string[], cwd: string) {
  const texts = [await seen(args, cwd, 80), await seen(args, cwd, 40)];
  await expect(texts.join("\n")).toMatchFileSnapshot(golden(name));
  texts.forEach((text, index) => expectWidth(text, index === 0 ? 80 : 40));
}

export function expectWidth(text: string, columns: number): void {
  // The command line itself is the test's.
  const lines = text.split("\n").filter((line) => !line.startsWith("$ "));
  expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(columns);
}
