// What would `orch run` do, and what would its agents be told? Nothing is spent, and no run is made.

import { repositoryRoot } from "../../adapters/files/small-file.ts";
import type { Task } from "../../core/model/task.ts";
import { waves } from "../../core/run/scopes.ts";
import type { RunPlace } from "../running/context.ts";
import { type CliIo, printResult, type Style } from "../io.ts";
import { dotted, paragraph, table } from "../layout.ts";
import { type Given, parallelGiven } from "../command-line/options.ts";
import type { ReadyTasks } from "../running/preflight.ts";
import { plural } from "../render/text.ts";

export function showPlan(
  { tasks, notes }: ReadyTasks,
  { settings }: RunPlace,
  given: Given,
  io: CliIo,
): number {
  const isolation = given.isolation ?? settings.git.isolation;
  const isInPlace = isolation === "none" || repositoryRoot(io.cwd) === null;
  const parallel = isInPlace ? 1 : (parallelGiven(given) ?? settings.parallel);
  const plan = {
    parallel,
    waves: waves(tasks, parallel).map((wave) =>
      wave.map(({ id, title, source, scope, dependsOn, contest }): PlannedTask => {
        const file = source.kind === "file" ? source.path : null;
        return { id, title, file, scope, dependsOn, contest };
      }),
    ),
    notes: isInPlace && tasks.length > 1 ? [...notes, ONE_TREE] : notes,
  };
  printResult(io, given, plan, (style) => renderPlan(plan, style));
  return 0;
}

const ONE_TREE = "the tasks share one tree, so they run one at a time";

interface PlanShown {
  readonly parallel: number;
  readonly waves: readonly (readonly PlannedTask[])[];
  readonly notes: readonly string[];
}

interface PlannedTask extends Pick<Task, "id" | "title" | "scope" | "dependsOn" | "contest"> {
  /** null: the task came as words. */
  readonly file: string | null;
}

function renderPlan({ parallel, waves, notes }: PlanShown, style: Style): string {
  const tasks = waves.flat();
  const isOneByOne = parallel === 1 || tasks.length === 1;
  const rows = (some: readonly PlannedTask[]) =>
    table(
      style,
      some.map((task) => [task.id, waitingWords(task, isOneByOne)]),
      { indent: "  " },
    );
  const order = isOneByOne ? "one after another" : `at most ${parallel} at once`;
  const heading = dotted([plural(tasks.length, "task"), tasks.length === 1 ? null : order]);
  return [
    paragraph(style, heading, { tone: "strong" }),
    ...(isOneByOne
      ? ["", ...rows(tasks)]
      : waves.flatMap((wave, at) => ["", `wave ${at + 1}`, ...rows(wave)])),
    "",
    ...notes.map((note) => paragraph(style, `note: ${note}`, { hanging: "  " })),
    paragraph(style, NOTHING_SPENT, { tone: "quiet" }),
  ].join("\n");
}

const NOTHING_SPENT = "Nothing was run, and nothing was spent.";

function waitingWords({ scope, dependsOn, contest }: PlannedTask, isOneByOne: boolean): string {
  return dotted([
    contest === null ? null : `a candidate for ${contest}`,
    dependsOn.length === 0 ? null : `after ${dependsOn.join(", ")}`,
    scope.length > 0 || isOneByOne || contest !== null ? null : "no scope: runs alone",
  ]);
}
