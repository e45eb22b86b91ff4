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

export interface IntegrityChange {
  readonly files: readonly ChangedFile[];
  /** What the gates come to run, as it was on the base. */
  readonly lines: readonly string[];
  readonly claim: WorkClaim;
}
