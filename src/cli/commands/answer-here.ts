// How is a person who called `orch answer` without an answer asked for it?

import { isObject, jsonIn } from "../../core/model/json.ts";
import { folderChanged } from "../../adapters/files/folder-watch.ts";
import { questionFile } from "../../adapters/log/run-files.ts";
import { readSmallFile } from "../../adapters/files/small-file.ts";
import { createTerminalHuman, isGivenAnswer } from "../../adapters/terminal/human.ts";
import { openPrompt } from "../../adapters/terminal/prompt.ts";
import { createScreen, type Screen } from "../../adapters/terminal/screen.ts";
import type { Answer } from "../../core/model/question.ts";
import { type CliIo, styleOf } from "../io.ts";
import { paragraph, shorten } from "../layout.ts";
import { renderPromptHelp, renderQuestion } from "../render/question.ts";
import { renderWaitingPicker } from "../render/waiting.ts";
import { rowsOf, type Waiting } from "./waiting.ts";

/** The person left the prompt; everything is as it was. */
export type Left = "left";

export type Heard =
  | { readonly kind: "said"; readonly said: Pick<Answer, "action" | "text"> }
  | { readonly kind: "left" }
  /** Somebody else was first while the prompt was open. */
  | { readonly kind: "elsewhere"; readonly by: string };

/** Shows what waits, oldest first, until one is chosen by its number. */
export async function pickHere(waiting: readonly Waiting[], io: CliIo): Promise<Waiting | Left> {
  const style = styleOf(io, "stderr");
  const screen = screenOf(io);
  const rows = await rowsOf(waiting);
  screen.line(renderWaitingPicker(rows, Date.now(), style));
  const help = `which one? a number from 1 to ${waiting.length} · Ctrl+C: answer later`;
  screen.line(`\n${paragraph(style, help)}`);
  const prompt = openPrompt(io.stdin, screen, new AbortController().signal);
  try {
    for (;;) {
      const typed = await prompt.next();
      if (typed.kind !== "line") return "left";
      const chosen = oneOf(waiting, typed.text.trim());
      if (chosen !== null) return chosen;
      screen.line(`  choose 1 to ${waiting.length}`);
    }
  } finally {
    prompt.close();
  }
}

function oneOf(waiting: readonly Waiting[], text: string): Waiting | null {
  const chosen = /^\d{1,6}$/.test(text) ? waiting[Number(text) - 1] : undefined;
  if (chosen !== undefined) return chosen;
  const [named, ...others] = waiting.filter(({ question }) => question.id === text);
  return others.length === 0 ? (named ?? null) : null;
}

/** The whole question, and the same conversation as in a run. */
export async function askHere(
  { question, files }: Waiting,
  person: string,
  io: CliIo,
): Promise<Heard> {
  const style = styleOf(io, "stderr");
  const over = new AbortController();
  const human = createTerminalHuman({
    input: io.stdin,
    present: true,
    screen: screenOf(io),
    words: {
      question: (one) => renderQuestion(one, style),
      help: (one) => renderPromptHelp(one, style),
    },
    person,
    bell: null,
    now: () => new Date().toISOString(),
  });
  const path = questionFile(files, question.id);
  const watching = folderChanged(files.questions, () => answerIn(path) !== null, over.signal).then(
    () => over.abort(answerIn(path)),
  );
  try {
    const said = await human.ask(question, over.signal);
    if (said !== null && said !== "gone")
      return { kind: "said", said: { action: said.action, text: said.text } };
    const first = over.signal.aborted ? answerIn(path) : null;
    return first === null ? { kind: "left" } : { kind: "elsewhere", by: first.by };
  } finally {
    over.abort();
    await watching;
  }
}

const FILE_BYTES_MAX = 1024 * 1024;

/** Who gave the answer that the run has published beside the question; null: there is none yet. */
function answerIn(path: string) {
  const text = readSmallFile(path, FILE_BYTES_MAX);
  const file: unknown = text === null ? null : jsonIn(text);
  const answer = isObject(file) ? file["answer"] : null;
  return isGivenAnswer(answer) ? answer : null; // Half-written: there will be another look.
}

function screenOf(io: CliIo): Screen {
  return createScreen(io.stderr, shorten, io.env["TERM"] === "dumb");
}
