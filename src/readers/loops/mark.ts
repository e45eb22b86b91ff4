// Which few bytes stand for a long text, so that a loop can be seen without keeping the texts?

/** 64 bits in two lanes, taken in piece by piece. Good against accidents, not against attackers. */
export interface Mark {
  readonly a: number;
  readonly b: number;
  readonly chars: number;
}

export const NO_MARK: Mark = { a: 0x811c9dc5, b: 0x1b873593, chars: 0 };

/** The mark of everything so far and this; pieces may be cut anywhere. */
export function afterPiece(mark: Mark, text: string): Mark {
  let { a, b } = mark;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
    b ^= b >>> 15;
  }
  return { a, b, chars: mark.chars + text.length };
}

export function markText(mark: Mark): string {
  return `${mark.chars}-${hex(mark.a)}${hex(mark.b)}`;
}

export function markOf(text: string): string {
  return markText(afterPiece(NO_MARK, text));
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, "0");
}
