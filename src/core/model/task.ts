// What is to be done, through which steps, and how is each step proved?

import type { CoachSpec } from "./coach.ts";
import type { StepId, TaskId } from "./ids.ts";
import type { AskingPolicy } from "./question.ts";
import type { Level, Limits, Policy } from "./policy.ts";

export type PromptSource =
  /** The task's own text is the prompt. */
  | { readonly kind: "self" }
  /** A Markdown template, by name: the project's own, else the built-in one. */
  | { readonly kind: "template"; readonly name: string };

export type ResultParser = "auto" | "none" | "vitest" | "jest" | "node-test" | "pytest" | "tap";

interface GateBase {
  readonly name: string;
  /** A gate that is not required is run and reported, and never enters the sum. */
  readonly required: boolean;
}

export interface CommandGate extends GateBase {
  readonly kind: "command";
  /** Run by the system shell in the working tree. */
  readonly run: string;
  /** "fail" is for test-first steps: the command must run and fail. */
  readonly expect: "pass" | "fail";
  readonly timeoutMs: number;
  /** Further runs after an unknown verdict. */
  readonly retries: number;
  /** Further runs after a failed one, which may show that the gate is flaky. */
  readonly failedRetries: number;
  readonly parse: ResultParser;
  /** Where the command leaves a report of its checks (JUnit XML, TAP), as a glob; null: orch finds out. */
  readonly report: string | null;
  /** "auto": a runner of tests must count them. "check": a compiler or linter, whose exit code is all there is. */
  readonly proves: "auto" | "check";
}

export interface FileGate extends GateBase {
  readonly kind: "file-exists";
  /** Relative to the working tree. */
  readonly path: string;
}

export type GateSpec = CommandGate | FileGate;

/** Why a step has no gates matters: chosen by the user ("none"), or nothing was configured. */
export type StepGates =
  | { readonly kind: "gates"; readonly gates: readonly GateSpec[] }
  | { readonly kind: "none" };

/** One stage of a pipeline, fully resolved: nothing in it is looked up again. */
export interface Step {
  readonly id: StepId;
  readonly prompt: PromptSource;
  /** Name in the config's `agents`. */
  readonly agent: string;
  /** They take over, in this order, where it has reached a limit, cannot sign in or is not there. */
  readonly fallbacks: readonly string[];
  /** Looks at finished work before it goes on; null: nobody does. */
  readonly coach: CoachSpec | null;
  readonly model: string | null;
  readonly gates: StepGates;
  readonly level: Level;
  /** A person confirms the plan before it is carried out. */
  readonly confirms: boolean;
  readonly asking: AskingPolicy;
  /** Globs the step may write to; null: anywhere in the working tree. */
  readonly allowWrite: readonly string[] | null;
  readonly limits: Limits;
}

export function gatesOf({ gates }: Pick<Step, "gates">): readonly GateSpec[] {
  return gates.kind === "none" ? [] : gates.gates;
}

/** The templates that a step needs, by name. */
export function templatesOf({ prompt, coach }: Named): readonly string[] {
  return [
    ...(prompt.kind === "template" ? [prompt.name] : []),
    ...(coach === null ? [] : [coach.prompt]),
  ];
}

interface Named extends Pick<Step, "prompt"> {
  readonly coach: Pick<CoachSpec, "prompt"> | null;
}

/** The built-in prompt for planning, or the project's own in its place. */
export function isPlanning({ prompt }: Pick<Step, "prompt">): boolean {
  return prompt.kind === "template" && prompt.name === "plan";
}

/** Checks that must fail, and files that must be there, belong to their own step alone. */
export function mustPass(gate: GateSpec): boolean {
  return gate.required && gate.kind === "command" && gate.expect === "pass";
}

export type TaskSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "words" };

/** One unit of work with everything resolved: flags over environment over task over step over config. */
export interface Task extends Pick<Policy, "stall" | "reset" | "uncertainty" | "proof" | "allow"> {
  readonly id: TaskId;
  readonly title: string;
  /** The Markdown body without front matter. */
  readonly body: string;
  readonly source: TaskSource;
  readonly pipeline: string;
  readonly steps: readonly Step[];
  readonly dependsOn: readonly TaskId[];
  /** Labels of the machines of a fleet that may work on it; absent: all may. */
  readonly needs?: readonly string[];
  /** The task of which this is one of several candidates; null: it is the only one. */
  readonly contest: TaskId | null;
  readonly scope: readonly string[];
  /** Text of the sequence's `_*.md` files, given to every step. */
  readonly context: readonly { readonly name: string; readonly text: string }[];
}

/** Command lines of the gates. */
export function commandsOf(gates: readonly GateSpec[]): readonly string[] {
  return gates.flatMap((gate) => (gate.kind === "command" ? [gate.run] : []));
}
