// What is left of a message once labels and noise are gone?

import { inert, oneLine } from "../../core/model/excerpt.ts";
import { withoutNoise } from "./noise.ts";

/**
 * The message with everything that changes from run to run taken out, and everything that tells
 * one error from another kept. Bounded before any pattern is tried.
 */
export function normalise(message: string): string {
  const text = inert(message.slice(0, INPUT_CHARS_MAX).normalize("NFKC"));
  return oneLine(withoutNoise(withoutLabels(text.trim()).toLowerCase())).slice(0, OUTPUT_CHARS_MAX);
}

const INPUT_CHARS_MAX = 2_000;
const OUTPUT_CHARS_MAX = 300;
const LABELS_MAX = 4;

/** What may stand before an error's own words; tried again and again, up to `LABELS_MAX` times. */
const LABEL =
  /^(?:error ts\d+:|npm (?:err!|error)|(?:uncaught |unhandled )?(?:[\w$]{1,80}[.:]{1,2}){0,8}[\w$]{0,80}(?:error|exception|warning|failure)(?: \[[\w ]{1,60}\])?:|fatal(?: error)?:|panic:|e {3,})\s*/i;

function withoutLabels(text: string): string {
  let rest = text;
  for (let n = 0; n < LABELS_MAX; n++) {
    const without = rest.replace(LABEL, "");
    // A label with nothing behind it is the message.
    if (without === rest || without === "") break;
    rest = without;
  }
  return rest;
}
