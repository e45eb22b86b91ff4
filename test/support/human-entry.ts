// A program that asks one question at the terminal, for tests of the prompt: question in as JSON, the
// answer on stdout. SIGUSR1 aborts the prompt, as an answer from elsewhere does.

import { createScreen } from "../../src/adapters/terminal-screen.ts";
import { createTerminalHuman } from "../../src/adapters/terminal-human.ts";
import { processIo, styleOf } from "../../src/cli/io.ts";
import { renderPromptHelp, renderQuestion } from "../../src/cli/render/question.ts";
import { shorten } from "../../src/cli/render/text.ts";
import { question } from "./builders.ts";

const io = processIo();
const style = { ...styleOf(io, "stderr"), color: false };
const screen = createScreen(io.stderr, shorten);
const human = createTerminalHuman({
  input: io.stdin,
  output: io.stderr,
  present: io.stdin.isTTY === true,
  screen,
  words: {
    question: (one) => renderQuestion(one, style),
    help: (one) => renderPromptHelp(one, style),
  },
  now: () => "2026-11-20T12:20:00.000Z",
});
const over = new AbortController();
process.on("SIGUSR1", () => over.abort());
process.on("SIGHUP", () => over.abort());
io.stderr.write(`pid ${process.pid}.\n`);

const asked = question(JSON.parse(process.argv[2] ?? "{}"));
const asking = human.ask(asked, over.signal);
screen.line("a line of the story");
process.stdout.write(JSON.stringify(await asking));
