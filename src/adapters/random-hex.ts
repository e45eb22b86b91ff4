// How are names made that nobody can guess?

/** Fetched for many at once: to ask for a few bytes costs as much as to ask for many. */
let left = "";
const CHARS = 16;
const AT_ONCE = 32;

/**
 * 64 random bits, as 16 digits of base 16. What makes them is loaded with the first: commands that
 * only look at runs need none.
 */
export function randomHex(): string {
  if (left === "") {
    const { randomBytes } = process.getBuiltinModule("node:crypto");
    left = randomBytes((CHARS / 2) * AT_ONCE).toString("hex");
  }
  const hex = left.slice(0, CHARS);
  left = left.slice(CHARS);
  return hex;
}
