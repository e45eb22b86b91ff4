// Which texts are the worst for a pattern?

import { visitRegExpAST, type AST } from "@eslint-community/regexpp";

import { isChar, memberTest } from "./count-steps.ts";

/** What is repeated, after what, and what may end it. */
export interface Worst {
  readonly before: string;
  readonly pump: string;
  readonly after: string;
}

export function textOf({ before, pump, after }: Worst, chars: number): string {
  return before + pump.repeat(Math.ceil(chars / pump.length)) + after;
}

/** Ends which few patterns accept. */
const ENDS = ["", "\0", "\n\0"];
const COMMON = ["a", "0", " ", "\n", "\0", "-"];

/**
 * Each word that the pattern reads up to and between its repetitions is tried as what is repeated:
 * backtracking needs a part that fits in more than one way, or at more than one start.
 */
export function worstTexts(regex: AST.RegExpLiteral): readonly Worst[] {
  const chars = samplesIn(regex);
  const [befores, pumps] = [new Set([""]), new Set(chars)];
  for (const alternative of regex.pattern.alternatives) {
    for (const word of wordsOf(alternative.elements, chars, regex.flags)) pumps.add(word);
  }
  visitRegExpAST(regex, {
    onQuantifierEnter: (node) => {
      for (const word of wordsOf([node.element], chars, regex.flags)) pumps.add(word);
      const { parent } = node;
      if (node.max < 8 || parent.type !== "Alternative") return;
      const at = parent.elements.indexOf(node);
      for (const word of wordsOf(parent.elements.slice(0, at), chars, regex.flags)) {
        befores.add(word);
        for (const char of chars)
          if (memberTest(node.element, regex.flags)(char)) pumps.add(word + char);
      }
    },
  });
  pumps.delete("");
  const all = [...pumps].flatMap((pump) =>
    [...befores].flatMap((before) => ENDS.map((after) => ({ before, pump, after }))),
  );
  const step = Math.max(1, all.length / TEXTS_MAX);
  return all.filter((_text, nth) => Math.floor(nth % step) === 0);
}

const TEXTS_MAX = 50;

/** One character for each way in which the pattern tells characters apart. */
function samplesIn(regex: AST.RegExpLiteral): readonly string[] {
  const tests = new Map<string, (char: string) => boolean>();
  const chars = new Set(COMMON);
  const add = (node: AST.Node): void => void tests.set(node.raw, memberTest(node, regex.flags));
  visitRegExpAST(regex, {
    onCharacterEnter: ({ value }) => void chars.add(String.fromCodePoint(value)),
    onCharacterClassEnter: add,
    onCharacterSetEnter: add,
  });
  for (let code = 0; code < 128; code++) chars.add(String.fromCharCode(code));
  const kinds = new Map<string, string>();
  for (const char of chars) {
    const kind = [...tests.values()].map((test) => (test(char) ? 1 : 0)).join("");
    if (!kinds.has(kind)) kinds.set(kind, char);
  }
  return [...kinds.values()];
}

const WORDS_MAX = 6;

/** Short words which these elements accept: the first for all, then one for each alternative. */
function wordsOf(
  elements: readonly AST.Element[],
  chars: readonly string[],
  flags: AST.Flags,
): readonly string[] {
  const spellings = elements.map((node) => spellingsOf(node, chars, flags));
  const count = Math.min(WORDS_MAX, Math.max(1, ...spellings.map((list) => list.length)));
  return Array.from({ length: count }, (_, nth) =>
    spellings.map((list) => list[nth % Math.max(list.length, 1)] ?? "").join(""),
  );
}

function spellingsOf(
  node: AST.Element,
  chars: readonly string[],
  flags: AST.Flags,
): readonly string[] {
  if (node.type === "Quantifier")
    return spellingsOf(node.element, chars, flags).map((word) =>
      word.repeat(Math.max(1, node.min)),
    );
  if (node.type === "Group" || node.type === "CapturingGroup")
    return node.alternatives.flatMap(({ elements }) => wordsOf(elements, chars, flags));
  if (node.type === "Character") return [String.fromCodePoint(node.value)];
  if (isChar(node)) return chars.filter(memberTest(node, flags)).slice(0, WORDS_MAX);
  return [""];
}
