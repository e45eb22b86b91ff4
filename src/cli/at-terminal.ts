// Who sits at this terminal, and how are they asked?

import { userInfo } from "node:os";

import { systemClock } from "../adapters/system-clock.ts";
import type { TerminalBell } from "../adapters/terminal/bell.ts";
import { createTerminalHuman } from "../adapters/terminal/human.ts";
import { openPrompt, readingMs } from "../adapters/terminal/prompt.ts";
import { createScreen, type Screen } from "../adapters/terminal/screen.ts";
import type { Human } from "../engine/ports.ts";
import { styleOf, type CliIo } from "./io.ts";
import { renderPromptHelp, renderQuestion, renderWhole } from "./render/question.ts";

const NAME_CHARS_MAX = 60;

/** `bell` null: it stays silent. */
export function personAt(
  io: CliIo,
  screen: Screen,
  { present, bell }: { readonly present: boolean; readonly bell: TerminalBell | null },
): Human {
  const style = styleOf(io, "stderr");
  return createTerminalHuman({
    input: io.stdin,
    present,
    screen,
    words: {
      question: (question) => renderQuestion(question, style),
      help: (question) => renderPromptHelp(question, style),
      whole: (question) => renderWhole(question, style),
    },
    person: userName(),
    bell,
    now: () => new Date().toISOString(),
    sleep,
  });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return systemClock.sleepUntil(systemClock.nowMs() + ms, signal);
}

/** On standard error: standard output belongs to the result. */
export function screenOf(io: CliIo): Screen {
  return createScreen(io.stderr, io.env["TERM"] === "dumb");
}

/** What the person typed, trimmed; null: they left. */
export async function askLine(io: CliIo, question: string): Promise<string | null> {
  const screen = screenOf(io);
  screen.line(question);
  const reading = { ms: readingMs(question), sleep };
  const prompt = openPrompt(io.stdin, screen, new AbortController().signal, reading);
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
