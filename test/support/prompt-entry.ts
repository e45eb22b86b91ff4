// A program that asks one question at the terminal, for tests of the prompt: the question as JSON in,
// the answer on stdout. SIGUSR1: another channel answers. SIGUSR2: the story goes on.

import { createBell } from "../../src/adapters/terminal/bell.ts";
import { createTerminalHuman } from "../../src/adapters/terminal/human.ts";
import { createScreen } from "../../src/adapters/terminal/screen.ts";
import { processIo, styleOf } from "../../src/cli/io.ts";
import { renderPromptHelp, renderQuestion, renderWhole } from "../../src/cli/render/question.ts";
import { answer, question } from "./builders.ts";

const io = processIo();
const style = { ...styleOf(io, "stderr"), color: false };
const screen = createScreen(io.stderr, io.env["TERM"] === "dumb");
const human = createTerminalHuman({
  input: io.stdin,
  present: io.stdin.isTTY === true,
  screen,
  words: {
    question: (one) => renderQuestion(one, style),
    help: (one) => renderPromptHelp(one, style),
    whole: (one) => renderWhole(one, style),
  },
  person: "ann",
  bell: createBell({
    output: io.stderr,
    isTerminal: io.stderr.isTTY === true,
    term: io.env["TERM"],
  }),
  now: () => "2026-11-20T12:20:00.000Z",
  // Whoever reads here has read it already.
  sleep: () => Promise.resolve(),
});
const over = new AbortController();
process.on("SIGUSR1", () =>
  over.abort(answer({ text: "the session\n\u001b[2Jtable", by: "orch answer (ann)" })),
);
process.on("SIGHUP", () => undefined);
let told = 0;
process.on("SIGUSR2", () => screen.line(`story ${(told += 1)}`));
io.stderr.write(`pid ${process.pid}.\n`);

const asked = question(JSON.parse(process.argv[2] ?? "{}"));
screen.passing(() => ["the agent works"]);
const answers = [await human.ask(asked, over.signal)];
const isTwice = process.env["TWICE"] === "yes";
if (isTwice) answers.push(await human.ask(asked, over.signal));
process.stdout.write(JSON.stringify(isTwice ? answers : answers[0]));
screen.passing(null);
