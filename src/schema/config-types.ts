// What can a config file say? The types that `defineConfig` gives its author.

import type { SignalId } from "../core/model/signals.ts";
import type { IrreversibleAction } from "../core/model/irreversible.ts";

/** A time with its unit: "90s", "15m", "2h", "1h30m". */
export type Duration = string;

export interface CommandGateConfig {
  /** Run by the system shell in the working tree; its exit code and output are the verdict. */
  run: string;
  /** "fail" is for test-first steps: the command must run and fail. Default "pass". */
  expect?: "pass" | "fail" | undefined;
  /** Default "15m". A gate that takes longer is unknown, not failed. */
  timeout?: Duration | undefined;
  /** Default true. A gate that is not required is run and reported, and decides nothing. */
  required?: boolean | undefined;
  /** Whose output it is; "auto" finds out. Default "auto". */
  parse?: "auto" | "none" | "vitest" | "jest" | "node-test" | "pytest" | "tap" | undefined;
  /**
   * Further runs on the same tree after a verdict that is not "passed". A gate that fails and then
   * passes is reported as flaky. Default: 1 after an unknown verdict, none after a failed one.
   */
  retries?: number | undefined;
}

export interface FileGateConfig {
  /** A path relative to the working tree. */
  fileExists: string;
  required?: boolean | undefined;
}

export type GateConfig = CommandGateConfig | FileGateConfig;

export interface StepConfig {
  name: string;
  /** Name of a template in `prompts/`, or "self": the task's own text. */
  prompt: string;
  agent?: string | undefined;
  model?: string | undefined;
  /** Names of configured gates, gates written in place, or "none". Default: the task's, else all configured. */
  gates?: "none" | (string | (GateConfig & { name: string }))[] | undefined;
  /** Globs the step may write to. Default: anywhere in the working tree. */
  fileAccess?: { allowWrite: string[] } | undefined;
  attempts?: number | undefined;
  interactionThreshold?: number | undefined;
  /** A person confirms the plan before it is carried out. Default: at interaction threshold 5 only. */
  confirm?: boolean | undefined;
}

/** How long a question may wait for a person, and what happens then. */
export interface DeadlineConfig {
  /** Default: for ever. */
  expiresIn?: Duration | undefined;
  /**
   * "default": the agent goes on with the question's default, or with the most conservative reading;
   * what orch itself asks ends the task. "skip" and "stall" end the task. "wait": nothing happens.
   * Default "default".
   */
  whenExpired?: "default" | "skip" | "stall" | "wait" | undefined;
}

export type AgentConfig =
  | {
      driver: "claude-code";
      /** The program, with leading arguments where it is a list. Default: `claude` from PATH. */
      command?: string | string[] | undefined;
      model?: string | undefined;
      env?: Record<string, string> | undefined;
    }
  | {
      driver: "command";
      /** A line for the shell, or a program with its arguments. */
      command: string | string[];
      /** How the prompt reaches it: on standard input, the default, or as the file that ORCH_PROMPT names. */
      promptVia?: "stdin" | "file" | undefined;
      model?: string | undefined;
      env?: Record<string, string> | undefined;
    }
  | {
      driver: "script";
      /** A scripted session, relative to the config's folder. */
      script: string;
      model?: string | undefined;
      env?: Record<string, string> | undefined;
    };

/** Limits of one task. Each replaces its default; null, where it is allowed, means no limit. */
export interface BudgetConfig {
  /** Attempts of one step. Default 3, and 5 where there is progress; a number of your own is not extended. */
  attempts?: number | undefined;
  /** Attempts of one step that makes progress. */
  attemptsWithProgress?: number | undefined;
  replans?: number | undefined;
  handoffs?: number | undefined;
  sessions?: number | undefined;
  questions?: number | undefined;
  costUsd?: number | null | undefined;
  /** Fresh input, output and cache writes; cache reads are not limited. */
  tokens?: number | null | undefined;
  /** Working time, without pauses and waits. */
  time?: Duration | undefined;
  /** Model rounds of one session. */
  turns?: number | undefined;
}

