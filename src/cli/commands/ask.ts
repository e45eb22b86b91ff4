// How does an agent that only has a shell put a question to a person?

import { askOrch } from "../../mcp/ask.ts";
import { sessionFolderIn, sideOf } from "../../mcp/channel.ts";
import { DURATION_WORDS, parseDuration } from "../../core/model/duration.ts";
import { printResult } from "../io.ts";
import { type Command, usage } from "../command-line/options.ts";

/** Shells of agents are cut off after about two minutes. */
const HOLD_MS = 90_000;
const NOT_ANSWERED = 4;

export const askCommand: Command = async ([question], given, io) => {
  if (question === undefined)
    throw usage("no question was given", 'put it first: orch ask "Which table?" --option sessions');
  const { option = [], default: preset, impact, context } = given;
  const holdMs = holdGiven(given.hold) ?? HOLD_MS;
  const asked = { question, options: option, default: preset, impact, context };
  const folder = sessionFolderIn(io.env);
  if (folder === null) throw notInSession();
  // The command ends when its process does; nobody takes the call back otherwise.
  const { signal } = new AbortController();
  const request = { question: asked, holdMs, call: null };
  const { kind, text, why } = await askOrch(sideOf(folder).call, request, signal);
  if (kind === "closed") throw notInSession();
  if (kind === "busy" || kind === "wordless") throw usage(text, "see `orch ask --help`");
  const isPending = kind === "pending";
  const shown = { state: kind, answer: isPending ? null : text, why: isPending ? text : why };
  printResult(io, given, shown, () => text);
  return isPending ? NOT_ANSWERED : 0;
};

/** null: not given. */
function holdGiven(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = /^0(?:ms|s|m|h|d)?$/.test(text) ? 0 : parseDuration(text);
  if (ms !== null) return ms;
  throw usage(`--hold is ${JSON.stringify(text)}`, `write ${DURATION_WORDS}`);
}

function notInSession() {
  return usage(
    "`orch ask` works only inside a running session",
    "agents call it while orch runs them; to answer a question, use `orch answer`",
  );
}
