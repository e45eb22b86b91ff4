// A program that takes one answer from its standard input and stops reading, while the writer stays.

import { createPreparedAnswers } from "../../src/adapters/people/prepared-answers.ts";
import { question } from "./builders.ts";

const answers = createPreparedAnswers("-", {
  cwd: process.cwd(),
  stdin: process.stdin,
  onProblem: (line) => process.stderr.write(`${line}\n`),
});
await answers.changed(new AbortController().signal);
process.stdout.write(answers.take(question())?.text ?? "none");
answers.stop();
