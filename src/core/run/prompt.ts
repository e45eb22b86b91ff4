// What is the agent told?

import { baseTrouble, fenced } from "../decide/feedback.ts";
import { fenceSentence } from "../model/fence.ts";
import { fenceOf } from "./scopes.ts";
import { troubleWords } from "./merging.ts";
import { pairsWords, remarksWords } from "./remarks.ts";
import type { Ask } from "../model/decision.ts";
import type { FollowUp, SessionStart } from "../model/event.ts";
import type { Level } from "../model/policy.ts";
import { currentAttempt, currentStep, decisionBefore, lastAttempt } from "./select.ts";
import type { TaskState } from "../model/state.ts";
import type { GateSpec, Step } from "../model/task.ts";

export interface PromptParts {
  /** The step's template with its placeholders; "{{task}}" alone for a step that is "self". */
  readonly template: string;
  /** The report contract with its placeholders. */
  readonly contract: string;
  readonly reportPath: string;
  /** Where a planning session leaves its plan. */
  readonly planPath: string;
  /** The agent that worked on the step before; null: none, or the same. */
  readonly successorOf: string | null;
}

/**
 * The name of the template that the present attempt begins with; null: the task's own text. A first
 * plan and a new one are asked for in different words; else the step's own template speaks.
 */
export function templateOf(task: TaskState): string | null {
  if (planning(task)) return task.replans === 0 ? "plan" : "replan";
  const { prompt } = currentStep(task).step;
  return prompt.kind === "self" ? null : prompt.name;
}

/** Placeholders that must reach the agent whatever a template leaves out. */
const ALWAYS = "task context plan handoff base answers feedback merge files report_contract".split(
  " ",
);

/**
 * The prompt of a session. A fresh conversation gets everything; a further one gets only what is
 * new, and the report's path, which is another one for every session. An agent with slash commands
 * obeys a prompt that begins like one, so none does.
 */
export function assemblePrompt(task: TaskState, start: SessionStart, parts: PromptParts): string {
  const prompt = promptOf(task, start, parts);
  return prompt.startsWith("/") ? paragraphs(NO_COMMAND, prompt) : prompt;
}

const NO_COMMAND = "What follows is text, and not a command of your program.";

function promptOf(task: TaskState, start: SessionStart, parts: PromptParts): string {
  if (start.kind === "deliver") return "";
  if (start.kind === "follow-up") return followUp(task, start.why, parts);
  return filled(withMissing(parts.template, task, parts), values(task, parts));
}

/** Of a session beside the task's own: only what the template names, and what is given. */
export function fillPrompt(template: string, task: TaskState, given: Values): string {
  const { body, title } = task.task;
  return filled(template, { task: body, title, context: contextWords(task), ...given });
}

type Values = Readonly<Record<string, string>>;

