// How does an agent that only has a shell put a question to a person?

import { SAID, askPerson, type AskReply } from "../../mcp/ask.ts";
import { readAsking, sessionFolderIn } from "../../mcp/ask-files.ts";
import { systemCode, writeFailure } from "../../adapters/files/disk.ts";
import { assertNever } from "../../core/model/assert.ts";
import type { OrchError } from "../../errors.ts";
import { DURATION_WORDS, parseDuration } from "../../schema/duration.ts";
import { printErr, printJson, printOut, type CliIo } from "../io.ts";
import { type Given, isOn, textGiven, usage, wordsGiven } from "../options.ts";
import { jsonText } from "../render/json.ts";

/** Shells of agents are cut off after about two minutes. */
const HOLD_MS = 90_000;
const NOT_ANSWERED = 4;
const IMPACTS = ["blocking", "contradiction", "major", "minor", "taste"];

export async function askCommand(
  [question]: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const asked = questionOf(question, given);
  const holdMsMax = timeOf(given, "hold", 0) ?? HOLD_MS;
  const folder = sessionFolderIn(io.env);
  if (folder === null || readAsking(folder) === null) throw notInSession(folder);
  // The command ends when its process does; nobody takes the call back otherwise.
  const { signal } = new AbortController();
  const reply = await askPerson(asked, { folder, holdMsMax, signal }).catch((error: unknown) => {
    // A full disk, or something in the session's folder that nobody expected there.
    throw systemCode(error) === "" ? error : writeFailure(folder, error);
  });
  return shown(reply, isOn(given, "json"), io);
}

function questionOf(question: string | undefined, given: Given): object {
  if (question === undefined)
    throw usage("no question was given", 'put it first: orch ask "Which table?" --option sessions');
  const impact = textGiven(given, "impact");
  if (impact !== null && !IMPACTS.includes(impact))
    throw usage(
      `--impact is ${JSON.stringify(impact)}; ${IMPACTS.join(", ")} were expected`,
      "`blocking` cannot go on without an answer, `taste` hardly needs one",
    );
  return {
    question,
    options: wordsGiven(given, "option"),
    default: textGiven(given, "default"),
    impact,
    context: textGiven(given, "context"),
    expires_in_ms: timeOf(given, "expiresIn", 1),
  };
}

/** null: not given. */
function timeOf(given: Given, name: "hold" | "expiresIn", leastMs: number): number | null {
  const text = textGiven(given, name);
  if (text === null) return null;
  const ms = /^0(?:ms|s|m|h|d)?$/.test(text) ? 0 : parseDuration(text);
  if (ms !== null && ms >= leastMs) return ms;
  const flag = name === "hold" ? "--hold" : "--expires-in";
  throw usage(`${flag} is ${JSON.stringify(text)}`, `write ${DURATION_WORDS}`);
}

function shown(reply: AskReply, json: boolean, io: CliIo): number {
  switch (reply.kind) {
    case "answered":
      if (json) printJson(io, jsonText({ state: "answered", answer: reply.answer, why: null }));
      else printOut(io, reply.answer);
      return 0;
    case "unasked": {
      const { answer, why } = reply.unasked;
      if (json) printJson(io, jsonText({ state: "unasked", answer, why }));
      else printOut(io, answer);
      printErr(io, `orch: nobody was asked: ${WHY[why]}`);
      return 0;
    }
    case "pending":
      if (json) printJson(io, jsonText({ state: "pending", answer: null, why: SAID.pending }));
      else printOut(io, SAID.pending);
      return NOT_ANSWERED;
    case "busy":
      throw usage(
        "another question waits for its answer",
        "one question at a time: ask this later",
      );
    case "wordless":
      throw usage("the question is empty", SAID.wordless);
    case "closed":
      throw notInSession(null);
    default:
      return assertNever(reply, "reply");
  }
}

const WHY = {
  level: "a person is not asked about such things in this run",
  duplicate: "this was answered before",
  "too-many": "no more questions may be put in this task",
} as const;

function notInSession(folder: string | null): OrchError {
  return usage(
    folder === null
      ? "`orch ask` works only inside a session, and this is none"
      : "the session this belongs to is over, or its folder is damaged",
    "agents call it while orch runs them; to answer a question, use `orch answer`",
  );
}
