// How do a flag's words or a file's keys become a policy, and what is said where they cannot?

import { valueAt, type ConfigPolicy } from "../../core/views/policy-overlay.ts";
import type { PolicyChoice, Reach } from "../../schema/policy-choice.ts";
import type { Checked } from "../../schema/parsed.ts";
import { OrchError, type ErrorCode } from "../../errors.ts";

export interface ChosenValue {
  readonly key: string;
  readonly value: unknown;
  /** "--set", or the file. */
  readonly from: string;
}

/**
 * A flag that takes several words takes the arguments behind it too; those have no "=". null: none
 * of the words sets anything. The schema is loaded only where something is chosen.
 */
export async function wordsChoice(
  given: readonly string[],
  reach: Reach,
): Promise<{ readonly choice: PolicyChoice | null; readonly rest: readonly string[] }> {
  const words = given.filter((word) => word.includes("="));
  const rest = given.filter((word) => !word.includes("="));
  if (words.length === 0) return { choice: null, rest };
  const { choiceFromWords } = await import("../../schema/policy-choice.ts");
  return { choice: orThrow(choiceFromWords(words, reach), "usage"), rest };
}

export async function fileChoice(path: string, cwd: string): Promise<PolicyChoice> {
  const [{ readPolicyFile }, { choiceFromConfig }] = await Promise.all([
    import("../../adapters/project/config-loader.ts"),
    import("../../schema/policy-choice.ts"),
  ]);
  const { name, text, raw } = await readPolicyFile(path, cwd);
  return orThrow(choiceFromConfig(raw, { file: name, text }), "config-invalid");
}

/** Lays the choices over a policy, one after the other; throws where they contradict it. */
export async function laidOver(
  choices: readonly PolicyChoice[],
): Promise<<P extends ConfigPolicy>(base: P) => P> {
  if (choices.length === 0) return (base) => base;
  const { policyUnder } = await import("../../schema/policy-choice.ts");
  return (base) =>
    choices.reduce((policy, one) => orThrow(policyUnder(one, policy), "usage"), base);
}

/** What was chosen, as it is named to a person. */
export function valuesOf({ named, raw, source }: PolicyChoice): readonly ChosenValue[] {
  const values = named.map(({ key }) => {
    return { key, value: valueAt(raw, key.split(".")), from: source.file };
  });
  // `{ maxWait: "2h" }` is shown by the key inside it.
  return values.filter(({ value }) => typeof value !== "object" || value === null);
}

function orThrow<T>(found: Checked<T>, code: ErrorCode): T {
  if (found.ok) return found.value;
  const [first, ...more] = found.problems;
  const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
  throw new OrchError(
    code,
    `${first?.where ?? "policy"}: ${first?.message ?? "not understood"}${rest}`,
    first?.suggestion ?? "`orch policy` shows the keys with their values",
  );
}
