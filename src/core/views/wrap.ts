// How is text laid out in lines of a terminal's width?

/** Lines of at most `columns` cells; a word that is longer is broken. Newlines in the text stay. */
export function wrap(text: string, columns: number, indent = "", hanging = indent): string {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = lines.length === 0 ? indent : hanging;
    let empty = true;
    for (const word of paragraph.split(/\s+/).filter((part) => part !== "")) {
      for (const piece of broken(word, Math.max(1, columns - cells(hanging)))) {
        const fits = cells(line) + cells(piece) + (empty ? 0 : 1) <= columns;
        if (!empty && !fits) {
          lines.push(line);
          line = hanging;
          empty = true;
        }
        line += empty ? piece : ` ${piece}`;
        empty = false;
      }
    }
    lines.push(line.trimEnd());
  }
  return lines.join("\n");
}

function broken(word: string, columns: number): readonly string[] {
  if (cells(word) <= columns) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const character of word) {
    if (cells(piece + character) > columns) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, piece];
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** How many terminal cells a text takes. */
export function cells(text: string): number {
  // oxlint-disable-next-line no-control-regex -- Plain ASCII is by far the most common.
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let count = 0;
  // oxlint-disable-next-line no-control-regex -- Our own colour codes take no cells.
  for (const character of text.replace(/\u001b\[\d+m/g, "")) {
    if (/\p{Mark}/u.test(character)) continue;
    count += WIDE.test(character) ? 2 : 1;
  }
  return count;
}
