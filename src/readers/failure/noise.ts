// Which parts of a text change from run to run and say nothing about what happened?

import { withoutFolders } from "./folders.ts";

/**
 * An error's message without what another run, machine or directory would have put differently, or
 * the same error some lines further down. The text must be lower case and cut to a few thousand
 * characters: some patterns look ahead a little at every position.
 */
export function withoutNoise(text: string): string {
  const compares = COMPARES.some((pattern) => pattern.test(text));
  return quiet({ ...RUN, ...PLACE }, text, compares);
}

/** The same for a tool's whole answer, lower case: where something stands, and how often, is kept. */
export function withoutRunNoise(text: string): string {
  return quiet({ ...RUN, ...PORT }, text, false);
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

const COMPARES: readonly RegExp[] = [
  /\b(?:expected|received|actual|assert\w*|want(?:ed)?)\b|[=!]==?/,
  /\b(?:left|right)\b(?= ?[:='])/,
];

/** In this order: what is found first is not looked at again. */
const RUN: Noise = {
  quotes: [/[‘’´`]/g, "'"],
  "double-quotes": [/[“”]/g, '"'],
  "url-query": [/(\bhttps?:\/\/[^\s?#"'<>]{0,400})\?[^\s"'<>)]*/g, "$1"],
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
  date: [/\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2}))\b/g, "<time>", "plain"],
  clock: [
    /(?<![\w.:/])\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:\s?(?:utc|gmt|z|[ap]m)\b)?(?![\w:])/g,
    "<time>",
    "plain",
  ],
  measured: [/\b(duration_ms:? |(?:time|duration)=["']?)\d+(?:\.\d+)?/g, "$1<time>"],
  // The root of the work is called differently on each machine, down to its base name.
  root: [
    /\b((?:repository|worktree|working tree|working directory|workspace) (?:at|in) |dependency of |(?:entering|leaving) directory |cwd:? |rootdir: )(['"]?)(?:[a-z]:)?[~/\\][^\s'"]*\2/g,
    "$1<folder>",
  ],
  // Inside quotes a folder's name may hold spaces.
  "folder-in-quotes": [
    /(?<=(['"]))(?:file:\/\/)?(?:[a-z]:(?=[\\/])|~)?[\\/][^'"<>|:;]{1,400}(?=\1)/g,
    withoutFolders,
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
  // Three changes between letters and digits at least: "a1b2c3" is dice, "sha256sum" is a name.
  "random-suffix": [
    /([-_.])(?=[a-z]+\d+[a-z]+\d|\d+[a-z]+\d+[a-z])[a-z0-9]{6,12}(?=$|[\s"'):,;/])/g,
    "$1<id>",
  ],
  process: [
    /\b(goroutine|pid|process|thread|worker)[ =:#(]{1,3}\d+|\(node:\d+\)|==\d+==/g,
    "$1 <n>",
  ],
  "thread-number": [/(\bthread '[^']{1,80}') \(\d+\)/g, "$1"],
  attempt: [
    /\b(attempt|attempts|try|retry|retries|retrying)[ :#(]{1,2}x?\d+(?:(?: of |\/)\d+)?/g,
    "$1 <n>",
    "plain",
  ],
};

const FILE_KINDS =
  "[cm]?[jt]sx?|py|rb|go|rs|java|kts?|scala|c|cc|cpp|cxx|h|hpp|cs|php|swift|vue|svelte|lua|sh|sql|toml|ya?ml|json|html|s?css|md|txt|xml|ini|cmake|mk|tf|gradle|dart|exs?|zig|hs|proto";

const PLACE: Noise = {
  // In a list of problems 12:30 is a place.
  hour: [
    /(?<![\w.:/])\d{1,2}:\d{2}(?:\s?[ap]m\b)?(?:\s?(?:utc|gmt|z)\b)?(?![\w:])/g,
    "<time>",
    "plain",
  ],
  line: [/\b(line|lines|column|col|row)[ :]{1,2}\d+(?:[-:,]\d+)?/g, "$1 <n>"],
  "in-file": [new RegExp(`(\\.(?:${FILE_KINDS})):\\d+(?::\\d+)?\\b`, "g"), "$1"],
  "in-brackets": [new RegExp(`(\\.(?:${FILE_KINDS}))\\(\\d+(?:,\\s?\\d+)?\\)`, "g"), "$1"],
  position: [/(?<=[a-z'")\]>])(?<!port):\d+:\d+\b/g, "", "plain"],
  "in-round-brackets": [/ \(\d+:\d+\)/g, "", "plain"],
  duration: [
    /(?<![\w.'"])(?:\d+(?:\.\d+)?\s?(?:milliseconds?|msecs?|ms|µs|μs|us|ns|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?)(?:(?: and |, | )?(?=\d)|\b))+(?!['"])/g,
    "<time>",
    "plain",
  ],
  "large-number": [/(?<![\w.:#-]|port[ =:])\d{5,}\b/g, "<n>", "plain"],
};

/** Of a server that is started anew each time; in an error it says whom the program asked. */
const PORT: Noise = {
  port: [/\b(port[ =:#]{1,3}|localhost:|(?:\d{1,3}\.){3}\d{1,3}:)\d{2,5}\b/g, "$1<port>"],
};
