// How are phrases that people can read looked for in a text?

/** What a regular expression can do, too. */
export interface Words {
  test(text: string): boolean;
  exec(text: string): { readonly index: number; readonly 0: string } | null;
}

/**
 * Phrases stand between commas; any of them is enough. They are looked for in text that `fold` made even:
 * lower case, names apart.
 *
 *   `a b`    one behind the other, with one to four marks or spaces between
 *   `a|b`    one of them; `a+b` where one of them is two words
 *   `a-b`    together or apart: `time-out` is also "timeout" and "time out"
 *   `a*`     whatever its end
 *   `a?`     may be missing
 *   `..`     up to sixty characters of anything
 *   `!a|b`   is not followed by these
 *   `#`, `@` a number above zero, perhaps with its unit; any word
 *   `^`      in front: a line begins here
 *
 * A regular expression that is put in with `${}` stands for itself; a text is a part of a phrase. Time
 * is linear in the text: what repeats has a limit or one possible end.
 */
export function phrases(
  source: TemplateStringsArray,
  ...parts: readonly (string | RegExp)[]
): Words {
  const all: Words[] = parts.filter((part) => typeof part !== "string");
  all.push(...phrasesIn(source, parts).map(phrase));
  return {
    test: (text) => all.some((one) => one.test(text)),
    exec: (text) => {
      for (const one of all) {
        const found = one.exec(text);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

/** Each phrase as its tokens. */
export function phrasesIn(
  source: TemplateStringsArray,
  parts: readonly (string | RegExp)[],
): readonly (readonly string[])[] {
  const words = parts.map((part) => (typeof part === "string" ? part : ""));
  const written = String.raw(source, ...words).split(",");
  return written
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => one.split(/\s+/));
}

/** The pattern is made when a text holds its rarest word at all: hundreds of patterns are slow to make. */
function phrase(tokens: readonly string[]): Words {
  const needed = rarest(tokens);
  let pattern: RegExp | null = null;
  const exec: Words["exec"] = (text) => {
    if (!needed.some((word) => text.includes(word))) return null;
    pattern ??= patternOf(tokens);
    return pattern.exec(text);
  };
  return { exec, test: (text) => exec(text) !== null };
}

/** One of these stands in every text that the phrase is in. */
function rarest(tokens: readonly string[]): readonly string[] {
  const firm = tokens.filter((token) => !/^!|\?$|^\.\.$|^\^$/.test(token));
  const stems = firm.map((token) => token.split("|").map(stemOf));
  const shortest = (words: readonly string[]): number =>
    Math.min(...words.map((word) => word.length)) - words.length;
  return stems.toSorted((one, other) => shortest(other) - shortest(one))[0] ?? [""];
}

/** The longest part of a word that has no signs. */
function stemOf(word: string): string {
  return word.split(/[-+*#@]/).toSorted((one, other) => other.length - one.length)[0] ?? "";
}

const BETWEEN = "\\W{1,4}";
const ANYTHING = "[^]{0,60}?";
const SIGNS: Readonly<Record<string, string>> = {
  "-": "\\W?",
  "+": BETWEEN,
  "*": "\\w*",
  "#": "[1-9]\\w*(?:[.,]\\w+)?",
  "@": "\\w+",
};

export function patternOf(tokens: readonly string[]): RegExp {
  let pattern = "";
  let glue = "";
  for (const token of tokens) {
    if (token === "^") pattern += "^\\W{0,3}";
    else if (token.startsWith("!")) pattern += `(?!\\W{0,3}${oneOf(token.slice(1))})`;
    else if (token.endsWith("?"))
      pattern += `${glue}(?:${oneOf(token.slice(0, -1))}(?:${BETWEEN}|$))?`;
    else if (token === "..") pattern += ANYTHING;
    else pattern += glue + oneOf(token);
    glue = token.endsWith("?") || token === ".." || token === "^" ? "" : BETWEEN;
  }
  // Between marks and a word there is an edge anyway.
  return new RegExp(pattern.replaceAll(`\\b${BETWEEN}\\b`, BETWEEN), "m");
}

function oneOf(token: string): string {
  const words = token.split("|");
  const [before, after] = [words.every(startsInWord), words.every(endsInWord)];
  const all = words.map((word) => {
    const body = word.replace(/[^\w\s]/g, (sign) => SIGNS[sign] ?? `\\${sign}`);
    const [start, end] = [!before && startsInWord(word), !after && endsInWord(word)];
    return (start ? "\\b" : "") + body + (end ? "\\b" : "");
  });
  const [first = ""] = all;
  return `${before ? "\\b" : ""}${all.length === 1 ? first : `(?:${all.join("|")})`}${after ? "\\b" : ""}`;
}

function startsInWord(word: string): boolean {
  return /^[\w@#]/.test(word);
}

function endsInWord(word: string): boolean {
  return /[\w@#*]$/.test(word);
}
