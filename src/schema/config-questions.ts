// How long may questions wait, and what happens then?

import { z } from "zod";

import type { AskingPolicy } from "../core/model/question.ts";
import type { QuestionSettings } from "../core/model/settings.ts";
import { duration } from "./fields.ts";
import { given, milliseconds } from "./limit-choice.ts";

const whenExpired = z.enum(["default", "skip", "stall", "wait"]);
const deadline = { expiresIn: duration.optional(), whenExpired: whenExpired.optional() };

export const questionsShape = z.strictObject({
  ...deadline,
  hold: duration.optional(),
  levels: z.partialRecord(z.enum(["1", "2", "3", "4", "5"]), z.strictObject(deadline)).optional(),
});

type Deadline = z.infer<z.ZodObject<typeof deadline>>;

export function questionsOf(written: z.infer<typeof questionsShape> | undefined): QuestionSettings {
  const levels = written?.levels ?? {};
  return {
    general: { ...deadlineOf(written ?? {}), ...given({ holdMs: milliseconds(written?.hold) }) },
    levels: given({
      1: deadlineOrNone(levels["1"]),
      2: deadlineOrNone(levels["2"]),
      3: deadlineOrNone(levels["3"]),
      4: deadlineOrNone(levels["4"]),
      5: deadlineOrNone(levels["5"]),
    }),
  };
}

function deadlineOf({ expiresIn, whenExpired: then }: Deadline): Partial<AskingPolicy> {
  return given({ expiresInMs: milliseconds(expiresIn), whenExpired: then });
}

function deadlineOrNone(written: Deadline | undefined): Partial<AskingPolicy> | undefined {
  return written === undefined ? undefined : deadlineOf(written);
}
