// May an agent run a command that cannot be undone?

import type { Redact } from "../adapters/redact.ts";
import {
  actionQuestion,
  actionVerdict,
  canBeShown,
  NOT_PERMITTED,
  verdictBy,
  type Settled,
} from "../core/decide/action-verdict.ts";
import type { Asking } from "../core/model/question.ts";
import { irreversibleIn } from "../readers/acts/rules.ts";
import { askOrch } from "../mcp/ask.ts";
import type { CallOrch } from "../mcp/channel.ts";
import type { PutQuestion } from "../schema/channel-request.ts";

/** Rejects, in words for the model, where the command may not run. `call`: by the model's own name. */
export type Permit = (command: string, call: string | null) => Promise<void>;

export interface PermitOptions {
  /** The tree, in which commands run. */
  readonly cwd: string;
  readonly home: string | null;
  readonly allowedActions: readonly string[];
  /** As the session starts. */
  readonly asking: Asking;
  readonly orch: () => Promise<CallOrch>;
  /** Without it, orch redacts what it is asked. */
  readonly redact?: Redact;
}

/** What becomes of a command before anybody is asked. */
export type JudgedAct = Settled | { readonly kind: "ask"; readonly question: PutQuestion };

export interface Judging extends Pick<PermitOptions, "allowedActions" | "asking"> {
  readonly where: Parameters<typeof irreversibleIn>[1];
  /** What a person is shown, and what is compared with earlier questions, holds no secret. */
  readonly redact: Redact;
}

/** What cannot be undone is for a person to allow; nothing else is looked at. */
export function judgeAct(
  command: string,
  { where, allowedActions, asking, redact }: Judging,
): JudgedAct {
  const acts = irreversibleIn(command, where, redact);
  if (acts === null) return UNREAD;
  const [first, ...others] = acts.filter(({ action }) => !allowedActions.includes(action));
  if (first === undefined) return { kind: "allow" };
  const verdict = actionVerdict([first, ...others], asking);
  if (verdict.kind !== "ask") return verdict;
  const shown = redact(command);
  if (!canBeShown(shown)) return UNREAD;
  return { kind: "ask", question: actionQuestion(verdict.open, shown) };
}

/** Never aborts: what waits for orch ends with the process or the session. */
const { signal } = new AbortController();

/** For an agent whose command can wait for the answer. */
export function permission({ cwd, home, allowedActions, orch, ...given }: PermitOptions): Permit {
  let { asking } = given;
  const where = { root: cwd, cwd, home };
  return async (command, call) => {
    const redact = given.redact ?? ((text: string) => text);
    const judged = judgeAct(command, { where, allowedActions, asking, redact });
    if (judged.kind === "allow") return;
    if (judged.kind === "refuse" && judged.unasked === null) throw new Error(judged.reason);
    // What nobody is asked about goes on record in the same way.
    const question = judged.kind === "ask" ? judged.question : judged.unasked;
    const reply = await askOrch(await orch(), { question, holdMs: null, call }, signal);
    if (reply.kind === "unasked") throw new Error(NOT_PERMITTED);
    if (reply.kind !== "answered") throw new Error(reply.text);
    const pair = { question: question?.question ?? "", answer: reply.text };
    asking = { ...asking, answered: [...asking.answered, pair] };
    const decided = verdictBy(reply.text);
    if (decided.kind === "refuse") throw new Error(decided.reason);
  };
}

const UNREAD: Settled = {
  kind: "refuse",
  reason: "This command could not be looked at. Make it shorter: put long texts into files first.",
  unasked: null,
};
