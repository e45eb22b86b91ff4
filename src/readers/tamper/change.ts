// What must be known of a piece of work before its integrity can be judged?

/** A path whose text differs between the base and the final tree; null: absent. A move is two of them. */
export interface ChangedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A path that the report names as made or changed, and what was found there. */
export interface ClaimedFile {
  readonly path: string;
  /** "elsewhere": it is not a path inside the working tree, and nobody looked. */
  readonly found: "present" | "absent" | "elsewhere";
}

export interface WorkClaim {
  /** How many paths differ from the task's base; null: not measured, or no change is expected. */
  readonly sinceBaseCount: number | null;
  readonly files: readonly ClaimedFile[];
}

/** What the gates run, as it was on the base. */
export interface GateLines {
  readonly commands: readonly string[];
  /** Text of the files that the commands name or that their programs read; see `filesOfGates`. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

export interface IntegrityChange {
  readonly files: readonly ChangedFile[];
  readonly gates: GateLines;
  readonly claim: WorkClaim;
}
