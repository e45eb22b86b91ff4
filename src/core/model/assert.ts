// What must be impossible, and what happens when it happens anyway?

/** Ends every switch over a union: a new variant becomes a compile error here, not a silent default. */
export function assertNever(value: never, what = "variant"): never {
  throw new Error(`unexpected ${what}: ${JSON.stringify(value)}`);
}

/** A condition that only a bug in orch can break. The command line turns it into exit code 70. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${message}`);
}
