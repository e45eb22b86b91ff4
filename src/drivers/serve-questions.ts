// How are a running agent's questions answered, one after another?

import { watchFolder } from "../adapters/files/folder-watch.ts";
import { unaskedAnswer } from "../core/decide/asking.ts";
import { type Asking } from "../core/model/question.ts";
import { excerpt } from "../core/model/excerpt.ts";
import type { AskedQuestion, UnaskedQuestion } from "../core/model/session.ts";
import type { SessionRequest } from "../engine/ports.ts";
import {
  dropPending,
  hasPending,
  readPending,
  writeAnswer,
  writeAsking,
} from "../mcp/ask-files.ts";

const UNASKED_MAX = 200;

/**
 * Takes the questions of a session one after another. What lies in its folder was written by the
 * agent's side: what may be asked is decided anew, by what this process knows.
 *
 * The returned function ends it, and never rejects: `asked` is the question that nobody answered,
 * null where none waits, and `unasked` are those that orch answered by itself.
 */
export function serveQuestions(
  folder: string,
  first: Asking,
  { onAsked, onEvent }: Pick<SessionRequest, "onAsked" | "onEvent">,
) {
  const over = new AbortController();
  let asking = first;
  let taken = "";
  let inProgress: Promise<void> | null = null;
  const unasked: UnaskedQuestion[] = [];

  const answeredByOrch = (asked: AskedQuestion): string | null => {
    const alone = unaskedAnswer(asking, asked);
    if (alone !== null && unasked.length < UNASKED_MAX) unasked.push(alone);
    return alone?.answer ?? null;
  };
  const take = async ({ id, asked }: Waiting): Promise<void> => {
    taken = id;
    const alone = answeredByOrch(asked);
    if (alone !== null) return deliverAnswer(folder, id, alone);
    if (asking.holdMs <= 0) return;
    const answer = await onAsked(asked, over.signal);
    if (answer === null && over.signal.aborted) return;
    asking = answer === null ? { ...asking, holdMs: 0 } : afterAnswer(asking, asked, answer);
    // Known before the question is gone: who asks the same again is answered from here.
    writeAsking(folder, asking);
    if (answer !== null) deliverAnswer(folder, id, answer);
  };
  const check = (): void => {
    if (inProgress !== null || over.signal.aborted) return;
    const found = waitingIn(folder);
    if (found === null || found.id === taken) return;
    inProgress = take(found)
      .catch((error: unknown) => onEvent({ type: "note", text: deliveryFailure(error) }))
      .finally(() => {
        inProgress = null;
        check();
      });
  };
  const unwatch = watchFolder(folder, check);
  return async () => {
    unwatch();
    over.abort("the session is over");
    await inProgress;
    const left = waitingIn(folder)?.asked ?? null;
    const asked = left === null || answeredByOrch(left) !== null ? null : left;
    return { asked, unasked };
  };
}

interface Waiting {
  readonly id: string;
  readonly asked: AskedQuestion;
}

/** null: nothing waits here. Never throws: it is called where nobody could catch. */
function waitingIn(folder: string): Waiting | null {
  try {
    if (!hasPending(folder)) return null;
    const found = readPending(folder);
    // Without its words it waits in the agent's own program, and is found there.
    if (found?.asked) return { id: found.id, asked: { ...found.asked, toolUseId: null } };
    // What is no question would keep every question away.
    if (found === null) dropPending(folder);
  } catch {
    // The folder may be gone, or hold what nobody thought of: then nothing waits in it.
  }
  return null;
}

function deliverAnswer(folder: string, id: string, answer: string): void {
  // First, so that who gets the answer can ask again at once.
  dropPending(folder);
  writeAnswer(folder, id, answer);
}

function afterAnswer(asking: Asking, { question }: AskedQuestion, answer: string): Asking {
  return {
    ...asking,
    questionsLeft: asking.questionsLeft - 1,
    answered: [...asking.answered, { question, answer }],
  };
}

function deliveryFailure(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `an answer could not be handed to the agent: ${excerpt(why, 300)}`;
}
