// Who sits at this terminal, and how are they asked?

import { userInfo } from "node:os";

import { createTerminalHuman } from "../../adapters/terminal/human.ts";
import { Prompt } from "../../adapters/terminal/prompt.ts";
import { createScreen, type Screen } from "../../adapters/terminal/screen.ts";
import type { Human } from "../../engine/ports.ts";
import { styleOf, type CliIo } from "../io.ts";
import { renderAsked } from "../render/question.ts";

const NAME_CHARS_MAX = 60;

/** `rings`: the terminal's bell calls a person who looks elsewhere. */
export function personAt(
  io: CliIo,
  screen: Screen,
  { present, rings }: { readonly present: boolean; readonly rings: boolean },
): Human {
  const style = styleOf(io, "stderr");
  return createTerminalHuman({
    input: io.stdin,
    present,
    screen,
    render: (question, whole) => renderAsked(question, whole, style),
    person: userName(),
    rings: rings && io.env["TERM"] !== "dumb",
  });
}

/** On standard error: standard output belongs to the result. */
export function screenOf(io: CliIo): Screen {
  return createScreen(io.stderr, io.env["TERM"] === "dumb");
}

/** What the person typed, trimmed; null: they left. */
export async function askLine(io: CliIo, question: string): Promise<string | null> {
  const screen = screenOf(io);
  screen.line(question);
  const prompt = new Prompt(io.stdin, screen, new AbortController().signal);
  try {
    const typed = await prompt.next();
    return typed.kind === "line" ? typed.text.trim() : null;
  } finally {
    prompt.close();
  }
}

/** For the record of answers. */
export function userName(): string {
  try {
    return userInfo().username.slice(0, NAME_CHARS_MAX);
  } catch {
    // A user without an entry in the system's list, as in some containers.
    return "unknown user";
  }
}
