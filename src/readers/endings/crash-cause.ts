// What stopped a program that died, by the record it left, its exit and its last words?

import type { BlockerType } from "../../core/model/report.ts";
import type { CrashCause } from "../../core/model/evidence.ts";
import type { JsonObject } from "../../core/model/json.ts";
import { endingText, excerptAt, type EndingText } from "./ending-text.ts";
import { faultRecord, type FaultRecord, faultRow } from "./faults.ts";
import { resetIn, type Reader, type Reset } from "./reset-time.ts";

export interface Crash extends Reader {
  /** What the program printed last. */
  readonly text: string;
  /** The record of its end that it printed (`recordIn`); null: none. */
  readonly record: JsonObject | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A record beats the exit, and the exit beats words. null: nothing names a cause that decides anything. */
export function crashCause(crash: Crash): CrashCause | null {
  const record = faultRecord(crash.record ?? {});
  const text = endingText(crash.text);
  if (record.isError === false) return null;
  // A warning on the way to success stops nothing, whatever words it contains.
  const isSuccess = crash.exitCode === 0 && record.isError !== true;
  const cause = ofRecord(record, text) ?? ofExit(crash) ?? (isSuccess ? null : wordsIn(text));
  return cause === null ? null : causeOf(cause, text, resetOf(record, text, crash), crash.nowMs);
}

interface Cause extends Pick<CrashCause, "rule" | "type"> {
  /** Where the decisive words stand. */
  readonly index: number;
  readonly length: number;
}

const NO_WORDS = { index: 0, length: 0 };

function ofRecord({ httpStatus, name }: FaultRecord, text: EndingText): Cause | null {
  const row = faultRow(httpStatus, name);
  if (row === null) return null;
  const words = row.isBroad === true ? wordsIn(text) : null;
  return words ?? { rule: row.id, type: row.type, ...NO_WORDS };
}

interface ExitRow {
  readonly id: string;
  readonly type: BlockerType;
  readonly codes: readonly (number | string | null)[];
}

/** Codes of shells, and what the kernel sends where memory is short. */
export const EXIT_ROWS: readonly ExitRow[] = [
  { id: "exit-command-missing", type: "missing_dependency", codes: [127] },
  { id: "exit-killed", type: "resource_exhausted", codes: [137, "SIGKILL"] },
];

function ofExit({ exitCode, signal }: Crash): Cause | null {
  const row = EXIT_ROWS.find(({ codes }) => codes.includes(signal ?? exitCode));
  return row === undefined ? null : { rule: row.id, type: row.type, ...NO_WORDS };
}

function wordsIn({ words }: EndingText): Cause | null {
  for (const { id, type, any, unless } of WORD_ROWS) {
    if (unless?.test(words) === true) continue;
    for (const pattern of any) {
      const match = pattern.exec(words);
      if (match !== null) return { rule: id, type, index: match.index, length: match[0].length };
    }
  }
  return null;
}

function causeOf(cause: Cause, text: EndingText, stated: Reset | null, nowMs: number): CrashCause {
  const { rule, index, length } = cause;
  const type = stated === null ? cause.type : limitType(cause.type, stated, nowMs);
  const reset = CLEARED_BY_CLOCK.includes(type) ? stated : null;
  return {
    type,
    rule,
    evidence: excerptAt(text, index, length),
    resetAtMs: reset?.atMs ?? null,
    retryAfterMs: reset?.delayMs ?? null,
  };
}

const CLEARED_BY_CLOCK: readonly BlockerType[] = ["usage_limit", "rate_limit", "overloaded"];

/** The same words stand for seconds and for hours; the delay tells which. */
const THROTTLE_MS_MAX = 5 * 60_000;
/** A server that names its own throttle is believed for longer. */
const NAMED_THROTTLE_MS_MAX = 60 * 60_000;

function limitType(type: BlockerType, { atMs, delayMs }: Reset, nowMs: number): BlockerType {
  if (type === "usage_limit" && delayMs !== null && delayMs <= THROTTLE_MS_MAX) return "rate_limit";
  return type === "rate_limit" && atMs - nowMs > NAMED_THROTTLE_MS_MAX ? "usage_limit" : type;
}

function resetOf(record: FaultRecord, text: EndingText, reader: Crash): Reset | null {
  const { resetAtMs, retryAfterMs: delayMs } = record;
  const atMs = resetAtMs ?? (delayMs === null ? null : reader.nowMs + delayMs);
  const reset = atMs === null ? resetIn(text.flat, reader) : { atMs, delayMs };
  return reset !== null && Math.abs(reset.atMs) <= 8.64e15 ? reset : null;
}

/** A family of messages. The text is in lower case, on one line, its names apart: `rate limit`. */
interface WordRow {
  readonly id: string;
  readonly type: BlockerType;
  readonly any: readonly RegExp[];
  /** Words that show that another row is meant. */
  readonly unless?: RegExp;
}

/**
 * In their order of precedence, the particular before the general. Money comes first: its messages also
 * say "quota" and "limit". Throttling comes before the context: "too many tokens, please wait" is a
 * throttle. Credentials come after all limits, whose messages contain hints to sign in.
 */
export const WORD_ROWS: readonly WordRow[] = [
  {
    id: "billing",
    type: "resource_exhausted",
    any: [
      /\binsufficient (?:user )?(?:quota|credits?|balance|funds)\b|\blimit:? 0\b|\bpayment required\b/,
      /\b(?:out of|no|enough|remaining) (?:more )?credits?\b|\bcredit balance\b|\bbalance (?:is )?too low\b/,
      /\bcheck your (?:plan|billing)\b(?!.{0,400}(?:per ?day|per ?minute|retry in \d|retrydelay))/,
      /\b(?:exceeded|over|reached)\b.{0,20} (?:usd|spend\w*|billing|cost) (?:budget|limit|cap)\b/,
    ],
  },
  {
    id: "plan-window",
    type: "usage_limit",
    any: [
      /\b(?:usage|session|daily|weekly|monthly|hour|opus|sonnet|plan|premium)(?: [a-z]+){0,2} (?:limits?|cap|quota|allowance)\b.{0,40}\b(?:reached|exceeded|hit|exhausted|resets?)\b/,
      /\b(?:hit|reached|exceeded?|over|exhausted)\b.{0,20}\b(?:usage|session|daily|weekly|monthly|hour|opus|sonnet|plan|premium)(?: [a-z]+){0,2} (?:limits?|cap|quota|allowance)\b/,
      /\b(?:hit|reached) your (?:\w+ )?limit\b|\bout of (?:extra|your|free|premium) [a-z ]{0,20}(?:usage|requests|messages)\b/,
      /\b(?:exhausted|used up) (?:your|the|all|this)\b.{0,20}\b(?:capacity|quota|usage|limit)\b|\blimit reached\b.{0,20}\bresets?\b/,
      /\bquota (?:has been )?exceeded\b.{0,400}\bper ?day\b|\bcap reached\b/,
      /\brate limit options\b|\brate limit event\b.{0,60}\brejected\b/,
    ],
    unless: /\bnot your usage limit\b/,
  },
  {
    id: "throttle",
    type: "rate_limit",
    any: [
      /\bslow down\b|\bthrottl(?:ing|ed)|\btoo ?many ?(?:requests|connections)|\btoo many tokens\b.{0,20}\b(?:wait|try)\b/,
      /\brate ?limit(?:s|ed)?\b.{0,20}\b(?:exceeded|reached|hit)\b|\b(?:exceed\w*|hit|over|reached)\b.{0,40}\brate limit|\brate (?:limited|exceeded)\b|\bratelimit/,
      /\b(?:tokens|requests) per (?:min|minute|second|hour)\b|\btemporarily limiting\b|\brejected \(429\)|\bresource (?:has been )?exhausted\b/,
      /\bquota (?:has been )?exceeded\b|\bexceeded your (?:current )?quota\b/,
    ],
    unless: /\bno capacity\b|\bdisk quota\b/,
  },
  {
    id: "context-overflow",
    type: "context_exhaustion",
    any: [
      /\b(?:prompt|input|conversation|context) (?:is |was )?too (?:long|large)\b|\bcontext (?:length|window|limit)\b.{0,20}\bexceed/,
      /\b(?:exceed\w*|greater than|over|out of)\b.{0,30}\bcontext (?:length|window|limit|size)\b|\bcontext ?(?:window|length)? ?(?:exceeded|overflow|is full|exhausted)/,
      /\bmaximum (?:context|prompt) length\b|\btokens? (?:count )?.{0,20}exceeds? (?:the )?(?:max|limit|model)|\brequest too large\b/,
    ],
  },
  {
    id: "provider-fault",
    type: "overloaded",
    any: [
      /\boverloaded(?:error)?\b(?! (?:function|method|operator|constructor))|\b(?<!resource )temporarily unavailable\b|\bservice unavailable\b/,
      /\binternal server error\b|\bbad gateway\b|\bgateway time ?out\b|\bserver error\b|\bserver had an error\b/,
      /\b(?:at|no|insufficient|over) capacity\b|\b(?:high|heavy|peak) (?:demand|load|traffic)\b/,
    ],
  },
  {
    id: "disk-or-memory",
    type: "resource_exhausted",
    any: [
      /\bno space left\b|\benospc\b|\bdisk (?:is )?full\b|\bdisk quota exceeded\b|\bdisk i\/o error\b/,
      /\bout ?of ?memory|\bheap limit\b|\bcannot allocate memory\b|\bmemoryerror\b|\boom ?kill|\bemfile\b|\benfile\b|\btoo many open files\b/,
    ],
  },
  {
    id: "credential",
    type: "missing_credential",
    any: [
      /\b(?:no|invalid|incorrect|missing|expired|revoked|wrong|bad)(?: \w+){0,2} (?:api ?keys?|access ?keys?|(?:access|auth|oauth|bearer|refresh) ?tokens?|credentials?|password|passphrase)\b/,
      /\b(?:api ?keys?|access ?keys?|tokens?|secrets?|credentials?|password|session|certificate)\b.{0,40}\b(?:not (?:set|found|valid|configured|provided)|invalid|expired|revoked|is required|must be set|is empty|is missing|unset)\b/,
      /\b(?:not|be|are|please|to|run|try) (?:logged in|signed in|log in|sign in|login|\/login)\b|\bauth login\b|\bneed ?auth\b|\bunauthenticated\b|\b401 (?:unauthorized|client)\b/,
      /\bauthenticat(?:ion|e)\b.{0,20}\b(?:failed|required|error|expired)\b|\b(?:failed|unable) to authenticate\b|\b(?:could not|unable to|cannot) (?:read|locate|find|load) (?:username|password|credentials)\b|\bpermission denied \(publickey/,
      /\b(?:organization|account) (?:has been |is |was )?(?:disabled|suspended|deactivated)\b|\bsaml enforcement\b/,
    ],
    unless: /\bunexpected token\b|\bin json at\b|\bsudo:/,
  },
  {
    id: "model-refused",
    type: "invalid_specification",
    any: [
      /\bmodel\b.{0,60}\b(?:not found|does not exist|is not (?:supported|available)|no longer available|may not exist|no access)\b|\b(?:unknown|invalid) model\b/,
    ],
  },
  {
    id: "policy-refused",
    type: "permission_policy",
    any: [
      /\bviolates? (?:our|the)\b.{0,20}\bpolic(?:y|ies)\b|\bcontent (?:filter|policy)\b.{0,20}\b(?:block|violat|refus)/,
    ],
  },
  {
    id: "network",
    type: "network_transient",
    any: [
      /\beconn(?:reset|refused|aborted)\b|\benotfound\b|\betimedout\b|\behostunreach\b|\benetunreach\b|\bepipe\b|\beai again\b|\bgetaddrinfo\b/,
      /\bsocket (?:connection )?(?:was )?(?:hang up|closed)|\bfetch failed\b|\bstream (?:idle|disconnected|closed|interrupted)\b/,
      /\bconnection (?:was |has been )?(?:reset|refused|closed|broken|aborted|lost|timed out|error)\b|\b(?:unable|failed|could not|couldn't) (?:to )?(?:connect|resolve host|reach)\b/,
      /\bnetwork (?:is (?:unreachable|down)|error|timeout|failure)\b|\bno (?:route to|such) host\b|\bi\/o timeout\b|\b(?:connect|read|request)\w*\b.{0,20}\btimed? ?out\b|\b(?:tls|ssl) handshake\b/,
    ],
  },
];
