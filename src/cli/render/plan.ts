// In which order would tasks run, and why?

import type { Task } from "../../core/model/task.ts";
import type { Reason } from "../../core/run/waves.ts";
import type { Style } from "../io.ts";
import { dotted, paragraph, table } from "../layout.ts";
import { plural } from "./text.ts";

export interface PlanShown {
  readonly parallel: number;
  readonly waves: readonly (readonly PlannedTask[])[];
  readonly notes: readonly string[];
}

export interface PlannedTask extends Pick<Task, "id" | "title" | "scope" | "dependsOn"> {
  /** null: the task came as words. */
  readonly file: string | null;
  /** Why it is not in the wave before; null: there is none. */
  readonly why: Reason | null;
}

export function renderPlan({ parallel, waves, notes }: PlanShown, style: Style): string {
  const tasks = waves.flat();
  const isOneByOne = parallel === 1 || tasks.length === 1;
  const order = isOneByOne ? "one after another" : `at most ${parallel} at once`;
  const heading = dotted([plural(tasks.length, "task"), tasks.length === 1 ? null : order]);
  return [
    paragraph(style, heading, { tone: "strong" }),
    ...(isOneByOne
      ? ["", ...rows(tasks.map(withoutSlot), style)]
      : waves.flatMap((wave, at) => ["", `wave ${at + 1}`, ...rows(wave, style)])),
    "",
    ...notes.map((note) => paragraph(style, `note: ${note}`, { hanging: "  " })),
    paragraph(style, NOTHING_SPENT, { tone: "quiet" }),
  ].join("\n");
}

const NOTHING_SPENT = "Nothing was run, and nothing was spent.";

/** Where one runs after another, that the slot is taken is no news. */
function withoutSlot(task: PlannedTask): PlannedTask {
  return task.why?.kind === "no-slot" ? { ...task, why: null } : task;
}

function rows(tasks: readonly PlannedTask[], style: Style): readonly string[] {
  const words = ({ why, scope }: PlannedTask) => (why === null ? "" : reasonWords(why, scope));
  return table(
    style,
    tasks.map((task) => [task.id, words(task)]),
    { indent: "  " },
  );
}

function reasonWords(why: Reason, scope: readonly string[]): string {
  switch (why.kind) {
    case "needs":
      return `needs ${why.task}`;
    case "no-slot":
      return "waits for a free slot";
    case "waits":
      if (why.why === "scope")
        return `may touch the same files as ${why.for}: ${why.own} and ${why.theirs} overlap`;
      if (why.whose === "theirs") return `${why.for} runs alone`;
      return scope.length === 0 ? "no scope: runs alone" : "its scope is too large: runs alone";
    default:
      return why satisfies never;
  }
}
