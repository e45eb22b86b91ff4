// What is left of a message once noise is gone?

import { inert, oneLine } from "../../core/model/excerpt.ts";
import { shortHash } from "../../core/model/ids.ts";
import { isRed, type FailureIdentity, type GateResult } from "../../core/model/verdict.ts";

/**
 * An error's message without what another run, machine or directory would have put differently, or the same error some
 * lines further down; what tells one error from another is kept. Bounded before any pattern is tried: some look ahead a
 * little at every position.
 */
export function normalise(message: string): string {
  const text = inert(message.slice(0, INPUT_CHARS_MAX).normalize("NFKC")).trim().toLowerCase();
  const calm = quiet({ ...RUN, ...PLACE }, text, COMPARES.test(text));
  return oneLine(calm).slice(0, OUTPUT_CHARS_MAX);
}

const INPUT_CHARS_MAX = 2_000;
const OUTPUT_CHARS_MAX = 300;

/** The same for a tool's whole answer, lower case: where something stands, and how often, is kept. */
export function withoutRunNoise(text: string): string {
  return quiet(RUN, text, false);
}

type Put = string | ((match: string) => string);
/** "plain": not in a message that compares values, where 12345 and 10:30 are the whole point. */
type Noise = Readonly<Record<string, readonly [pattern: RegExp, put: Put, where?: "plain"]>>;

function quiet(rows: Noise, text: string, compares: boolean): string {
  let rest = text;
  for (const [pattern, put, where] of Object.values(rows))
    if (where === undefined || !compares)
      rest = typeof put === "string" ? rest.replace(pattern, put) : rest.replace(pattern, put);
  return rest;
}

