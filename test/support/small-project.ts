// A project with one task, one scripted agent and one check, to be varied by a test.

import { scriptedAgent } from "./scripted-agent.ts";
import { sandbox, type Sandbox, type SandboxOptions } from "./whole-program.ts";

export interface SmallProject {
  /** Sessions of the script file; the first that fits is played. */
  readonly sessions?: readonly object[];
  /** Lines of the config, as JavaScript; later ones replace earlier ones. */
  readonly config?: string;
  /** Front matter and text of `task.md`. */
  readonly task?: string;
  /** Line for the shell; what `good.txt` says decides where none is given. */
  readonly gate?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly git?: SandboxOptions["git"];
  readonly name?: string;
}

export function smallProject(project: SmallProject = {}): Sandbox {
  const { sessions = [{ do: GOOD_WORK }], task = "# Task\n\nMake it good.\n" } = project;
  return sandbox({
    ...(project.git === undefined ? {} : { git: project.git }),
    ...(project.name === undefined ? {} : { name: project.name }),
    files: {
      ".orchestrator.config.js": configOf(project),
      "script.json": JSON.stringify({ sessions }),
      "task.md": task,
      ...project.files,
    },
  });
}

function configOf({ config = "", gate = 'test "$(cat good.txt)" = good' }: SmallProject): string {
  return `export default {
  agent: "scripted",
  agents: { scripted: ${scriptedAgent()} },
  gates: { check: { run: ${JSON.stringify(gate)}, parse: "none" } },
  ${config}
};
`;
}

export const COMPLETED = {
  report: { version: 1, status: "completed", summary: "it is good" },
};

export const GOOD_WORK = [{ write: { path: "good.txt", text: "good\n" } }, COMPLETED];

/** A config whose only agent is this line of the shell. */
export function shellAgent(line: string, more = ""): string {
  return `agent: "shell", agents: { shell: { driver: "command", command: ${JSON.stringify(line)} } }, ${more}`;
}

/** The report of an agent that only a person can help. */
export const BLOCKED = {
  report: {
    version: 1,
    status: "blocked",
    summary: "no token",
    blockers: [{ type: "missing_credential", message: "TOKEN is not set", recoverable: false }],
  },
};

/** A task whose questions reach a person. */
export const ASKING = "---\ninteractionThreshold: 3\n---\n# Task\n\nAsk first.\n";
