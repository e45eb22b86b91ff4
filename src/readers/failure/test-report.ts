// What does a block under a failed test say, and what is the test called?

/** What a test's name carries that is no part of it: duration, retries, the file once more. */
export function testName(text: string): string {
  let name = text.trim();
  for (const [, pattern] of NAME_ENDS) name = name.replace(pattern, "");
  return name;
}

const NAME_ENDS: readonly (readonly [id: string, pattern: RegExp])[] = [
  ["retries", / \((?:retry|retries|repeat)\b[^()]{0,30}\)$/],
  ["duration-in-brackets", / \(\d+(?:\.\d+)? ?m?s\)$/],
  ["duration", / \d+(?:\.\d+)? ?m?s$/],
  ["file", / \[ [^[\]]{1,300} \]$/],
  ["todo", / # (?:SKIP|TODO|time=)\b.{0,200}$/i],
];

/** Stack frames, code frames, and headings of a comparison. */
const NOT_SAID =
  /^(?:at |❯ |\d+ ?\||> ?\d+ ?\||\|? *\^|\||⎯|[-+] (?:Expected|Received|expected|actual)\b|\+ actual - expected|\.{3}$|Serialized Error:|Caused by: ?$)/;
const VALUE =
  /^(?:[-+](?: |[\w"'{[])|Expected\b[^:]{0,40}: |Received\b[^:]{0,40}: |expected: |actual: |\S{1,60} !?==? )/;

/** The first line of a block under a failed test, and the values it compares. */
export function said(block: readonly string[]): readonly string[] {
  const lines = block
    .map((line) => line.trim())
    .filter((line) => line !== "" && !NOT_SAID.test(line));
  const [first, ...rest] = lines;
  if (first === undefined) return [];
  const isVague = first.endsWith(":") || /^(?:Test suite failed|Jest encountered)/.test(first);
  const next = isVague ? rest.slice(0, 1) : [];
  const source = UNPARSED.test([first, ...next].join(" ")) ? sourceAtCaret(block) : [];
  const values = rest.filter((line) => VALUE.test(line)).slice(0, VALUES_MAX);
  return [...new Set([first, ...next, ...source, ...values])];
}

const UNPARSED =
  /PARSE_ERROR|SyntaxError|Unexpected (?:token|end|identifier|strict)|Parse (?:error|failure)/i;

/** A parser says little: the line that it could not read is what tells its errors apart. */
function sourceAtCaret(block: readonly string[]): readonly string[] {
  const at = block.findIndex((line) => /^[\s|│]*[\^┬]/.test(line));
  const source = /^[\s>]*\d+ ?[|│] ?(.*)$/.exec(block[at - 1] ?? "")?.[1];
  return source === undefined ? [] : [source.trim()];
}

/** A failed test in one line: its name, what it said, the values it compared. */
export function fact(name: string, block: readonly string[]): string {
  return [testName(name), ...said(block)].join(" | ");
}

const VALUES_MAX = 12;
