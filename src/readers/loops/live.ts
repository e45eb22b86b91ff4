// How do the events of a running session become steps?

import { assertNever } from "../../core/model/assert.ts";
import type { SessionEvent } from "../../core/model/session-event.ts";
import { toolArgumentsOf } from "./canonical.ts";
import { afterStep } from "./detect-loop.ts";
import { NO_LOOP, type LoopState } from "./memory.ts";
import type { Step } from "./step.ts";

/** What is remembered while a session runs. One for each agent, where several work at once. */
export interface LoopWatch {
  readonly pending: readonly PendingCall[];
  readonly loop: LoopState;
}

interface PendingCall {
  readonly id: string;
  readonly tool: string;
  readonly args: string;
  /** An equal call had no answer yet: asking at once is not asking again. */
  readonly isTwin: boolean;
}

export const NO_WATCH: LoopWatch = { pending: [], loop: NO_LOOP };

/** More than an agent asks for at once; an older call is taken as one whose answer is not shown. */
const PENDING_MAX = 32;

export function afterEvent(watch: LoopWatch, event: SessionEvent): LoopWatch {
  switch (event.type) {
    case "text":
      return after(watch, { kind: "text", text: `${event.text}\n` });
    case "thinking":
    case "retry":
      return watch;
    case "note":
      return after(watch, { kind: "message-end" });
    case "condensation":
      return after(watch, { kind: "condensation" });
    case "tool-call":
      return afterCall(watch, event);
    case "tool-result":
      return afterResult(watch, event);
    default:
      return assertNever(event);
  }
}

function after(watch: LoopWatch, step: Step): LoopWatch {
  return { ...watch, loop: afterStep(watch.loop, step, "headless") };
}

function afterCall(
  watch: LoopWatch,
  { id, tool, input }: Extract<SessionEvent, { type: "tool-call" }>,
): LoopWatch {
  const args = toolArgumentsOf(input);
  const isTwin = watch.pending.some((call) => call.tool === tool && call.args === args);
  const pending = [...watch.pending, { id, tool, args, isTwin }];
  // What was said before the call is complete.
  const next = after({ ...watch, pending }, { kind: "message-end" });
  const [oldest] = pending;
  return oldest === undefined || pending.length <= PENDING_MAX ? next : ended(next, oldest, null);
}

function afterResult(
  watch: LoopWatch,
  { id, output, isError }: Extract<SessionEvent, { type: "tool-result" }>,
): LoopWatch {
  const call = watch.pending.find((one) => one.id === id);
  // The result of a call that nobody saw tells nothing about what was asked.
  return call === undefined ? watch : ended(watch, call, { text: output, isError });
}

function ended(
  watch: LoopWatch,
  call: PendingCall,
  result: Extract<Step, { kind: "tool" }>["result"],
): LoopWatch {
  const { tool, args, isTwin } = call;
  const rest = { ...watch, pending: watch.pending.filter((other) => other !== call) };
  return isTwin ? rest : after(rest, { kind: "tool", tool, args, result });
}
