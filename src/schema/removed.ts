// Keys that config files and front matter once had, and what to do instead.

/**
 * By the key's path, without indexes: "judge", "notify.bell". It is the suggestion where the key is
 * written and no schema has it any more.
 */
const REMOVED: Readonly<Record<string, string>> = {
  judge: "remove it: there is no second opinion any more; a person is asked instead",
};

/** What to do instead of a key that was removed; null: there never was one of this name. */
export function removedKey(path: readonly (string | number)[]): string | null {
  const key = path.filter((part) => typeof part === "string").join(".");
  return Object.hasOwn(REMOVED, key) ? (REMOVED[key] ?? null) : null;
}
