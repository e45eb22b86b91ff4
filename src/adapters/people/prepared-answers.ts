// Which answers were given before their questions came, in a file?

import { resolve } from "node:path";

import { excerpt } from "../../core/model/excerpt.ts";
import { folded, type Question } from "../../core/model/question.ts";
import { answerProblem, replyTo } from "../../core/run/reply.ts";
import type { PreparedAnswer, PreparedAnswers } from "../../engine/ports.ts";
import { OrchError } from "../../errors.ts";
import { parseAnswersFile, type AnswersByQuestion } from "../../schema/answers-file.ts";
import { unparsed, type Parsed } from "../../schema/parsed.ts";
import { readFileBounded, type SmallFile } from "../files/small-file.ts";

const FILE_BYTES_MAX = 1024 * 1024;
const PROBLEM_CHARS_MAX = 300;

/** Reads the file once. Throws OrchError where it cannot be used; an answer that does not fit is told of. */
export function createPreparedAnswers(
  named: string,
  cwd: string,
  onProblem: (line: string) => void,
): PreparedAnswers {
  // A link is followed, because a person named it; a pipe is not waited for.
  const read = answersIn(readFileBounded(resolve(cwd, named), FILE_BYTES_MAX, "followed"));
  if (!read.ok)
    throw new OrchError(
      "answer-invalid",
      `the answers file ${JSON.stringify(named)} cannot be used: ${read.problems.join("; ")}`,
      'name a JSON file like { "Which port?": "5433" }; `orch answer` answers a run that waits',
    );
  const announced = new Set<string>();
  const tell = (line: string): void => {
    if (!announced.has(line)) onProblem(excerpt(line, PROBLEM_CHARS_MAX));
    announced.add(line);
  };
  return (question) => {
    const text = answerTo(question, read.value);
    const reply = text === null ? null : replyIn(question, text);
    if (typeof reply === "string") tell(`${named} does not answer ${question.id}: ${reply}`);
    return typeof reply === "string" ? null : reply;
  };
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
