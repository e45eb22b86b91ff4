// What must Claude Code know about running under orch, whatever the step?

import { join } from "node:path";

import { writeFileAtomic } from "../../adapters/files/atomic-file.ts";
import type { Level } from "../../core/model/level.ts";

const BASE = `You work unattended: nobody reads along, and nobody can approve anything for you.

- Do what the prompt asks, to its end, in the current working directory.
- Before you stop, write the report that the prompt describes as JSON to the path it names (the
  environment variable ORCH_REPORT holds the same path). Without a valid report you are sent back.
- The tool report checks the report and writes it there for you.
- The report is a claim; the checks decide. Say what is unfinished rather than calling it done.
- Do not start anything that runs on in the background.
- A command that cannot be undone or that others see (push, publish, deploy, send, delete outside the
  repository) is held until it is allowed, or refused. Use one only where the task asks for it, alone
  in its own call, and never work around a refusal.
`;

const ALONE = `- No one can be asked. Where something is unclear, take the most conservative reading and
  record it under "assumptions" in the report.
`;

const ASKS = `- A person can be asked with the tool ask_human, one question at a time, when the answer
  changes what you build and neither the task nor the code tells. Give the options, the default you
  would take, and the impact. Never ask for permission, or for anything you can find out yourself.
`;

/** In the session's control folder; its path. Throws where the disk does. */
export function writeSystemPrompt(folder: string, level: Level): string {
  const path = join(folder, "system.md");
  writeFileAtomic(path, systemPrompt(level));
  return path;
}

/** Kept free of paths: it is recorded with the first request and reused when a session goes on. */
function systemPrompt(level: Level): string {
  return BASE + (level === 0 ? ALONE : ASKS);
}
