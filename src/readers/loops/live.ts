// How do the events of a running session become steps?

import { assertNever } from "../../core/model/assert.ts";
import { toolArgumentsOf } from "./canonical.ts";
import type { ToolEvent } from "../../core/model/session-event.ts";
import { afterStep, loopIn } from "./detect-loop.ts";
import { NO_LOOP, type LoopState } from "./memory.ts";
import type { LoopFinding, Mode, Step } from "./step.ts";

/** The events of a session as far as loops show in them. Every event a driver emits is one. */
export type LoopEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | ToolEvent
  | { readonly type: "retry"; readonly detail: string }
  | { readonly type: "note"; readonly text: string }
  | { readonly type: "condensation" }
  | { readonly type: "user-message" };

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

export function afterEvent(watch: LoopWatch, event: LoopEvent, mode: Mode): LoopWatch {
  const step = (next: Step): LoopWatch => ({ ...watch, loop: afterStep(watch.loop, next, mode) });
  switch (event.type) {
    case "text":
      return step({ kind: "text", text: `${event.text}\n` });
    case "thinking":
    case "retry":
      return watch;
    case "note":
      return step({ kind: "message-end" });
    case "condensation":
      return step({ kind: "condensation" });
    case "user-message":
      return step({ kind: "user-message" });
    case "tool-call":
      return afterCall(watch, event, mode);
    case "tool-result":
      return afterResult(watch, event, mode);
    default:
      return assertNever(event);
  }
}

export function loopAt(watch: LoopWatch): LoopFinding | null {
  return loopIn(watch.loop);
}

function afterCall(
  watch: LoopWatch,
  event: Extract<LoopEvent, { type: "tool-call" }>,
  mode: Mode,
): LoopWatch {
  const args = toolArgumentsOf(event.input);
  const isTwin = watch.pending.some((call) => call.tool === event.tool && call.args === args);
  const pending = [...watch.pending, { id: event.id, tool: event.tool, args, isTwin }];
  // What was said before the call is complete.
  const loop = afterStep(watch.loop, { kind: "message-end" }, mode);
  const [oldest, ...rest] = pending;
  if (oldest === undefined || pending.length <= PENDING_MAX) return { pending, loop };
  return {
    pending: rest,
    loop: oldest.isTwin ? loop : afterStep(loop, stepOf(oldest, null), mode),
  };
}

function afterResult(
  watch: LoopWatch,
  event: Extract<LoopEvent, { type: "tool-result" }>,
  mode: Mode,
): LoopWatch {
  const call = watch.pending.find(({ id }) => id === event.id);
  // The result of a call that nobody saw tells nothing about what was asked.
  if (call === undefined) return watch;
  const pending = watch.pending.filter((other) => other !== call);
  if (call.isTwin) return { ...watch, pending };
  const result = { text: event.output, isError: event.isError };
  return { pending, loop: afterStep(watch.loop, stepOf(call, result), mode) };
}

function stepOf(
  call: PendingCall,
  result: Extract<Step, { kind: "tool" }>["result"],
): Extract<Step, { kind: "tool" }> {
  return { kind: "tool", tool: call.tool, args: call.args, result };
}
