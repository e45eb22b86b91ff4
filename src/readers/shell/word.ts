// What does a word of a script stand for, as far as the script itself says?

/** Marks around what only a run would know. They are no characters, so no script contains them rightly. */
const OPEN = "\ufdd0";
const OPEN_QUOTED = "\ufdd1";
const CLOSE = "\ufdd2";
const MARK = /[\ufdd0\ufdd1]([^\ufdd0-\ufdd2]*)\ufdd2/g;
const LONE_MARK = /^\ufdd0([^\ufdd2]*)\ufdd2$/;

/** What replaces the output of a command, a changed variable, a pattern: nobody knows. */
export const UNKNOWN = `${OPEN_QUOTED}${CLOSE}`;

/** Names for the output of commands that is known nevertheless. */
export const ROOT_NAME = "=root";
export const GIT_FOLDER_NAME = "=git";
export const TEMPORARY_NAME = "=temporary";

/** The value for a name; null: unknown. */
export type Lookup = (name: string) => string | null;

/** A script without the characters that marks are made of. */
export function withoutMarks(script: string): string {
  return script.replace(/[\ufdd0-\ufdd2]/g, "");
}

/** With the marks as variables again, for people. */
export function withVariables(text: string): string {
  return text.replace(MARK, (_whole, name: string) => `\${${name || "…"}}`);
}

/** A variable within a word: "HOME", or with its default "HOME:-/root"; "" is never known. */
export function mark(content: string, isQuoted: boolean): string {
  return `${isQuoted ? OPEN_QUOTED : OPEN}${content}${CLOSE}`;
}

export function isKnown(word: string): boolean {
  return !word.includes(CLOSE);
}

/** Names of the variables in a word that nothing is known about. */
export function unknownNames(word: string): readonly string[] {
  return isKnown(word) ? [] : [...word.matchAll(MARK)].map(([, name = ""]) => name);
}

/** How a word begins before the first thing that is unknown. */
export function knownStart(word: string): string {
  return word.split(/[\ufdd0\ufdd1]/, 1)[0] ?? "";
}

/** Words with the variables that are known; one that stands alone without quotes may become several words. */
export function expand(words: readonly string[], lookup: Lookup): readonly string[] {
  return words.flatMap((word) => {
    if (isKnown(word)) return [word];
    const lone = LONE_MARK.exec(word)?.[1];
    const value = lone === undefined ? null : valueOf(lone, lookup);
    if (value !== null && isKnown(value))
      return value.split(/[ \t\n]+/).filter((one) => one !== "");
    return [expandWord(word, lookup)];
  });
}

function expandWord(word: string, lookup: Lookup): string {
  return word.replace(MARK, (_whole, content: string) => {
    const [name = ""] = content.split(":-", 1);
    return valueOf(content, lookup) ?? mark(name, true);
  });
}

function valueOf(content: string, lookup: Lookup): string | null {
  const [name = ""] = content.split(":-", 1);
  const value = name === "" ? null : lookup(name);
  if (value !== null) return value;
  return content.length > name.length ? content.slice(name.length + 2) : null;
}

/** Outputs that are known without running anything. */
const OUTPUTS: Readonly<Record<string, string>> = {
  pwd: "PWD",
  "git rev-parse --show-toplevel": ROOT_NAME,
  "git rev-parse --git-dir": GIT_FOLDER_NAME,
  "git rev-parse --git-common-dir": GIT_FOLDER_NAME,
};

/** A file or a folder for a while; a template that is neither absolute nor after `-t` is made right here. */
const MAKES_TEMPORARY =
  /^mktemp(?: +(?:-[dqu]{1,3}|--directory|-[dqu]{0,3}t +[^\s/$]+|--tmpdir(?: +[^\s/$]+)?|["']?(?:\/tmp|\$TMPDIR|\$\{TMPDIR(?::-\/tmp)?\})\/[^\s/$]+))*$/;

/** The name for what `$(…)` or its older form prints; "": nobody knows. */
export function outputOf(written: string): string {
  if (written.length > 90) return "";
  const script = written.replace(/^(?:\$\(|`)|2>\/dev\/null|[)`]$/g, "").trim();
  if (MAKES_TEMPORARY.test(script)) return TEMPORARY_NAME;
  return Object.hasOwn(OUTPUTS, script) ? (OUTPUTS[script] ?? "") : "";
}
