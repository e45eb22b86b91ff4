// Which words of a text that arrives in pieces are running prose, outside code, tables and lists?

/** Where in a text its pieces have arrived. */
export interface Reader {
  /** Inside a fenced code block. */
  readonly isFenced: boolean;
  /** The line that is not complete yet, bounded; what was given on before is gone from it. */
  readonly line: string;
  /** Whether the line goes on as prose; null: its beginning says so. */
  readonly isProse: boolean | null;
}

export const NOTHING_READ: Reader = { isFenced: false, line: "", isProse: null };

/** Prose, or the end of a stretch of prose: what repeats beside code or a list is not chanting. */
export type Stretch =
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "break" };

/** A piece is read up to here; a longer one is no speech. */
const PIECE_CHARS_MAX = 64 * 1024;
/** A longer line is given on in parts. */
const LINE_CHARS_MAX = 512;

const FENCE = /^\s{0,3}(?:```|~~~)/;
/** Lines that are alike by their nature. All are anchored and look at a bounded line. */
const OTHER_THAN_PROSE: readonly RegExp[] = [
  /^(?: {4}|\t)/,
  /^\s*\|/,
  /\|.*\|/,
  /^\s*(?:[-*+•‣◦–—▪✓✔✗✘☐☑]|\[[ x]\]|\(?\d{1,4}[.):]|\(?[a-z][.)])(?:\s|$)/i,
  /^\s*#{1,6}\s/,
  /^\s*[>$<{}[\]"]/,
  /[;{}]\s*$/,
];

export function afterPieceOf(
  reader: Reader,
  piece: string,
): { readonly reader: Reader; readonly stretches: readonly Stretch[] } {
  const stretches: Stretch[] = [];
  let now = reader;
  for (const [at, part] of piece.slice(0, PIECE_CHARS_MAX).split("\n").entries()) {
    if (at > 0) now = afterLineEnd(now, stretches);
    now = afterPart(now, part, stretches);
  }
  return { reader: now, stretches };
}

/** What is left of the last line; the text may still go on. */
export function afterMessage(reader: Reader): {
  readonly reader: Reader;
  readonly stretches: readonly Stretch[];
} {
  const stretches: Stretch[] = [];
  if (reader.line.trim() === "") return { reader: { ...reader, line: "" }, stretches };
  const isFence = FENCE.test(reader.line);
  const next = afterLineEnd(reader, stretches);
  // A piece may end anywhere: only a line break would part its last word from the next.
  return {
    reader: next,
    stretches: isFence ? stretches : stretches.map(withoutLineEnd),
  };
}

function afterPart(reader: Reader, part: string, stretches: Stretch[]): Reader {
  let line = reader.line + part;
  let isProse = reader.isProse;
  while (line.length > LINE_CHARS_MAX) {
    const head = line.slice(0, LINE_CHARS_MAX);
    isProse ??= !reader.isFenced && !isOther(head);
    stretches.push(isProse ? { kind: "prose", text: head } : { kind: "break" });
    line = line.slice(LINE_CHARS_MAX);
  }
  return { ...reader, line, isProse };
}

function afterLineEnd(reader: Reader, stretches: Stretch[]): Reader {
  const { line, isFenced } = reader;
  if (reader.isProse === null && FENCE.test(line)) {
    stretches.push({ kind: "break" });
    return { ...NOTHING_READ, isFenced: !isFenced };
  }
  const isProse = reader.isProse ?? (!isFenced && !isOther(line));
  if (isProse) stretches.push({ kind: "prose", text: `${line}\n` });
  else stretches.push({ kind: "break" });
  return { ...NOTHING_READ, isFenced };
}

function withoutLineEnd(stretch: Stretch): Stretch {
  return stretch.kind === "prose" ? { kind: "prose", text: stretch.text.slice(0, -1) } : stretch;
}

function isOther(line: string): boolean {
  return OTHER_THAN_PROSE.some((pattern) => pattern.test(line));
}
