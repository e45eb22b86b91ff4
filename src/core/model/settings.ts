// What did the user choose, before a task, its steps and the defaults are laid over each other?

import type { CoachSpec } from "./coach.ts";
import type { LandingHow } from "./landing.ts";
import type { TokenCounts } from "./session.ts";
import type { UncertaintyPolicy } from "./signals.ts";
import type { StepId } from "./ids.ts";
import type { IrreversibleAction } from "./irreversible.ts";
import type { AskingPolicy } from "./question.ts";
import type {
  Level,
  Isolation,
  Limits,
  ProofPolicy,
  ProofSettings,
  ResetPolicy,
  RunLimits,
  StallTable,
} from "./policy.ts";
import type { GateSpec, PromptSource } from "./task.ts";

/** Limits that were named; the others come from the layer below. */
export type LimitChoice = Partial<Limits>;

/** Which gates prove a step: some, all by name, or explicitly none. */
export type GateChoice =
  | { readonly kind: "none" }
  /** Names of configured gates, and gates written in place. */
  | { readonly kind: "these"; readonly gates: readonly (string | GateSpec)[] };

/** As written; what is null is the step's own. */
export interface CoachChoice extends Pick<CoachSpec, "prompt" | "share"> {
  readonly agent: string | null;
  readonly model: string | null;
}

export interface StepSettings {
  readonly id: StepId;
  readonly prompt: PromptSource;
  readonly agent: readonly string[] | null;
  readonly model: string | null;
  /** null: the task's gates, else all configured ones. */
  readonly gates: GateChoice | null;
  readonly level: Level | null;
  readonly allowWrite: readonly string[] | null;
  readonly attempts: number | null;
  /** null: nobody looks at finished work. */
  readonly coach: CoachChoice | null;
  /** null: level 5 confirms the plan, the others do not. */
  readonly confirm: boolean | null;
}

export interface Pipeline {
  readonly name: string;
  readonly steps: readonly StepSettings[];
}

/** US dollars for a million tokens. */
export type Price = Readonly<Record<keyof TokenCounts, number>>;
export type PriceTable = Readonly<Record<string, Price>>;

/** The config file in the core's words. */
export interface Settings {
  /** The preferred one first; the others take over from it. */
  readonly agent: readonly string[];
  readonly agents: readonly AgentSpec[];
  readonly model: string | null;
  /** As a task's own. */
  readonly bestOf: Choices["bestOf"];
  /** Of models, by name; they go before orch's own. */
  readonly prices: PriceTable;
  /** Relative to the config's folder. */
  readonly taskFolder: string;
  readonly pipelines: readonly Pipeline[];
  readonly defaultPipeline: string;
  /** Every configured gate; "none": steps without gates of their own go unproved, by choice. */
  readonly gates: readonly GateSpec[] | "none";
  readonly level: Level | null;
  readonly limits: LimitChoice;
  readonly runLimits: RunLimits;
  readonly stall: StallTable;
  readonly reset: ResetPolicy;
  readonly proof: ProofSettings;
  readonly uncertainty: UncertaintyPolicy;
  /** How many tasks may run at once. */
  readonly parallel: number;
  readonly git: GitSettings;
  readonly worktree: WorktreeSettings;
  readonly sandbox: SandboxSettings;
  readonly questions: AskingPolicy;
  readonly notify: NotifySettings;
  /** What cannot be undone, and every task may do without asking. */
  readonly allowedActions: readonly IrreversibleAction[];
}

/** Who is told that a question waits or that the run is over. */
export interface NotifySettings {
  /** Run by the system shell with the record on standard input; null: none. */
  readonly command: string | null;
  /** Gets the record as a POST; null: none. */
  readonly url: string | null;
  /** A header whose value is a secret, kept in an environment variable. */
  readonly header: { readonly name: string; readonly variable: string } | null;
  /** Which service it is; null: `url` gets the record. */
  readonly to: (typeof NOTIFY_TARGETS)[number] | null;
  /** Of Telegram: who gets it. */
  readonly chat: string | null;
}

/** "desktop" needs no address: it is the screen of this machine. */
export const NOTIFY_TARGETS = ["slack", "discord", "ntfy", "telegram", "desktop"] as const;

/** More agents at once than this no machine carries. */
export const PARALLEL_MAX = 64;

export interface GitSettings {
  readonly isolation: Isolation;
  readonly autoCommit: boolean;
  readonly branchPrefix: string;
  readonly landing: LandingHow;
}

/** The working trees of tasks: where they lie, and how they come to be ready. */
export interface WorktreeSettings {
  /** Absolute, or below the home folder by "~/"; null: the user's folder for state. */
  readonly root: string | null;
  /** Patterns as in .gitignore; null: `.worktreeinclude`, else installed dependencies and settings. */
  readonly include: readonly string[] | null;
  readonly setup: SetupCommand | null;
  /** Run in a proving place on each commit, before its gates: what they need and no commit holds. */
  readonly prepare: SetupCommand | null;
  /** Folders beside the checkout that trees and places have beside them, too, by name. */
  readonly neighbours: readonly string[];
}

