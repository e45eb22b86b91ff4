// How does the agent reach the orch that runs its session: to ask, to report, and for permission?

import * as verdicts from "../../core/decide/action-verdict.ts";
import { askOrch, leaveReport } from "../../mcp/ask.ts";
import type { AgentOptions } from "./options.ts";
import type { Permit } from "./shell-tools.ts";
import type { Tool } from "./tool.ts";

/** Never aborts: what waits for orch ends with the process. */
const { signal } = new AbortController();

/** Loaded when it is needed, like the rules below: the model is to be asked before. */
const orchAt = async (folder: string) => (await import("../../mcp/channel.ts")).sideOf(folder);

export function orchTools({ channel, orchTools }: AgentOptions): readonly Tool[] {
  return orchTools.map((spec) => ({
    spec,
    run: async (input, call) => {
      const orch = await orchAt(channel);
      if (spec.name === "report") {
        const { path, text } = await leaveReport(orch, input, signal);
        if (path === null) throw new Error(text);
        return text;
      }
      const asked = { question: input, holdMs: null, call };
      const { kind, text } = await askOrch(orch.call, asked, signal);
      if (["busy", "wordless", "closed"].includes(kind)) throw new Error(text);
      return text;
    },
  }));
}

/** What cannot be undone is for a person to allow. */
export function permission(options: AgentOptions): Permit {
  const { cwd, channel, allowedActions } = options;
  let { asking } = options;
  return async (command, call) => {
    const { irreversibleIn } = await import("../../readers/acts/rules.ts");
    const acts = irreversibleIn(command, { root: cwd, cwd, home: process.env["HOME"] ?? null });
    if (acts === null || !verdicts.canBeShown(command)) throw new Error(UNREAD);
    const [first, ...others] = acts.filter(({ action }) => !allowedActions.includes(action));
    if (first === undefined) return;
    const verdict = verdicts.actionVerdict([first, ...others], asking);
    if (verdict.kind === "allow") return;
    if (verdict.kind === "refuse" && verdict.unasked === null) throw new Error(verdict.reason);
    // One that nobody is asked about goes on record in the same way.
    const open = verdict.kind === "ask" ? verdict.open : ([first, ...others] as const);
    const question = verdicts.actionQuestion(open, command);
    const orch = await orchAt(channel);
    const reply = await askOrch(orch.call, { question, holdMs: null, call }, signal);
    if (reply.kind === "unasked") throw new Error(verdicts.NOT_PERMITTED);
    if (reply.kind !== "answered") throw new Error(reply.text);
    const pair = { question: question.question, answer: reply.text };
    asking = { ...asking, answered: [...asking.answered, pair] };
    const decided = verdicts.verdictBy(reply.text);
    if (decided.kind === "refuse") throw new Error(decided.reason);
  };
}

const UNREAD =
  "This command could not be looked at. Make it shorter: put long texts into files first.";