const COMPARES =
  /\b(?:expected|received|actual|assert\w*|want(?:ed)?)\b|[=!]==?|\b(?:left|right)\b(?= ?[:='])/;

/** In this order: what is found first is not looked at again. */
const RUN: Noise = {
  quotes: [/[‘’´`“”]/g, "'"],
  uuid: [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<uuid>"],
  "named-id": [
    /\b((?:request|trace|correlation|session|run|span|message|invocation|job|build)[-_ ]?id)["']?\s{0,9}[:=]?\s{0,9}["']?[\w-]{4,}/g,
    "$1 <id>",
  ],
  "short-prefix-id": [/\b(?:req|trace|msg|call|toolu|run)_[a-z0-9]{6,}\b/g, "<id>"],
  instant: [
    /\b\d{4}-\d{2}-\d{2}[t_ ]\d{2}[:_-]\d{2}(?:[:_-]\d{2}(?:[.,_]\d{1,9})?)?(?:\s?(?:z|utc|[+-]\d{2}:?\d{2}))?/g,
    "<time>",
  ],
  clock: [
    /(?<![\w.:/])\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:\s?(?:utc|gmt|z|[ap]m)\b)?(?![\w:])/g,
    "<time>",
    "plain",
  ],
  // The root of the work is called differently on each machine, down to its base name.
  root: [
    /\b((?:repository|worktree|working tree|working directory|workspace) (?:at|in) |dependency of |(?:entering|leaving) directory |cwd:? |rootdir: )(['"]?)(?:[a-z]:)?[~/\\][^\s'"]*\2/g,
    "$1<folder>",
  ],
  folder: [
    /(?:file:\/\/)?(?<![\w:.~*$@/\\-])(?:~|%temp%|[a-z]:(?=[\\/]))?(?:[\\/]{1,2}[^\s"'<>()[\]{},;:|=\\/]+)+[\\/]?/g,
    withoutFolders,
  ],
  "socket-address": [/(['"][\w.:-]{1,200})['"], {0,3}(\d{1,5})\b/g, "$1:$2'"],
  address: [/\b0x[0-9a-f]+\b/g, "<hex>"],
  hex: [/\b(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{8,}\b/g, "<hex>", "plain"],
  "git-object": [
    /(\b(?:commit|object|revision|rev|tree|blob|apply|head is now at|merge|revert|bad) )[0-9a-f]{7,40}\b/g,
    "$1<hex>",
  ],
  process: [
    /\b(goroutine|pid|process|thread|worker)[ =:#(]{1,3}\d+|\(node:\d+\)|==\d+==/g,
    "$1 <n>",
  ],
  attempt: [
    /\b(attempt|attempts|try|retry|retries|retrying)[ :#(]{1,2}x?\d+(?:(?: of |\/)\d+)?/g,
    "$1 <n>",
    "plain",
  ],
};

const FILE_KINDS =
  "[cm]?[jt]sx?|py|rb|go|rs|java|kts?|scala|c|cc|cpp|cxx|h|hpp|cs|php|swift|vue|svelte|lua|sh|sql|toml|ya?ml|json|html|s?css|md|txt|xml|ini|cmake|mk|tf|gradle|dart|exs?|zig|hs|proto";

const PLACE: Noise = {
  line: [/\b(line|lines|column|col|row)[ :]{1,2}\d+(?:[-:,]\d+)?/g, "$1 <n>"],
  "in-file": [new RegExp(`(\\.(?:${FILE_KINDS})):\\d+(?::\\d+)?\\b`, "g"), "$1"],
  position: [/(?<=[a-z'")\]>])(?<!port):\d+:\d+\b/g, "", "plain"],
  "in-round-brackets": [/ \(\d+:\d+\)/g, "", "plain"],
  duration: [
    /(?<![\w.'"])(?:\d+(?:\.\d+)?\s?(?:milliseconds?|msecs?|ms|µs|μs|us|ns|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?)(?:(?: and |, | )?(?=\d)|\b))+(?!['"])/g,
    "<time>",
    "plain",
  ],
  "large-number": [/(?<![\w.:#-]|port[ =:])\d{5,}\b/g, "<n>", "plain"],
};

/** What identifies the file on every machine: its base name. */
function withoutFolders(match: string): string {
  const path = match.startsWith("file://") ? match.slice("file://".length) : match;
  const names = path.split(/[\\/]+/).filter((name) => name !== "");
  const last = names.at(-1) ?? "";
  // What stands right under a temporary folder was named by dice.
  return names.length <= 1 + depthOf(names) ? last.replace(DICE, "$1<id>$2") : last;
}

/** With a digit in it: "cart-service" was named by a person. */
const DICE = /([-_.]|^tmp)(?=[a-z_]{0,11}\d)(?=[a-z0-9_]{6,12}(?:\.|$))[a-z0-9_]+(\.[a-z]{1,5})?$/;
const SCRATCH =
  /^(?:(?:private\/)?(?:(?:var\/)?tmp|var\/folders)|usr\/tmp|dev\/shm|%temp%)(?=\/|$)/;

/** How many names the scratch folder itself takes; 0: it is none. */
function depthOf(names: readonly string[]): number {
  return SCRATCH.exec(names.slice(0, 3).join("/"))?.[0].split("/").length ?? 0;
}

/**
 * Identity of what the required gates found. The order in which a runner lists its failures plays
 * no part. null: no required gate failed.
 */
export function failureIdentity(gates: readonly GateResult[]): FailureIdentity | null {
  const failed = gates.filter(isRed);
  if (failed.length === 0) return null;
  const faults = failed.flatMap((gate) => {
    const gateFaults = faultsOf(gate);
    return gateFaults.length === 0 ? [`${gate.name}\n`] : gateFaults;
  });
  return {
    fp: shortHash(unique(faults).join("\n\n")),
    failing: unique(failed.flatMap(checksOf)),
    failingCount: failed.reduce((sum, gate) => sum + Math.max(failuresIn(gate), 1), 0),
  };
}

/**
 * One identity for each thing that failed in a gate; empty: it failed without a word. Where none
 * were read from an output, the findings tell failures apart.
 */
export function faultsOf({ name, verdict, faults }: GateResult): readonly string[] {
  if (verdict.kind !== "failed") return [];
  if (faults !== null) return faults.map((fault) => `${name}\n${fault}`);
  return unique(
    verdict.findings.map(({ check, message }) => `${named(name, check)}\n${normalise(message)}`),
  );
}

/** Identity of something that orch itself says of a check. */
export function faultOf(message: string): string {
  return shortHash(normalise(message));
}

/** As the runner counted, where it did. */
export function failuresIn({ verdict, counts }: GateResult): number {
  return Math.max(counts?.failed ?? 0, verdict.kind === "failed" ? verdict.findings.length : 0);
}

function checksOf({ name, verdict }: GateResult): readonly string[] {
  if (verdict.kind !== "failed" || verdict.findings.length === 0) return [name];
  return verdict.findings.map(({ check }) => named(name, check));
}

function named(gate: string, check: string): string {
  return check === gate ? gate : `${gate}: ${check}`;
}

/** Sorted by code unit, so that no locale of a machine changes a fingerprint. */
function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
