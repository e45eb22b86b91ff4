// How does a person learn everything that is wrong with config and tasks, before anything is paid for?

import { environmentLevel } from "../../adapters/project/environment-level.ts";
import { validateProject, type Validation } from "../../adapters/project/validation.ts";
import { inert } from "../../core/model/excerpt.ts";
import { OrchError } from "../../errors.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { type CliIo, printJson, printOut } from "../io.ts";
import { type Given, isOn } from "../options.ts";
import { jsonText } from "../render/json.ts";

const EXIT_PROBLEMS = 2;

export async function validateCommand(
  args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const level = levelOf(io.env);
  const found = await validateProject({
    cwd: io.cwd,
    paths: args,
    environmentLevel: level.value,
    env: io.env,
  });
  const validation = { ...found, problems: [...level.problems, ...found.problems] };
  if (isOn(given, "json")) printJson(io, jsonText(validationForPrograms(validation)));
  else printOut(io, validationLines(validation).join("\n"));
  return validation.problems.length === 0 ? 0 : EXIT_PROBLEMS;
}

/** A place, what is wrong there, and what to write instead: one block for each problem. */
export function validationLines({ config, tasks, problems, notes }: Validation): readonly string[] {
  const blocks = problems.flatMap(({ where, message, suggestion }) => [
    inert(`${where}: ${message}`),
    ...(suggestion === null ? [] : [inert(`  hint: ${suggestion}`)]),
  ]);
  const good = `${config ?? "config"} and ${counted(tasks.length, "task")} are in order`;
  return [
    ...blocks,
    ...notes.map((note) => `note: ${note}`),
    problems.length === 0 ? good : counted(problems.length, "problem"),
  ];
}

/** As a program wants it: the place taken apart, and no task's whole text. */
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
    problems: problems.map(placed),
    notes,
  };
}

function placed({ where, message, suggestion }: Problem) {
  const [, file = where, line = null] = /^(.*):(\d+)$/.exec(where) ?? [];
  return { file, line: line === null ? null : Number(line), message, suggestion };
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

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
