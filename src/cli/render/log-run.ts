// How does an event of the run itself, rather than of a task, read as one line?

import { assertNever } from "../../core/model/assert.ts";
import type { RunEvent } from "../../core/model/event.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { exitMeaning } from "../../core/run/outcome.ts";
import { plural, type Tone } from "./text.ts";

export interface Told {
  readonly text: string;
  readonly tone: Tone | null;
}

export type Of<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

export function tellRun(
  event: Of<"run-started" | "run-resumed" | "run-interrupted" | "run-ended">,
): Told {
  switch (event.type) {
    case "run-started":
      return { text: `run ${event.run}`, tone: "strong" };
    case "run-resumed":
      return {
        text: event.stopped === "killed" ? "resumed: the process before was killed" : "resumed",
        tone: "strong",
      };
    case "run-interrupted":
      return { text: `interrupted by ${event.signal}; the state is kept`, tone: "attention" };
    case "run-ended":
      return {
        text: `left with exit code ${event.exitCode}: ${exitMeaning(event.exitCode)}`,
        tone: "strong",
      };
    default:
      return assertNever(event, "event");
  }
}

export function tellNotice(
  event: Of<"log-repaired" | "wait-ended" | "budget-warned" | "orphan-ended" | "rescued">,
): Told {
  switch (event.type) {
    case "log-repaired":
      return quiet(`an unfinished line of ${plural(event.bytes, "byte")} was cut off the log`);
    case "wait-ended":
      return calm("the wait is over");
    case "budget-warned":
      return { text: `${event.limit}: 80 % of the limit is used`, tone: "attention" };
    case "orphan-ended":
      return quiet(
        `${plural(event.pids.length, "process")} of a dead session ended`.replace(
          "processs",
          "processes",
        ),
      );
    case "rescued":
      return calm(`kept at ${event.ref}: ${excerpt(event.why, 120)}`);
    default:
      return assertNever(event, "event");
  }
}

export function calm(text: string): Told {
  return { text, tone: null };
}

export function quiet(text: string): Told {
  return { text, tone: "quiet" };
}
