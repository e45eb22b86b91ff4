// A program that asks one question at the terminal, for tests of the prompt: the question as JSON in,
// the answer on stdout. SIGUSR1: another channel answers. SIGUSR2: the story goes on.

import { createTerminalHuman } from "../../src/adapters/terminal/human.ts";
import { screenOf } from "../../src/cli/running/at-terminal.ts";
import { processIo, styleOf } from "../../src/cli/io.ts";
import { renderAsked } from "../../src/cli/render/question.ts";
import { answer, question } from "./builders.ts";

const io = processIo();
const style = { ...styleOf(io, "stderr"), color: false };
const screen = screenOf(io);
const human = createTerminalHuman({
  input: io.stdin,
  present: io.stdin.isTTY === true,
  screen,
  render: (one, whole) => renderAsked(one, whole, style),
  person: "ann",
  tell: async ({ task }, text) => screen.line(`told ${task}: ${text}`),
  rings: true,
});
const over = new AbortController();
process.on("SIGUSR1", () =>
  over.abort(answer({ text: "the session\n\u001b[2Jtable", by: "orch answer (ann)" })),
);
process.on("SIGHUP", () => undefined);
let stories = 0;
process.on("SIGUSR2", () => screen.line(`story ${(stories += 1)}`));
io.stderr.write(`pid ${process.pid}.\n`);

const asked = question(JSON.parse(process.argv[2] ?? "{}"));
screen.passing(() => ["the agent works"]);
const answers = [await human.ask(asked, over.signal)];
const isTwice = process.env["TWICE"] === "yes";
if (isTwice) answers.push(await human.ask(asked, new AbortController().signal));
process.stdout.write(JSON.stringify(isTwice ? answers : answers[0]));
screen.passing(null);
