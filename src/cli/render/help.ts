// How is the help of a command laid out, in a narrow window too?

import { cells, wrap } from "../layout.ts";

const INDENT = "  ";
/** With less room beside its name, a description stands below it. */
const ROOM_TO_WRAP = 20;
const COLUMNS_DEFAULT = 80;

/** What the parser is to do in its own place; it knows the width of the window as `helpWidth`. */
export const HELP_LAYOUT = {
  optionDescription: ({ description }: { readonly description: string }): string => description,
  formatItem(
    term: string,
    termColumns: number,
    description: string,
    { helpWidth = COLUMNS_DEFAULT }: { readonly helpWidth?: number | undefined },
  ): string {
    const lead = `${INDENT}${term.padEnd(termColumns)}${INDENT}`;
    if (helpWidth - lead.length >= ROOM_TO_WRAP)
      return wrap(description, helpWidth, lead, " ".repeat(lead.length));
    const below = wrap(description, helpWidth, INDENT.repeat(3));
    return `${INDENT}${term}\n${below}`;
  },
};

/** What the parser or an example leaves too long is broken at words, below its own beginning. */
export function fitted(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => {
      if (cells(line) <= columns) return line;
      const indent = /^ */.exec(line)?.[0] ?? "";
      return wrap(line, columns, indent, `${indent}${INDENT}`);
    })
    .join("\n");
}
