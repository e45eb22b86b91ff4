// Keys that config files and front matter once had, and what to do instead.

/**
 * By the key's path, without indexes: "judge", "notify.bell". It is the suggestion where the key is
 * written and no schema has it any more.
 */
const REMOVED: Readonly<Record<string, string>> = {
  "notify.bell":
    "remove it: a prompt that waits rings the bell; a terminal's own setting silences it",
  "notify.timeout": "remove it: the command and each try of the address have 10 s",
  "questions.levels": "remove it: `questions.expiresIn` and `whenExpired` hold at every level",
  judge: "remove it: there is no second opinion any more; a person is asked instead",
  "uncertainty.weights.hesitation_words": "remove it: words of doubt are not looked for any more",
};

/** What to do instead of a key that was removed; null: there never was one of this name. */
export function removedKey(path: readonly PropertyKey[]): string | null {
  const key = path.filter((part) => typeof part === "string").join(".");
  return Object.hasOwn(REMOVED, key) ? (REMOVED[key] ?? null) : null;
}
