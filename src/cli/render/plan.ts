// In which order would tasks run, and what exactly would be done for each?

import type { GateSpec, Step, Task } from "../../core/model/task.ts";
import type { Limits } from "../../core/model/policy.ts";
import type { Reason } from "../../core/run/waves.ts";
import { formatDuration } from "../../schema/duration.ts";
import type { Style } from "../io.ts";
import { cells, dotted, type Fact, facts, paragraph, table } from "../layout.ts";
import { agentWords, plural } from "./text.ts";

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
  /** null: only the order was asked for. */
  readonly details: TaskDetails | null;
}

export interface TaskDetails {
  readonly place:
    | { readonly kind: "worktree"; readonly below: string; readonly branch: string }
    | { readonly kind: "in-place"; readonly folder: string };
  readonly steps: readonly (Omit<Step, "gates"> & { readonly gates: readonly GateSpec[] })[];
  /** Of its first session. */
  readonly prompt: string;
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
    ...tasks.flatMap(({ details, ...task }) =>
      details === null ? [] : ["", ...detailLines(task, details, style)],
    ),
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

type Named = Omit<PlannedTask, "details">;

function detailLines(
  { id, title, file, scope }: Named,
  details: TaskDetails,
  style: Style,
): readonly string[] {
  return [
    paragraph(style, id, { tone: "strong" }),
    ...facts(style, [
      ["title", title],
      ["file", file],
      ["scope", scope.length === 0 ? null : scope.join(", ")],
      ...placeFacts(details.place),
    ]),
    ...details.steps.flatMap((step) => ["", ...stepLines(step, style)]),
    "",
    "  the prompt of its first session",
    ...details.prompt.split("\n").map((line) => quoted(line, style)),
  ];
}

function placeFacts(place: TaskDetails["place"]): readonly Fact[] {
  if (place.kind === "in-place") return [["works in", `${place.folder}, as it is`]];
  return [
    ["works in", `its own worktree below ${place.below}`],
    ["branch", place.branch],
  ];
}

function stepLines(step: TaskDetails["steps"][number], style: Style): readonly string[] {
  const { id, agent, model, level, limits, allowWrite, confirms } = step;
  const gates = step.gates.length === 0 ? ["none"] : step.gates.map(gateWords);
  return [
    paragraph(style, `step ${id}`, { lead: "  " }),
    ...facts(
      style,
      [
        ["agent", agentWords(agent, model)],
        ["level", `${level}${confirms ? ", a person confirms the plan" : ""}`],
        ...gates.map((words, at): Fact => [at === 0 ? "gates" : "", words]),
        ["writes", allowWrite === null ? null : allowWrite.join(", ") || "nothing"],
        ["limits", limitWords(limits)],
        ["session", sessionWords(limits)],
      ],
      "    ",
    ),
  ];
}

function gateWords(gate: GateSpec): string {
  const optional = gate.required ? null : "not required";
  if (gate.kind === "file-exists") return dotted([`${gate.name}: ${gate.path} exists`, optional]);
  const fails = gate.expect === "fail" ? "must fail" : null;
  const most = `at most ${formatDuration(gate.timeoutMs)}`;
  return dotted([`${gate.name}: ${gate.run}`, fails, most, optional]);
}

function limitWords(limits: Limits): string {
  const { attempts, attemptsWithProgress, replans, sessions, costUsd, tokens, timeMs } = limits;
  const more = attemptsWithProgress > attempts ? ` (${attemptsWithProgress} with progress)` : "";
  return dotted([
    `${plural(attempts, "attempt")}${more}`,
    plural(replans, "replan"),
    plural(sessions, "session"),
    costUsd === null ? "no limit of cost" : `$${costUsd}`,
    tokens === null ? null : `${thousands(tokens)} tokens`,
    `${formatDuration(timeMs)} at work`,
  ]);
}

function sessionWords({ turns, idleMs, sessionMs }: Limits): string {
  return dotted([
    `at most ${formatDuration(sessionMs)}`,
    `${formatDuration(idleMs)} of silence`,
    plural(turns, "turn"),
  ]);
}

function thousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3}){1,9}$)/g, ",");
}

/** As it will be, for who wants to read it line by line; only what is too long is broken. */
function quoted(line: string, style: Style): string {
  const lead = "  │ ";
  return cells(lead + line) <= style.columns
    ? `${lead}${line}`.trimEnd()
    : paragraph(style, line, { lead });
}
