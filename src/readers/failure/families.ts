// Which tool and which code does a single error line name?

import { classOf } from "./reading.ts";

export interface Family {
  readonly tool: string | null;
  readonly code: string | null;
}

/** The first rule that matches names the family. The line is at most `LINE_CHARS_MAX` long. */
export function familyOf(line: string): Family {
  for (const { pattern, tool } of FAMILIES) {
    const match = pattern.exec(line);
    if (match !== null) return { tool, code: match[1] ?? null };
  }
  const name = CLASS.exec(line)?.[1];
  const code = name === undefined ? null : classOf(name);
  return { tool: code === null ? null : "error", code };
}

interface FamilyRule {
  readonly id: string;
  readonly pattern: RegExp;
  readonly tool: string;
}

const CLASS =
  /^(?:Uncaught |Unhandled )?((?:\w{1,80}[.:]{1,2}){0,8}[A-Z]\w{0,80}(?:Error|Exception|Fault|Interrupt))(?: \[\w{1,60}\])?(?::|$)/;

const FAMILIES: readonly FamilyRule[] = [
  { id: "docker-solve", pattern: /failed to (?:solve|build)/, tool: "docker build" },
  { id: "docker", pattern: /^docker: |Error response from daemon|Docker daemon/, tool: "docker" },
  {
    id: "http",
    pattern:
      /\b(?:HTTP(?:\/\d(?:\.\d)?)?|status(?: code)?|error code|API Error)[ :=]{1,3}([45]\d\d)\b/i,
    tool: "http",
  },
  { id: "http-json", pattern: /"(?:status|code|status_code)": ?([45]\d\d)\b/, tool: "http" },
  {
    id: "rpc",
    pattern:
      /\b(RESOURCE_EXHAUSTED|UNAVAILABLE|DEADLINE_EXCEEDED|PERMISSION_DENIED|UNAUTHENTICATED)\b/,
    tool: "rpc",
  },
  { id: "pnpm", pattern: /\b(ERR_PNPM_\w{3,60})\b/, tool: "pnpm" },
  { id: "yarn", pattern: /\b(YN\d{4})\b/, tool: "yarn" },
  { id: "node-code", pattern: /\b(ERR_[A-Z][A-Z_0-9]{3,60})\b/, tool: "node" },
  {
    id: "errno",
    pattern:
      /\b(E(?:NOENT|ACCES|PERM|EXIST|ISDIR|NOTDIR|NOTEMPTY|MFILE|NOSPC|ROFS|BUSY|PIPE|INVAL|LOOP|CONN\w{5,8}|ADDR\w{5,9}|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|RESOLVE|TARGET|404|401|403|USAGE|JSONPARSE|LIFECYCLE))\b/,
    tool: "node",
  },
  { id: "errno-number", pattern: /\[Errno (-?\d{1,5})\]/, tool: "errno" },
  { id: "make", pattern: /^g?make(?:\[\d+\])?: /, tool: "make" },
  { id: "shell", pattern: /: (?:command )?not found$|^command not found: /, tool: "shell" },
  { id: "go-panic", pattern: /\bpanic: /, tool: "go" },
  {
    id: "pip",
    pattern: /^ERROR: (?:Could not find a version|No matching distribution)/,
    tool: "pip",
  },
  {
    id: "segfault",
    pattern: /\b(Segmentation fault|core dumped|Bus error|Killed)\b/,
    tool: "signal",
  },
  { id: "cmake", pattern: /^CMake Error/, tool: "cmake" },
];
