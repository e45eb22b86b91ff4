// Which answers were written into a file before their questions came?

import { resolve } from "node:path";

import { excerpt } from "../../core/model/excerpt.ts";
import { fitOf, type PreparedEntry } from "../../core/run/prepared.ts";
import type { AnswerSource } from "../../engine/ports.ts";
import { OrchError } from "../../errors.ts";
import { parseAnswersFile } from "../../schema/answers-file.ts";
import { readFileBounded } from "../files/small-file.ts";
import { problemError } from "../project/problem-error.ts";

const FILE_BYTES_MAX = 1024 * 1024;
const PROBLEM_CHARS_MAX = 300;

/**
 * Reads the file whole and strictly, at once: throws OrchError where anything in it is wrong. What
 * cannot answer the question it is meant for is told in one line to `onProblem`, and the run goes on.
 */
export function createPreparedAnswers(
  named: string,
  cwd: string,
  onProblem: (line: string) => void,
): AnswerSource {
  const entries = entriesIn(named, cwd);
  const used = new Set<PreparedEntry>();
  const told = new Set<string>();
  return {
    take(question) {
      for (const [index, entry] of entries.entries()) {
        if (used.has(entry)) continue;
        const fit = fitOf(entry, question);
        if (fit.kind === "fits") {
          if (entry.id !== null) used.add(entry);
          return { action: fit.action, text: fit.text, by: "answers file" };
        }
        const line = `${named}, entry ${index + 1}, does not answer ${question.id}`;
        if (fit.kind === "other" || told.has(line)) continue;
        told.add(line);
        onProblem(excerpt(`${line}: ${fit.why}`, PROBLEM_CHARS_MAX));
      }
      return null;
    },
  };
}

/** A link is followed, because a person named it; a pipe is not waited for. */
function entriesIn(named: string, cwd: string): readonly PreparedEntry[] {
  const found = readFileBounded(resolve(cwd, named), FILE_BYTES_MAX, "followed");
  if (found.kind !== "read")
    throw new OrchError(
      "answer-invalid",
      `the answers file ${JSON.stringify(named)} ${found.kind === "absent" ? "does not exist" : found.why}`,
      "name a JSON file of answers",
    );
  const read = parseAnswersFile(found.text, named);
  if (read.ok) return read.value;
  throw problemError("answer-invalid", read.problems, "fix the answers file; nothing was started");
}
