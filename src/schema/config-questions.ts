// How long may questions wait, and what happens then?

import { z } from "zod";

import type { AskingPolicy } from "../core/model/question.ts";
import type { QuestionSettings } from "../core/model/settings.ts";
import { milliseconds } from "./duration.ts";
import { duration } from "./fields.ts";
import { key } from "./key.ts";

const whenExpired = z.enum(["default", "skip", "stall", "wait"]);

const ofLevel = z
  .strictObject({
    expiresIn: key(duration, "As above, for the questions at that level.", "`expiresIn`"),
    whenExpired: key(whenExpired, "The same.", "`whenExpired`"),
  })
  .meta({ id: "DeadlineConfig" });

export const questionsShape = z.strictObject({
  expiresIn: key(duration, "How long a question waits for a person.", "for ever"),
  whenExpired: key(
    whenExpired,
    'Then: `"default"` takes the question\'s default, or the most conservative reading; what orch itself asked ends the task. `"skip"` and `"stall"` end the task. `"wait"`: it keeps waiting, and shows as overdue.',
    { fallback: "default" },
  ),
  hold: key(
    duration,
    "How long the call of a running agent is held open for an answer, before the agent is told to stop and wait.",
    { fallback: "4m" },
  ),
  levels: key(
    z.partialRecord(z.enum(["1", "2", "3", "4", "5"]), ofLevel),
    "Other deadlines for the questions at one level, `1` to `5`.",
  ),
});

export function questionsOf(written: z.infer<typeof questionsShape> = {}): QuestionSettings {
  const { hold, levels = {} } = written;
  const held = hold === undefined ? {} : { holdMs: milliseconds(hold) };
  const deadlines = Object.entries(levels).map(([level, each]) => [level, deadlineOf(each)]);
  return { general: { ...deadlineOf(written), ...held }, levels: Object.fromEntries(deadlines) };
}

function deadlineOf(written: z.infer<typeof ofLevel>): Partial<AskingPolicy> {
  const { expiresIn, whenExpired: then } = written;
  return {
    ...(expiresIn === undefined ? {} : { expiresInMs: milliseconds(expiresIn) }),
    ...(then === undefined ? {} : { whenExpired: then }),
  };
}
