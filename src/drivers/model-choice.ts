// Which model is asked for, and how hard is it to think?

export interface ModelChoice {
  /** null: the agent's own. */
  readonly model: string | null;
  /** In the words of most providers; null: the agent's own. */
  readonly effort: string | null;
}

const CHOICE = /^(.*?)(?:@(none|minimal|low|medium|high|xhigh|max))?$/;

/** "sonnet@high" is a model with an effort, and "@high" an effort alone. */
export function modelChoice(written: string | null): ModelChoice {
  const [, model = "", effort = null] = CHOICE.exec(written ?? "") ?? [];
  return { model: model === "" ? null : model, effort };
}