export interface OrchConfig {
  /** Name of the agent that works where neither task nor step names one. Default "claude-code". */
  agent?: string | undefined;
  agents?: Record<string, AgentConfig> | undefined;
  model?: string | undefined;
  /** Where task files are, relative to this file. Default "tasks". */
  taskFolder?: string | undefined;
  pipelines?: Record<string, StepConfig[]> | undefined;
  defaultPipeline?: string | undefined;
  /** What proves the work, by name; "none": nothing does, and every summary will say so. */
  gates?: "none" | Record<string, GateConfig> | undefined;
  /** 0 never waits for a person, 5 asks most readily. Default 0. */
  interactionThreshold?: number | undefined;
  /** How many new plans a task may get. Default 2. */
  replans?: number | undefined;
  budget?:
    | (BudgetConfig & {
        /** Limits of the whole run. */
        run?:
          | {
              costUsd?: number | null | undefined;
              time?: Duration | undefined;
              questions?: number | undefined;
            }
          | undefined;
      })
    | undefined;
  /** When the k-th look in a row at the same trouble changes the decision. */
  stall?:
    | {
        sameFailure?:
          | { demand?: number | undefined; replan?: number | undefined; stall?: number | undefined }
          | undefined;
        unknownGate?: { demand?: number | undefined; stall?: number | undefined } | undefined;
        noChange?: { stall?: number | undefined } | undefined;
        timedOut?: { replan?: number | undefined } | undefined;
        stateReturns?: { stall?: number | undefined } | undefined;
        sameFingerprintEver?: number | undefined;
      }
    | undefined;
  /** The score that starts a question or a new plan; see docs/decisions.md. */
  uncertainty?:
    | {
        enabled?: boolean | undefined;
        /** Where orch acts, in place of what the level says; level 0 makes a new plan there. */
        threshold?: number | undefined;
        /** Where a task is skipped when nobody is to be asked. Default 10. */
        autoSkipThreshold?: number | undefined;
        /** false: a score never asks a person. */
        interactive?: boolean | undefined;
        /** What each signal adds, by its name. */
        weights?: Partial<Record<SignalId, number | undefined>> | undefined;
      }
    | undefined;
  /** A second model that may be asked where no rule speaks. Off unless `enabled` is true. */
  judge?:
    | {
        enabled?: boolean | undefined;
        model?: string | undefined;
        /** The variable that holds its key. Default "ANTHROPIC_API_KEY". */
        apiKeyEnv?: string | undefined;
        baseUrl?: string | undefined;
        /** Answers below this change nothing. Default 0.9. */
        confidence?: number | undefined;
        /** The first attempt after which it may be asked. Default 3. */
        fromAttempt?: number | undefined;
        /** For one call, from 1s to 10m. Default "60s". */
        timeout?: Duration | undefined;
      }
    | undefined;
  questions?:
    | (DeadlineConfig & {
        /** How long an agent's own call is held open before it is told to stop and wait. Default "4m". */
        hold?: Duration | undefined;
        /** Other deadlines for questions at a level. */
        levels?: Partial<Record<"1" | "2" | "3" | "4" | "5", DeadlineConfig>> | undefined;
      })
    | undefined;
  /** What agents may do without leave although it cannot be undone, or others see it. */
  irreversible?: { allow: IrreversibleAction[] } | undefined;
  /** Who is told, once for each, that a question waits or that the run is over. */
  notify?:
    | {
        /** A line for the shell; the record is its standard input. */
        command?: string | undefined;
        /** Gets the record as a POST with JSON. */
        url?: string | undefined;
        /** A header of that request; its value is read from the environment variable `env`. */
        header?: { name: string; env: string } | undefined;
        /** For one try, from 1s to 60s. Default "10s". */
        timeout?: Duration | undefined;
        /** Ring the terminal's bell and set its title while a question waits. Default true. */
        bell?: boolean | undefined;
      }
    | undefined;
  git?:
    | {
        /** "branch": each task on a branch of its own; "none": on what is checked out. Default "branch". */
        isolation?: "branch" | "none" | undefined;
        /** Commit each passed step. Default: true on a task's own branch, else false. */
        autoCommit?: boolean | undefined;
        /** Default "orch/". */
        branchPrefix?: string | undefined;
      }
    | undefined;
  /** At a plan limit: true waits up to 6 hours, false ends with exit code 75. Default true. */
  waitForRateLimitReset?: boolean | { maxWait: Duration } | undefined;
  timeouts?:
    | {
        /** Silence that ends a session. Default "15m". */
        idle?: Duration | undefined;
        /** Wall time of one session. Default "2h". */
        session?: Duration | undefined;
      }
    | undefined;
}

/** Gives the config its type: `export default defineConfig({ … })`. Returns it unchanged. */
export function defineConfig(config: OrchConfig): OrchConfig {
  return config;
}
