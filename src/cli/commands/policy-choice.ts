// How do a flag's words or a file's keys become a policy, and what is said where they cannot?

import { valueAt, type ConfigPolicy } from "../../core/views/policy-overlay.ts";
import type { PolicyChoice, Reach } from "../../schema/policy-choice.ts";
import type { Checked, Problem } from "../../schema/parsed.ts";
import { OrchError, type ErrorCode } from "../../errors.ts";

/** What was chosen, and how to name it to a person. */
export interface Chosen {
  readonly choice: PolicyChoice | null;
  readonly values: readonly ChosenValue[];
}

export interface ChosenValue {
  readonly key: string;
  readonly value: unknown;
  /** "--set", or the file. */
  readonly from: string;
}

export const NO_CHOICE: Chosen = { choice: null, values: [] };

/** A flag that takes several words takes the runs behind it too; those have no "=". */
export function wordsAndRest(given: readonly string[]) {
  return {
    words: given.filter((word) => word.includes("=")),
    rest: given.filter((word) => !word.includes("=")),
  };
}

/** The schema is loaded only where something is chosen: a mere look at a run does without it. */
export async function wordsChoice(words: readonly string[], reach: Reach): Promise<Chosen> {
  const { choiceFromWords } = await import("../../schema/policy-choice.ts");
  return chosen(orThrow(choiceFromWords(words, reach), "usage"));
}

export async function fileChoice(path: string, cwd: string): Promise<Chosen> {
  const [{ readPolicyFile }, { choiceFromConfig }] = await Promise.all([
    import("../../adapters/project/policy-file.ts"),
    import("../../schema/policy-choice.ts"),
  ]);
  const { name, text, raw } = await readPolicyFile(path, cwd);
  return chosen(orThrow(choiceFromConfig(raw, { file: name, text }), "config-invalid"));
}

/** Lays the choices over a policy, one after the other; throws where they contradict it. */
export async function laidOver(
  all: readonly Chosen[],
): Promise<<P extends ConfigPolicy>(base: P) => P> {
  const choices = all.flatMap(({ choice }) => choice ?? []);
  if (choices.length === 0) return (base) => base;
  const { policyUnder } = await import("../../schema/policy-choice.ts");
  return (base) =>
    choices.reduce((policy, one) => orThrow(policyUnder(one, policy), "usage"), base);
}

function chosen(choice: PolicyChoice): Chosen {
  const values = choice.named.flatMap(({ key }) => {
    const value = valueAt(choice.raw, key.split("."));
    // `{ maxWait: "2h" }` is shown by the key inside it.
    if (typeof value === "object" && value !== null) return [];
    return [{ key, value, from: choice.source.file }];
  });
  return { choice, values };
}

function orThrow<T>(found: Checked<T>, code: ErrorCode): T {
  if (found.ok) return found.value;
  const [first, ...more] = found.problems;
  throw new OrchError(code, messageOf(first, more.length), first?.suggestion ?? HINT);
}

const HINT = "`orch policy` shows the keys with their values";

function messageOf(first: Problem | undefined, more: number): string {
  const rest = more === 0 ? "" : ` (and ${more} more)`;
  return `${first?.where ?? "policy"}: ${first?.message ?? "not understood"}${rest}`;
}
