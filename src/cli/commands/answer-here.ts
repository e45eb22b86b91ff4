// How is a person who called `orch answer` without an answer asked for it?

import { isObject, jsonIn } from "../../core/model/json.ts";
import { untilNew } from "../../adapters/files/watch.ts";
import { questionFile } from "../../adapters/log/run-files.ts";
import { readSmallFile } from "../../adapters/files/small-file.ts";
import { isGivenAnswer } from "../../adapters/terminal/human.ts";
import { Prompt } from "../../adapters/terminal/prompt.ts";
import type { Answer } from "../../core/model/question.ts";
import { personAt, screenOf } from "../running/at-terminal.ts";
import { type CliIo, styleOf } from "../io.ts";
import { paragraph } from "../layout.ts";
import { renderWaiting } from "./waiting.ts";
import { rowsOf, type Waiting } from "./waiting.ts";

/** Shows what waits, oldest first, until one is chosen by its number; null: the person left. */
export async function pickHere(waiting: readonly Waiting[], io: CliIo): Promise<Waiting | null> {
  const style = styleOf(io, "stderr");
  const screen = screenOf(io);
  const help = `which one? a number from 1 to ${waiting.length} · Ctrl+C: answer later`;
  screen.line(
    [
      paragraph(style, `${waiting.length} questions are waiting:`, { tone: "attention" }),
      renderWaiting(await rowsOf(waiting), "by-number", style),
      `\n${paragraph(style, help)}`,
    ].join("\n"),
  );
  const prompt = new Prompt(io.stdin, screen, new AbortController().signal);
  try {
    for (;;) {
      const typed = await prompt.next();
      if (typed.kind !== "line") return null;
      const chosen = waiting[Number(typed.text.trim()) - 1];
      if (chosen !== undefined) return chosen;
      screen.line(`  choose 1 to ${waiting.length}`);
    }
  } finally {
    prompt.close();
  }
}

/**
 * The whole question, and the same conversation as in a run. null: the person left; without words:
 * somebody else was first while the prompt was open.
 */
export async function askHere(
  { question, files }: Waiting,
  io: CliIo,
): Promise<{
  readonly answer: Pick<Answer, "action" | "text"> | null;
  readonly by: string;
} | null> {
  const over = new AbortController();
  const human = personAt(io, screenOf(io), { present: true, rings: false });
  const path = questionFile(files, question.id);
  const watching = untilNew(files.questions, () => answerIn(path) !== null, over.signal).then(() =>
    over.abort(answerIn(path)),
  );
  try {
    const answer = await human.ask(question, over.signal);
    if (answer !== null && answer !== "gone") return { answer, by: answer.by };
    const first = over.signal.aborted ? answerIn(path) : null;
    return first === null ? null : { answer: null, by: first.by };
  } finally {
    over.abort();
    await watching;
  }
}

const FILE_BYTES_MAX = 1024 * 1024;

/** The answer that the run has published beside the question; null: there is none yet. */
function answerIn(path: string) {
  const text = readSmallFile(path, FILE_BYTES_MAX);
  const file: unknown = text === null ? null : jsonIn(text);
  const answer = isObject(file) ? file["answer"] : null;
  return isGivenAnswer(answer) ? answer : null; // Half-written: there will be another look.
}
