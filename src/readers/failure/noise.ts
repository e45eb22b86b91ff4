// Which parts of a message change from run to run and say nothing about the fault?

import { withoutFolders } from "./folders.ts";

/**
 * The text without what another run, machine or directory would have put differently. The text
 * must be lower case and cut to a few thousand characters: some patterns look ahead a little at
 * every position.
 */
export function withoutNoise(text: string): string {
  const compares = COMPARES.test(text);
  let rest = text;
  for (const { pattern, put, inValues } of NOISE)
    if (inValues || !compares)
      rest = typeof put === "string" ? rest.replace(pattern, put) : rest.replace(pattern, put);
  return rest;
}

interface Noise {
  readonly id: string;
  readonly pattern: RegExp;
  readonly put: string | ((match: string, ...groups: readonly string[]) => string);
  /** false: not in a message that compares values, where 12345 and 10:30 are the whole point. */
  readonly inValues: boolean;
}

const COMPARES =
  /\b(?:expected|received|actual|assert\w*|want(?:ed)?)\b|\b(?:left|right)\b(?= ?[:='])|[=!]==?/;

const FILE_KINDS =
  "[cm]?[jt]sx?|py|rb|go|rs|java|kt|kts|scala|c|cc|cpp|cxx|h|hpp|cs|php|swift|vue|svelte|lua|sh|sql|toml|ya?ml|json|html|css|scss|md|txt|xml|ini|cmake|mk|tf|gradle|dart|exs?|zig|hs|proto";

/** In this order: what is found first is not looked at again. */
const NOISE: readonly Noise[] = [
  noise("quotes", /[‘’´`]/g, "'"),
  noise("double-quotes", /[“”]/g, '"'),
  noise("url-query", /(\bhttps?:\/\/[^\s?#"'<>]*)\?[^\s"'<>)]*/g, "$1"),
  noise("uuid", /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<uuid>"),
  noise(
    "named-id",
    /\b((?:request|trace|correlation|session|run|span|message|invocation|job|build)[-_ ]?id)["']?\s*[:=]?\s*["']?[\w-]{4,}/g,
    "$1 <id>",
  ),
  noise("short-prefix-id", /\b(?:req|trace|msg)_[a-z0-9]{6,}\b/g, "<id>"),
  noise("prefix-id", /\b[a-z]{2,12}_(?=[a-z]{0,30}\d)[a-z0-9]{16,}\b/g, "<id>"),
  noise(
    "instant",
    /\b\d{4}-\d{2}-\d{2}[t_ ]\d{2}[:_-]\d{2}(?:[:_-]\d{2}(?:[.,_]\d{1,9})?)?\s?(?:z|utc|[+-]\d{2}:?\d{2})?/g,
    "<time>",
  ),
  noise("date", /\b\d{4}-\d{2}-\d{2}\b/g, "<time>", "not in values"),
  noise(
    "date-in-words",
    /\b(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}(?:,? \d{4})?\b/g,
    "<time>",
    "not in values",
  ),
  noise("date-with-slashes", /\b\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2})\b/g, "<time>", "not in values"),
  noise(
    "clock",
    /(?<![\w.:/])\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s?[ap]m\b)?(?:\s?(?:utc|gmt|z)\b)?(?![\w:])/g,
    "<time>",
    "not in values",
  ),
  // The root of the work is called differently on each machine, down to its base name.
  noise(
    "root",
    /\b((?:repository|worktree|working tree|working directory|workspace) (?:at|in) |dependency of |(?:entering|leaving) directory |cwd:? |rootdir: )(['"]?)(?:[a-z]:)?[~/\\][^\s'"]*\2/g,
    "$1<folder>",
  ),
  noise("search-root", /\bin (['"]?)(?:[a-z]:)?[~/\\][^\s'"]*\1(?= or any )/g, "in <folder>"),
  noise(
    "package-root",
    /(\bv\d+(?:\.\d+){1,2}[\w.-]{0,40}) \((?:[a-z]:)?[/\\][^()]{1,300}\)/g,
    "$1",
  ),
  {
    // Inside quotes a folder's name may hold spaces.
    id: "folder-in-quotes",
    pattern: /(?<=(['"]))(?:file:\/\/)?(?:[a-z]:(?=[\\/])|~)?[\\/][^'"<>|:;]{1,400}(?=\1)/g,
    put: withoutFolders,
    inValues: true,
  },
  {
    id: "folder",
    pattern:
      /(?:file:\/\/)?(?<![\w:.~*$@/\\-])(?:~|%temp%|[a-z]:(?=[\\/]))?(?:[\\/]{1,2}[^\s"'<>()[\]{},;:|=\\/]+)+[\\/]?/g,
    put: withoutFolders,
    inValues: true,
  },
  noise("socket-address", /(['"][\w.:-]{1,200})['"], {0,3}(\d{1,5})\b/g, "$1:$2'"),
  noise("address", /\b0x[0-9a-f]+\b/g, "<hex>"),
  noise("hex", /\b(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{8,}\b/g, "<hex>", "not in values"),
  noise(
    "git-object",
    /(\b(?:commit|object|revision|rev|tree|blob|apply|head is now at|merge|revert|bad) )[0-9a-f]{7,40}\b/g,
    "$1<hex>",
  ),
  noise("git-range", /\b[0-9a-f]{7,40}\.\.\.?(?:[0-9a-f]{7,40}\b)?/g, "<hex>"),
  // Three changes between letters and digits at least: "a1b2c3" is dice, "sha256sum" is a name.
  noise(
    "random-suffix",
    /([-_.])(?=[a-z]+\d+[a-z]+\d|\d+[a-z]+\d+[a-z])[a-z0-9]{6,12}(?=$|[\s"'):,;/])/g,
    "$1<id>",
  ),
  noise("go-routine", /\bgoroutine \d+/g, "goroutine <n>"),
  noise("process", /\b(pid|process|thread|worker)[ =:#(]{1,3}\d+/g, "$1 <n>"),
  noise("thread-number", /(\bthread '[^']{1,80}') \(\d+\)/g, "$1"),
  noise(
    "thread-name",
    /\[((?:[a-z]{1,20}-){0,6}(?:main|pool|thread|worker|exec|executor|task|scheduler))(?:-\d+(?:-thread)?){1,3}\]/g,
    "[$1]",
  ),
  noise("node-process", /\(node:\d+\)/g, "(node)"),
  noise("sanitizer-process", /==\d+==/g, "<n>"),
  noise("line", /\b(line|lines|column|col|row)[ :]{1,2}\d+(?:[-:,]\d+)?/g, "$1 <n>"),
  noise("position-in-file", new RegExp(`(\\.(?:${FILE_KINDS})):\\d+(?::\\d+)?\\b`, "g"), "$1"),
  noise(
    "position-in-brackets",
    new RegExp(`(\\.(?:${FILE_KINDS}))\\(\\d+(?:,\\s?\\d+)?\\)`, "g"),
    "$1",
  ),
  noise("position", /(?<=[a-z'")\]>])(?<!port):\d+:\d+\b/g, "", "not in values"),
  noise("position-in-round-brackets", / \(\d+:\d+\)/g, "", "not in values"),
  noise("range", /\b\d+:\d+-(?:\d+:)?\d+\b/g, "", "not in values"),
  noise("make-position", /\b((?:gnu)?makefile|\w{1,40}\.mk|dockerfile|jenkinsfile):\d+/g, "$1"),
  noise("make-depth", /\bmake\[\d+\]/g, "make"),
  noise(
    "attempt",
    /\b(attempt|attempts|try|retry|retries|retrying)[ :#(]{1,2}x?\d+(?:(?: of |\/)\d+)?/g,
    "$1 <n>",
    "not in values",
  ),
  noise("tries", /\b\d+(?: more)? (attempts?|tries|retries|times)\b/g, "<n> $1", "not in values"),
  noise(
    "duration",
    /(?<![\w.'"])(?:\d+(?:\.\d+)?\s?(?:milliseconds?|msecs?|ms|µs|μs|us|ns|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?)(?:(?: and |, | )?(?=\d)|\b))+(?!['"])/g,
    "<time>",
    "not in values",
  ),
  noise("large-number", /(?<![\w.:#-]|port[ =:])\d{5,}\b/g, "<n>", "not in values"),
];

function noise(
  id: string,
  pattern: RegExp,
  put: string,
  where: "anywhere" | "not in values" = "anywhere",
): Noise {
  return { id, pattern, put, inValues: where === "anywhere" };
}
