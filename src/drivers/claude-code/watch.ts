// When must a session be stopped although nobody asked for it?

import { excerpt } from "../../core/model/excerpt.ts";
import type { SessionEvent } from "../../core/model/session.ts";
import type { StreamLines } from "../../adapters/process/output-lines.ts";
import { activityIn } from "./activity.ts";
import type { Hooks } from "./hooks.ts";
import { NO_FACTS, finalResult, withEvent, type StreamFacts } from "./facts.ts";
import { isObject, textAt, type JsonObject } from "../../core/model/json.ts";

/** Why orch stopped the session; "ended-before": it had given its last result and lingered. */
export type Stopped = "channel-missing" | "call-unknown" | "ended-before" | "interrupted";

export type StreamWatch = ReturnType<typeof watchStream>;

const TESTED_VERSION = "2.1.329";

/** What the program must have taken up as it starts. */
export interface Expected {
  readonly hooks: Pick<Hooks, "areLive">;
  /** The tool to ask with is offered. */
  readonly asks: boolean;
}

export interface WatchOptions {
  readonly expected: Expected;
  readonly lingerMs: number;
  /** After each event behind which a result is the last word. */
  readonly onResult: () => void;
}

/** Reads the stream of one process and ends what cannot come to anything. */
export function watchStream({ expected, lingerMs, onResult }: WatchOptions, signal: AbortSignal) {
  const stopped = new AbortController();
  let facts = NO_FACTS;
  let first: Stopped | null = null;
  let linger: NodeJS.Timeout | null = null;

  const stop = (why: Stopped): void => {
    first ??= why;
    stopped.abort();
  };
  const noteInterruption = (): void => {
    first ??= finalResult(facts) === null ? "interrupted" : "ended-before";
  };
  if (signal.aborted) noteInterruption();
  signal.addEventListener("abort", noteInterruption, { once: true });

  const react = (event: JsonObject): void => {
    if (linger !== null) clearTimeout(linger);
    linger = null;
    if (finalResult(facts) !== null) {
      onResult();
      linger = setTimeout(() => stop("ended-before"), lingerMs);
    } else if (isStart(event) && channelTrouble(facts, expected) !== null) stop("channel-missing");
  };
  return {
    /** Aborts for the caller's reasons and for this watch's own. */
    signal: AbortSignal.any([signal, stopped.signal]),
    listen: (emit: (event: SessionEvent) => void): StreamLines => ({
      onJson: (value) => {
        if (!isObject(value)) return;
        const isNew = facts.version === null;
        facts = withEvent(facts, value);
        if (isNew && isOlder(facts.version)) emit({ type: "note", text: olderWords(facts) });
        for (const event of activityIn(value)) emit(event);
        react(value);
      },
      onText: (text) => emit({ type: "note", text: excerpt(text, 500) }),
    }),
    facts: (): StreamFacts => facts,
    /** The first cause, which is never overwritten; null: nothing stopped it. */
    stopped: (): Stopped | null => first,
    stop,
    channelTrouble: () => channelTrouble(facts, expected) ?? "",
    close: () => {
      signal.removeEventListener("abort", noteInterruption);
      if (linger !== null) clearTimeout(linger);
    },
  };
}

function isStart(event: JsonObject): boolean {
  return textAt(event, "type") === "system" && textAt(event, "subtype") === "init";
}

/** Hooks and tools that are not taken up are missed in silence: this is where it is noticed. */
function channelTrouble(facts: StreamFacts, { hooks, asks }: Expected): string | null {
  if (!hooks.areLive()) {
    return "Claude Code did not take up orch's hooks; does a policy in its settings forbid hooks?";
  }
  if (asks && facts.offersAsking === false)
    return "Claude Code does not offer the tool ask_human; does a policy in its settings forbid tool servers?";
  return null;
}

function isOlder(version: string | null): boolean {
  if (version === null) return false;
  const numbers = version.split(".").map(Number);
  const tested = TESTED_VERSION.split(".").map(Number);
  const at = tested.findIndex((number, n) => number !== numbers[n]);
  return at >= 0 && (numbers[at] ?? 0) < (tested[at] ?? 0);
}

function olderWords({ version }: StreamFacts): string {
  return `Claude Code ${excerpt(version ?? "", 40)} is older than ${TESTED_VERSION}, with which orch was tested`;
}
