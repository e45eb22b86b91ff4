// How does a project get its config, its prompts and a first task?

import { repositoryRoot } from "../../adapters/project/config-loader.ts";
import { writeInitFiles } from "../../adapters/project/init-files.ts";
import { detectProject } from "../../adapters/project/project-detect.ts";
import { printResult } from "../io.ts";
import type { Command } from "../options.ts";

export const initCommand: Command = async (_args, given, io) => {
  const outcome = initProject(io.cwd, io.env["PATH"] ?? "", given.force === true);
  const { root, project, files } = outcome;
  const shown = { root, kinds: project.kinds, gates: project.gates, files };
  printResult(io, given, shown, () => initLines(outcome).join("\n"));
  return 0;
};

/** Writes what is missing at the repository's root; outside a repository, where the person is. */
export function initProject(cwd: string, path: string, replace: boolean) {
  const root = repositoryRoot(cwd) ?? cwd;
  const project = detectProject(root, path);
  return { root, project, files: writeInitFiles(root, project, replace) };
}

/** What was done, what was found, and what to do next. */
export function initLines({ project, files }: ReturnType<typeof initProject>): readonly string[] {
  const config = files[0]?.path ?? ".orchestrator.config.js";
  const gates = project.gates.map(({ name, run }) => `gate "${name}": ${run}`);
  const wasThere = files[0]?.outcome === "kept";
  return [
    ...files.map(({ path, outcome }) => `${outcome.padEnd(8)} ${path}`),
    "",
    ...(wasThere ? [`${config} was there before and is as it was.`] : []),
    ...(wasThere || gates.length > 0
      ? []
      : [`No test command was found: name a gate in ${config}.`]),
    ...(wasThere ? [] : gates),
    "",
    "Next:",
    `  1. look through ${config}, and commit these files`,
    "  2. describe a task in tasks/example.md",
    "  3. orch validate",
    "  4. orch run tasks/example.md",
  ];
}
