// Which answers were given before their questions came, in a file?

import { resolve } from "node:path";

import { excerpt } from "../../core/model/excerpt.ts";
import { folded, type Question } from "../../core/model/question.ts";
import { answerProblem, replyTo } from "../../core/run/reply.ts";
import type { AnswerSource, PreparedAnswer } from "../../engine/ports.ts";
import { OrchError } from "../../errors.ts";
import { parseAnswersFile, type AnswersByQuestion } from "../../schema/answers-file.ts";
import { unparsed, type Parsed } from "../../schema/parsed.ts";
import { readFileBounded, type SmallFile } from "../files/small-file.ts";
import { untilNew } from "../files/watch.ts";

const FILE_BYTES_MAX = 1024 * 1024;
const PROBLEM_CHARS_MAX = 300;

/**
 * Reads the file at once, and again where it changed. Throws OrchError where it cannot be used; what is
 * wrong with it later is told in one line, and what it said before still counts.
 */
export function createPreparedAnswers(
  named: string,
  cwd: string,
  onProblem: (line: string) => void,
): AnswerSource {
  const path = resolve(cwd, named);
  // A link is followed, because a person named it; a pipe is not waited for.
  const look = () => readFileBounded(path, FILE_BYTES_MAX, "followed");
  let content = look();
  const first = answersIn(content);
  if (!first.ok)
    throw new OrchError(
      "answer-invalid",
      `the answers file ${JSON.stringify(named)} cannot be used: ${first.problems.join("; ")}`,
      'name a JSON file like { "Which port?": "5433" }; `orch answer` answers a run that waits',
    );
  let answers = first.value;
  const announced = new Set<string>();
  const tell = (line: string): void => {
    if (!announced.has(line)) onProblem(excerpt(line, PROBLEM_CHARS_MAX));
    announced.add(line);
  };
  const isChanged = (now: SmallFile): boolean => textOf(now) !== textOf(content);
  return {
    take(question) {
      const now = look();
      if (isChanged(now)) {
        content = now;
        const read = answersIn(now);
        if (read.ok) answers = read.value;
        else tell(`${named} cannot be used: ${read.problems.join("; ")}`);
      }
      const text = answerTo(question, answers);
      const reply = text === null ? null : replyIn(question, text);
      if (typeof reply === "string") tell(`${named} does not answer ${question.id}: ${reply}`);
      return typeof reply === "string" ? null : reply;
    },
    changed: (signal) => untilNew(path, () => isChanged(look()), signal),
  };
}

function textOf(file: SmallFile): string {
  return file.kind === "read" ? file.text : file.kind;
}

function answersIn(file: SmallFile): Parsed<AnswersByQuestion> {
  if (file.kind === "read") return parseAnswersFile(file.text);
  return unparsed(file.kind === "absent" ? "it does not exist" : `it ${file.why}`);
}

/** By its words, else by its kind; null: there is none. */
function answerTo({ question, kind }: Question, answers: AnswersByQuestion): string | null {
  const byWords = new Map(Object.entries(answers).map(([asked, text]) => [folded(asked), text]));
  return byWords.get(folded(question)) ?? byWords.get(kind) ?? null;
}

/** As if it had been typed; a sentence: why it is no answer to this question. */
function replyIn(question: Question, text: string): PreparedAnswer | string {
  const reply = replyTo(question, text);
  if (reply.kind === "again") return reply.hint;
  if (reply.kind === "words-next") return `words are missing: ${reply.ask}`;
  const { action } = reply;
  return answerProblem(question, reply) ?? { action, text: reply.text, by: "answers file" };
}
