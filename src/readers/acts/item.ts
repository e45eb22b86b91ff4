// What is a shell script made of?

export interface Redirect {
  /** ">", ">>", "<" and the like, without the number of a descriptor. */
  readonly operator: string;
  readonly target: string;
}

/** One program with its arguments, as far as the script tells them: see `mark` in word.ts. */
export interface SimpleCommand {
  readonly kind: "command";
  /** As written. */
  readonly text: string;
  readonly words: readonly string[];
  readonly redirects: readonly Redirect[];
  /** What a heredoc or `<<<` feeds it. */
  readonly stdin: string | null;
  /** The command before the `|`. */
  readonly from: SimpleCommand | null;
}

/** Between "open" and "close" a subshell runs: what it changes ends with it. */
export type Item = SimpleCommand | { readonly kind: "open" } | { readonly kind: "close" };
