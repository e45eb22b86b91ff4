// What can be wrong that the user can mend?

/** Stable codes; each is explained in docs/errors.md. */
const CODES =
  "usage config-missing config-invalid config-threw task-missing task-invalid task-cycle prompt-missing agent-missing not-a-repository sandbox-missing no-commits git-busy git-failed branch-in-use tree-not-made run-unknown run-claimed run-ended pinned-unusable setup-failed log-damaged log-newer log-write-failed other-host disk-full machine-fault unsafe-folder question-unknown question-answered question-expired answer-invalid init-exists fleet-unavailable";
export const ERROR_CODES: readonly string[] = CODES.split(" ");

type Words<T extends string> = T extends `${infer First} ${infer More}` ? First | Words<More> : T;
export type ErrorCode = Words<typeof CODES>;

/** The end of a hint for what stops a run in the middle. */
export const THEN_RESUME = "then run `orch resume`; everything recorded so far is kept";

interface ErrorMore {
  readonly cause?: unknown;
  readonly exitCode?: 75;
}

/**
 * Something the user can act on. Printed as two lines, never with a stack: the message says what
 * was expected and what was found; the hint says what to do.
 */
export class OrchError extends Error {
  override readonly name = "OrchError";
  readonly code: ErrorCode;
  readonly hint: string;
  /** 75: put off until there is room again. */
  readonly exitCode: 2 | 75;

  constructor(code: ErrorCode, message: string, hint: string, options: ErrorMore = {}) {
    super(message, options);
    this.code = code;
    this.hint = hint;
    this.exitCode = options.exitCode ?? 2;
  }
}

/** For `catch`: null for what orch has words for, which are told where a person asks for it. */
export function nullIfWorded(error: unknown): null {
  if (error instanceof OrchError) return null;
  throw error;
}