/** In what agents, gates and setup commands are confined. */
export const SANDBOXES = ["none", "bwrap"] as const;
export type SandboxKind = (typeof SANDBOXES)[number];

/** Who reaches the network: agents, gates and setup; agents alone, as they need their provider; nobody. */
export const NETWORKS = ["all", "agents", "none"] as const;

export interface SandboxSettings {
  readonly use: SandboxKind;
  readonly network: (typeof NETWORKS)[number];
  /** Absolute, or below the home folder by "~/": seen besides what is seen anyway, read only. */
  readonly read: readonly string[];
  /** The same, to be written, too. */
  readonly write: readonly string[];
  /** Whether programs inside may make user namespaces of their own, as browsers do. */
  readonly userns: boolean;
}

/** A line for the shell that makes a fresh tree ready. */
export interface SetupCommand {
  readonly run: string;
  readonly timeoutMs: number;
}

/** What a task and the command line can both say; null and empty: not given. */
interface Choices {
  readonly pipeline: string | null;
  readonly level: Level | null;
  /** The preferred one first; the others take over from it. */
  readonly agent: readonly string[] | null;
  readonly model: string | null;
  readonly limits: LimitChoice;
  /** So many candidates, each by this agent or (null) by the one that is chosen anyway. */
  readonly bestOf: readonly (string | null)[] | null;
}

const NO_CHOICES: Choices = {
  pipeline: null,
  level: null,
  agent: null,
  model: null,
  limits: {},
  bestOf: null,
};

/** A task's front matter in the core's words. */
export interface TaskSettings extends Choices {
  readonly gates: GateChoice | null;
  readonly scope: readonly string[];
  /** As written; which tasks are meant depends on the tasks around it. */
  readonly dependsOn: readonly string[];
  readonly needs: readonly string[];
  readonly allow: readonly string[];
  readonly enough: Exclude<ProofPolicy["enough"], null>;
}

const NOTHING = { gates: null, scope: [], dependsOn: [], needs: [], allow: [] } as const;
export const NO_TASK_SETTINGS: TaskSettings = { ...NO_CHOICES, ...NOTHING, enough: "proven" };

/** What the command line and the environment say. */
export interface Overrides extends Choices {
  readonly proof: Pick<ProofPolicy, "changedChecks"> | null;
  readonly sandbox: SandboxKind | null;
  /** What earlier runs measured does not count. */
  readonly fresh: boolean;
}

export const NO_OVERRIDES: Overrides = { ...NO_CHOICES, proof: null, sandbox: null, fresh: false };

/** Config and prompts as they were read, in a file of the run's folder that is named by its content. */
export interface PinnedPolicy {
  readonly sha256: string;
  /** The files, and those of the context of all tasks, from the repository's root. */
  readonly paths: readonly string[];
}

interface Named {
  /** The name that tasks and steps use. */
  readonly name: string;
  /** Used where neither task nor step names one; null: the program's own default. */
  readonly model: string | null;
  /** Added to the agent's environment. */
  readonly env: Readonly<Record<string, string>>;
}

export const CODEX_SANDBOXES = ["workspace-write", "danger-full-access"] as const;
export type CodexSandbox = (typeof CODEX_SANDBOXES)[number];

/** One entry of the config's `agents`, resolved: every path absolute, every default applied. */
export type AgentSpec =
  | (Named & {
      readonly driver: "claude-code";
      /** Program with leading arguments; null: `claude` from PATH. */
      readonly command: readonly string[] | null;
    })
  | (Named & {
      readonly driver: "codex";
      /** Program with leading arguments; null: `codex` from PATH. */
      readonly command: readonly string[] | null;
      /** Its own, in which it runs commands. */
      readonly sandbox: CodexSandbox;
    })
  | (Named & {
      readonly driver: "anthropic";
      /** orch's own program. */
      readonly command: null;
      /** How much its model can read at once. */
      readonly contextTokens: number;
    })
  | (Named & {
      readonly driver: "acp";
      /** Program with arguments. */
      readonly command: readonly [string, ...string[]];
      /** How long it waits for the answer of a tool; null: as orch knows of it. */
      readonly toolSeconds: number | null;
    })
  | (Named & {
      readonly driver: "command";
      /** Program with arguments; a config's single string has become `["/bin/sh", "-c", line]`. */
      readonly command: readonly [string, ...string[]];
      /** How the prompt reaches it: on standard input, or as the file that ORCH_PROMPT names. */
      readonly promptVia: "stdin" | "file";
      /** What its standard output holds: words, or an event a line. */
      readonly prints: "text" | "events";
    });
