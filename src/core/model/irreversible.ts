// Which acts cannot be taken back, or are seen by others, and what are they called?

export const IRREVERSIBLE_ACTIONS = [
  "push",
  "publish",
  "deploy",
  "drop-data",
  "delete-outside",
  "delete-history",
  "disk",
  "message",
] as const;

export type IrreversibleAction = (typeof IRREVERSIBLE_ACTIONS)[number];

/** An act in a shell command that an agent is about to run. */
export interface DetectedAct {
  readonly action: IrreversibleAction;
  /** The one simple command it was found in, as written, on one line. It may hold secrets. */
  readonly command: string;
  readonly folder: FolderOfAction;
}

/** Where it would run. "unknown": in a folder that only the script finds out. */
export type FolderOfAction =
  | { readonly kind: "root" | "unknown" }
  | { readonly kind: "other"; readonly path: string };

/** Each fits after "The agent wants to ". */
export const ACTION_WORDS: Readonly<Record<IrreversibleAction, string>> = {
  push: "send commits to another repository",
  publish: "publish a package, an image or a release",
  deploy: "change what runs or is stored on a server",
  "drop-data": "delete data on a server",
  "delete-outside": "delete files outside the repository",
  "delete-history": "delete the history that git or orch keeps",
  disk: "change a disk, or what belongs to the whole machine",
  message: "send something that other people or programs receive",
};

/** Those among the entries of a task's `allow`; the others are about its checks. */
export function actionsIn(allow: readonly string[]): readonly IrreversibleAction[] {
  return IRREVERSIBLE_ACTIONS.filter((action) => allow.some((entry) => entry.trim() === action));
}

export const ALLOW = "Allow it";
export const REFUSE = "Refuse it";

/** A question for permission, whose context is shown whole. */
export function isActionQuestion({ options }: { readonly options: readonly string[] }): boolean {
  return options.length === 2 && options[0] === ALLOW && options[1] === REFUSE;
}
