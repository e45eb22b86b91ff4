// Which parts of a text does its author only quote: code, diffs, other people's words?

/** Opens or closes a block of code. */
function isFence(line: string): boolean {
  return /^\s{0,8}(?:```|~~~)/.test(line);
}

/** Without the blocks between fences. A fence that has lost its partner is left out by itself. */
export function withoutFences(lines: readonly string[]): readonly string[] {
  const fences = lines.filter(isFence).length;
  let seen = 0;
  return lines.filter((line) => {
    const isOpen = seen % 2 === 1 && seen < fences;
    if (isFence(line)) seen += 1;
    return !isOpen && !isFence(line);
  });
}

/** A quotation, a row of a table, or a line of a diff. The beginning of the line decides. */
export function isQuotedLine(line: string): boolean {
  return QUOTED_LINE.test(line);
}

const QUOTED_LINE =
  /^(?:\s{0,8}(?:>|\||@@\s|diff --git )|\+(?![\d+])|\+\+\+ |-(?: {2,}|\t)|\s{0,8}--- [ab]?\/)/;
