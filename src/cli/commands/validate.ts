// How does a person learn everything that is wrong with config and tasks, before anything is paid for?

import { environmentLevel } from "../../adapters/environment.ts";
import { validateProject, type Validation } from "../../adapters/project/validation.ts";
import { inert } from "../../core/model/excerpt.ts";
import { OrchError } from "../../errors.ts";
import { problem } from "../../schema/parsed.ts";
import { gatesOf } from "../../core/model/task.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import { gitAnswer, REFUSALS } from "../../workspace/git/git.ts";
import { type CliIo, printResult } from "../io.ts";
import { atWords } from "../layout.ts";
import type { Command } from "../command-line/options.ts";
import { inOrderWords, plural } from "../render/text.ts";

const EXIT_PROBLEMS = 2;

export async function validationOf(
  paths: readonly string[],
  { cwd, env }: CliIo,
): Promise<Validation> {
  const level = levelOf(env);
  const report = await validateProject({ cwd, paths, environmentLevel: level.value, env });
  const problems = [...level.problems, ...report.problems];
  return { ...report, problems: [...problems, ...(await ignored(report, { cwd, env }))] };
}

/** Files that gates ask for, and that no commit can have. */
async function ignored({ tasks }: Validation, { cwd, env }: Pick<CliIo, "cwd" | "env">) {
  const steps = tasks.flatMap((task) => (task.proof.place === "tree" ? [] : task.steps));
  const files = steps.flatMap(gatesOf).filter((gate) => gate.kind === "file-exists");
  const git = files.length === 0 ? null : await findRepository(cwd, env);
  if (git === null) return [];
  const ask = ["check-ignore", "--", ...new Set(files.map(({ path }) => path))];
  // That command knows no literal paths.
  const { stdout } = await gitAnswer(git, ask, REFUSALS, { env: { GIT_LITERAL_PATHSPECS: "0" } });
  const words = (path: string) => `git ignores ${path}, so no commit has it for \`fileExists\``;
  const paths = stdout.split("\n").slice(0, -1);
  return paths.map((path) => problem("gates", words(path), "name a file that can be committed"));
}

export const validateCommand: Command = async (paths, given, io) => {
  const validation = await validationOf(paths, io);
  const shown = validationForPrograms(validation);
  printResult(io, given, shown, (style) => atWords(style, validationLines(validation).join("\n")));
  return validation.problems.length === 0 ? 0 : EXIT_PROBLEMS;
};

/** A place, what is wrong there, and what to write instead: one block for each problem. */
export function validationLines({ config, tasks, problems, notes }: Validation): readonly string[] {
  const blocks = problems.flatMap(({ where, message, suggestion }) => [
    inert(`${where}: ${message}`),
    ...(suggestion === null ? [] : [inert(`  hint: ${suggestion}`)]),
  ]);
  const good = inOrderWords(config, tasks.length);
  return [
    ...blocks,
    ...notes.map((note) => `note: ${note}`),
    problems.length === 0 ? good : plural(problems.length, "problem"),
  ];
}

/** As a program wants it: no task's whole text. */
export function validationForPrograms({ config, tasks, problems, notes }: Validation) {
  return {
    ok: problems.length === 0,
    config,
    tasks: tasks.map(({ id, title, source, pipeline, steps, dependsOn }) => ({
      id,
      title,
      file: source.kind === "file" ? source.path : null,
      pipeline,
      steps: steps.map((step) => step.id),
      dependsOn,
    })),
    problems,
    notes,
  };
}

/** A wrong variable is one problem among others, and no reason to hide the rest. */
function levelOf(env: CliIo["env"]) {
  try {
    return { value: environmentLevel(env), problems: [] };
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return { value: null, problems: [problem("environment", error.message, error.hint)] };
  }
}
