// Does the coach withhold approval, and did it say the same before?

import { coachFingerprint, findingWords, objectionsOf } from "../model/coach.ts";
import type { CoachVerdict } from "../model/coach.ts";
import { claimsDone, type Facts } from "./facts.ts";
import { fenced } from "./feedback.ts";
import { feedBack, needsPerson, type Fired } from "./rule.ts";

/** The second time with the same words, or where no attempt is left, a person decides. */
export function coachObjects(f: Facts): Fired | null {
  const { coach } = f.evidence;
  const print = coachFingerprint(coach);
  if (print === null || f.isTaken || !claimsDone(f)) return null;
  const words = objectionsOf(coach).map(findingWords);
  const [first = "", ...others] = words;
  if (f.history.coached.includes(print))
    return needsPerson(f, `the coach asks for the same again: ${first}`, others, "dispute");
  if (f.history.counted + 1 >= f.attemptsMost)
    return needsPerson(f, `the coach does not approve: ${first}`, others, "dispute");
  const feedback = [
    "The checks pass, and a reviewer who looked at the finished work does not approve:",
    ...fenced(words),
    "",
    "Mend what is right in it. Where you disagree, leave it, and say why in your report's summary.",
  ];
  return feedBack(feedback.join("\n"), ...words);
}

/** For who looks back at approved work; "": nobody looked. */
export function coachWords(coach: CoachVerdict): string {
  if (coach.kind === "not-asked") return "";
  if (coach.kind === "unknown") return `the coach gave no verdict: ${coach.why}`;
  const { length } = coach.findings;
  if (objectionsOf(coach).length > 0) return "the coach does not approve";
  return length === 0
    ? "the coach has no objection"
    : `the coach does not block, with ${length} minor ${length === 1 ? "finding" : "findings"}`;
}
