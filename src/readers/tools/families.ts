// Which tool and which code does a single error line name?

import { classOf } from "./tool.ts";

export interface Family {
  readonly tool: string | null;
  readonly code: string | null;
}

/** The first row that matches names the family. The line is bounded. */
export function familyOf(line: string): Family {
  for (const [tool, pattern] of FAMILIES) {
    const match = pattern.exec(line);
    if (match !== null) return { tool, code: match[1] ?? match[2] ?? null };
  }
  const name = CLASS.exec(line)?.[1];
  const code = name === undefined ? null : classOf(name);
  return { tool: code === null ? null : "error", code };
}

const CLASS =
  /^(?:Uncaught |Unhandled )?((?:\w{1,80}[.:]{1,2}){0,8}[A-Z]\w{0,80}(?:Error|Exception|Fault|Interrupt))(?: \[\w{1,60}\])?(?::|$)/;

const FAMILIES: readonly (readonly [tool: string, pattern: RegExp])[] = [
  ["docker build", /failed to (?:solve|build)/],
  ["docker", /^docker: |Error response from daemon|Docker daemon/],
  ["http", /\b(?:HTTP(?:\/\d(?:\.\d)?)?|status(?: code)?|API Error)[ :=]{1,3}([45]\d\d)\b/i],
  ["http", /\berror code[ :=]{1,3}([45]\d\d)\b|"(?:status|code|status_code)": ?([45]\d\d)\b/i],
  [
    "rpc",
    /\b(RESOURCE_EXHAUSTED|UNAVAILABLE|DEADLINE_EXCEEDED|PERMISSION_DENIED|UNAUTHENTICATED)\b/,
  ],
  ["node", /\b(ERR_[A-Z][A-Z_0-9]{3,60}|YN\d{4})\b/],
  ["node", /\b(E(?:NO|IS|NOT|CONN|ADDR|HOST|NET|AI_|M|N)[A-Z]{2,12}|E40[134])\b/],
  ["node", /\b(E(?:ACCES|PERM|EXIST|ROFS|BUSY|PIPE|INVAL|LOOP|TIMEDOUT|RESOLVE|TARGET|USAGE))\b/],
  ["errno", /\[Errno (-?\d{1,5})\]/],
  ["make", /^g?make(?:\[\d+\])?: /],
  ["shell", /: (?:command )?not found$|^command not found: /],
  ["go", /\bpanic: /],
  ["signal", /\b(Segmentation fault|core dumped|Bus error|Killed)\b/],
];