function filled(template: string, of: Values): string {
  return template
    .replace(/\{\{\s*([a-z_]+)\s*\}\}/g, (whole, name: string) =>
      Object.hasOwn(of, name) ? (of[name] ?? whole) : whole,
    )
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** A project's own prompt for planning may not know where a plan goes. */
const WHERE_TO_PLAN = "Write the plan to `{{plan_path}}`, in Markdown, and change no other file.";

function withMissing(written: string, task: TaskState, parts: PromptParts): string {
  const of = values(task, parts);
  const owes = planning(task) && !mentions(written, "plan_path");
  const template = owes ? `${written}\n\n${WHERE_TO_PLAN}` : written;
  const missing = ALWAYS.filter((name) => of[name] !== "" && !mentions(template, name));
  return [template, ...missing.map((name) => `{{${name}}}`)].join("\n\n");
}

function mentions(template: string, name: string): boolean {
  return new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`).test(template);
}

function values(task: TaskState, parts: PromptParts): Values {
  const { step, at } = currentStep(task);
  const plain: Values = {
    task: task.task.body,
    title: task.task.title,
    step: step.id,
    position: position(task),
    attempt: `${lastAttempt(at)?.n ?? 1}`,
    level: levelWords(step.level),
    context: contextWords(task),
    plan: planWords(task),
    plan_path: parts.planPath,
    base: section("Before the task began", baseTrouble(task.baseline)),
    handoff: paragraphs(
      section("You take over", takeOverWords(parts.successorOf)),
      section("Where the previous session stopped", handoffOf(task)),
    ),
    answers: answersWords(task),
    feedback: section("What the last attempt left open", feedbackOf(task)),
    merge: mergeWords(task),
    gates: gatesWords(step),
    files: fenceSentence(fenceOf(task)),
    report_path: parts.reportPath,
  };
  return { ...plain, report_contract: filled(parts.contract, plain) };
}

function position(task: TaskState): string {
  const names = task.task.steps.map((s, i) => (i === task.stepIndex ? `**${s.id}**` : s.id));
  const { step } = currentStep(task);
  return `Step ${task.stepIndex + 1} of ${names.length} (${step.id}) of the pipeline "${task.task.pipeline}": ${names.join(" → ")}.`;
}

/** Not every agent has tools of orch's, and all have a shell. */
const HOW_TO_ASK =
  'You ask with the tool `ask_human`, or without it in a shell: `orch ask "…" --option "…" --default "…"`.';

const ASK_AT: Readonly<Record<Exclude<Level, 0>, string>> = {
  1: "ask only when you cannot continue at all",
  2: "ask when you cannot continue, or when the task contradicts itself",
  3: "ask also when behaviour or data is unspecified and costly to reverse",
  4: "ask also about visible choices that could be reversed",
  5: "ask about every choice that is not settled by the task or the code",
};

/** What the level means for the agent. orch enforces it; these words only explain it. */
function levelWords(level: Level): string {
  if (level === 0)
    return "Interaction level 0: no one is available and there is no way to ask. Take the most conservative reading, and record it under `assumptions`.";
  const words = `Interaction level ${level}: ${ASK_AT[level]}. ${HOW_TO_ASK}`;
  return level === 5
    ? words
    : `${words} Decide by yourself whatever can be undone cheaply, and record it under \`assumptions\`.`;
}

function gatesWords(step: Step): string {
  if (step.gates.kind === "none") return "This step has no checks.";
  const lines = step.gates.gates.map((gate) => `- ${gateWords(gate)}`);
  const told = "orch itself runs these checks after your session; they decide, not your words:";
  return [told, ...lines].join("\n");
}

function gateWords(gate: GateSpec): string {
  const words =
    gate.kind === "command"
      ? `\`${gate.run}\` must ${gate.expect}`
      : `the file \`${gate.path}\` must exist`;
  return `${gate.name}: ${words}${gate.required ? "" : " (not required)"}`;
}

function contextWords(task: TaskState): string {
  return task.task.context.map(({ name, text }) => section(`Context: ${name}`, text)).join("\n\n");
}

function answersWords(task: TaskState): string {
  return paragraphs(
    section("Answers and guidance from a person", pairsWords(task)),
    section("What a person said unasked", remarksWords(task)),
  );
}

/** The plan in force, in every prompt that carries it out. The first plan is the task itself. */
function planWords(task: TaskState): string {
  const plan = task.plans.at(-1);
  if (plan === undefined) return "";
  return planning(task)
    ? section("The plan that did not work", fenced([plan.text]).join("\n"))
    : section("The plan to carry out", plan.text);
}

/** The words of the decision that led to this attempt. */
function feedbackOf(task: TaskState): string {
  const decision = decisionBefore(task);
  if (decision === null || decision.kind === "stall") return "";
  if (decision.kind === "replan") return decision.feedback;
  if (decision.kind === "pause") return asked(decision.ask);
  return decision.how.kind === "feedback" ? decision.how.feedback : "";
}

/** A person was asked because going on did not help: what failed is still what failed. */
function asked({ kind, question, context }: Ask): string {
  if (kind !== "guidance" && kind !== "plan") return "";
  const isPlan = kind === "plan";
  const words = isPlan ? "Change this plan as the person says:" : `${question}.`;
  return [words, ...fenced(context)].join("\n");
}

/** Once, after its work was finished: from then on the task is to join both sides. */
function mergeWords({ mergeTrouble: trouble, task }: TaskState): string {
  if (trouble === null) return "";
  const where =
    trouble.kind === "conflict"
      ? [
          "These files hold both sides, with conflict marks where they meet:",
          ...fenced(trouble.paths),
          "Resolve every mark. Look up with `git log` and `git show` what each side was for.",
        ]
      : ["Your tree holds both sides. Make it pass again."];
  return section(
    "Join your work with what was merged meanwhile",
    [
      `Your work on "${task.title}" was finished. It ${troubleWords(trouble)}.`,
      "Keep what both sides were made for; drop neither. Other tasks' work is as wanted as yours.",
      ...fenced(trouble.words),
      ...where,
    ].join("\n"),
  );
}

function handoffOf(task: TaskState): string {
  const decision = decisionBefore(task);
  return decision?.kind === "continue" && decision.how.kind === "handoff"
    ? decision.how.resumePoint
    : "";
}

function takeOverWords(agent: string | null): string {
  return agent === null
    ? ""
    : `Another agent (${agent}) worked on this before you, and cannot go on. What it changed is in your tree: see \`git status\` and \`git log\` first, and go on from there.`;
}

const INTERRUPTED = "Your session was interrupted from outside. Continue where you stopped.";

function followUp(task: TaskState, why: FollowUp, parts: PromptParts): string {
  const where = `Leave your report at this path, which is new: ${parts.reportPath}`;
  const answers = answersWords(task);
  if (why === "go-on") return paragraphs(INTERRUPTED, answers, where);
  const words = planning(task)
    ? `Write the new plan to ${parts.planPath}, and change no other file.`
    : "Continue with the task.";
  return paragraphs(answers, feedbackOf(task), words, where);
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

function planning(task: TaskState): boolean {
  return currentAttempt(task)?.role === "plan";
}

function section(title: string, text: string): string {
  return text.trim() === "" ? "" : `## ${title}\n\n${text.trim()}`;
}
