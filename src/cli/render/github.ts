// What does the runner of GitHub Actions show of a run: what is folded in its log, what is noted at a file?

import { inert } from "../../core/model/excerpt.ts";
import type { RunState } from "../../core/model/state.ts";
import { requiredGates } from "../../core/views/junit.ts";
import type { RunView, TaskView } from "../../core/views/run-view.ts";
import { placeOf } from "../../readers/failure/finding-place.ts";
import { taskWords } from "./facts.ts";

/** A group for each task. Groups cannot nest: where tasks work side by side, one holds all their lines. */
export function createFolds(print: ((command: string) => void) | null) {
  let open = "";
  const turn = (title: string): void => {
    if (print === null || title === open) return;
    if (open !== "") print("::endgroup::");
    if (title !== "") print(command("group", {}, title));
    open = title;
  };
  return {
    before: (task: string, state: RunState | null) =>
      turn((state?.run?.parallel ?? 1) > 1 ? "log of the run" : task),
    stop: () => turn(""),
  };
}

/** The host shows no more of each kind. */
const ANNOTATIONS_MAX = 10;

export function annotations({ tasks }: Pick<RunView, "tasks">): readonly string[] {
  const warnings = tasks.flatMap(({ id, pendingQuestion: asked }) =>
    asked === null ? [] : command("warning", { title: `${id} waits for a person` }, asked.question),
  );
  const errors = tasks.flatMap(errorsOf);
  return [...errors.slice(0, ANNOTATIONS_MAX), ...warnings.slice(0, ANNOTATIONS_MAX)];
}

function errorsOf(task: TaskView): readonly string[] {
  if (["done", "outdone", "pending"].includes(task.phase) || task.pendingQuestion !== null)
    return [];
  const red = requiredGates(task).filter(({ verdict }) => verdict === "failed");
  const commands = red.flatMap(({ name, findings }) =>
    findings.map((finding) => {
      const { check, message } = finding;
      const words = check === name ? message : `${check}: ${message}`;
      return command("error", { ...placeOf(finding), title: `${task.id}: ${name}` }, words);
    }),
  );
  return commands.length > 0 ? commands : [command("error", { title: task.id }, taskWords(task))];
}

type Properties = Readonly<Record<string, string | null>>;

function command(name: string, properties: Properties, text: string): string {
  const given = Object.entries(properties).flatMap(([key, value]) =>
    value === null ? [] : `${key}=${escaped(value).replaceAll(":", "%3A").replaceAll(",", "%2C")}`,
  );
  return `::${[name, given.join(",")].join(" ").trim()}::${escaped(text)}`;
}

function escaped(text: string): string {
  return inert(text).replaceAll("%", "%25").replaceAll("\n", "%0A");
}
