// How many steps does a backtracking engine take to look through a text with a pattern?

import type { AST } from "@eslint-community/regexpp";

import { assertNever } from "../../../src/core/model/assert.ts";

/** Goes on from a place, and says whether all that follows fits. */
type Next = (at: number) => boolean;
type Match = (at: number, next: Next) => boolean;

export class TooManySteps extends Error {}

/**
 * Every place where a character is compared counts. Engines are cleverer by constants; what grows
 * faster than the text here, backtracks there as well. Searches on behind each match where the pattern is
 * global, as `replace` does.
 */
export function stepCounter({
  pattern,
  flags,
}: AST.RegExpLiteral): (text: string, stepsMax: number) => number {
  let text = "";
  let steps = 0;
  let stepsMax = 0;
  const captured = new Map<AST.CapturingGroup, readonly [number, number]>();

  const one = (
    node: AST.CharacterClass | AST.CharacterSet | AST.Character | AST.Element,
    back: boolean,
  ): Match => {
    const fits = memberTest(node, flags);
    const [before, after] = back ? [-1, -1] : [0, 1];
    return (at, next) => takes(fits, at + before) && next(at + after);
  };
  const takes = (fits: (char: string) => boolean, at: number): boolean => {
    if (++steps > stepsMax) throw new TooManySteps();
    return at >= 0 && at < text.length && fits(text.charAt(at));
  };

  const all = (nodes: readonly AST.Element[], back: boolean): Match => {
    const parts = (back ? nodes.toReversed() : nodes).map((node) => element(node, back));
    const from = (part: number, at: number, next: Next): boolean => {
      const match = parts[part];
      return match === undefined ? next(at) : match(at, (then) => from(part + 1, then, next));
    };
    return (at, next) => from(0, at, next);
  };
  const anyOf = (alternatives: readonly AST.Alternative[], back: boolean): Match => {
    const matches = alternatives.map(({ elements }) => all(elements, back));
    return (at, next) => matches.some((match) => match(at, next));
  };

  const repeat = ({ element: node, min, max, greedy }: AST.Quantifier, back: boolean): Match => {
    if (isChar(node)) return repeatChar(memberTest(node, flags), { min, max, greedy, back });
    const match = element(node, back);
    const round = (count: number, at: number, next: Next): boolean => {
      const again = (): boolean =>
        count < max &&
        match(at, (then) => (then !== at || count < min) && round(count + 1, then, next));
      if (count < min) return again();
      return greedy ? again() || next(at) : next(at) || again();
    };
    return (at, next) => round(0, at, next);
  };
  const repeatChar = (
    fits: (char: string) => boolean,
    { min, max, greedy, back }: { min: number; max: number; greedy: boolean; back: boolean },
  ): Match => {
    const [look, go] = back ? [-1, -1] : [0, 1];
    return (at, next) => {
      let count = 0;
      const more = (): boolean => count < max && takes(fits, at + count * go + look);
      while (count < min)
        if (more()) count += 1;
        else return false;
      if (!greedy) {
        while (!next(at + count * go))
          if (more()) count += 1;
          else return false;
        return true;
      }
      while (more()) count += 1;
      for (; count >= min; count -= 1) if (next(at + count * go)) return true;
      return false;
    };
  };

  const element = (node: AST.Element, back: boolean): Match => {
    if (isChar(node)) return one(node, back);
    switch (node.type) {
      case "Quantifier":
        return repeat(node, back);
      case "Group":
        return anyOf(node.alternatives, back);
      case "CapturingGroup": {
        const match = anyOf(node.alternatives, back);
        return (from, next) =>
          match(from, (to) => {
            captured.set(node, [Math.min(from, to), Math.max(from, to)]);
            return next(to);
          });
      }
      case "Backreference": {
        const group = node.resolved;
        if (Array.isArray(group)) throw new Error("a name for two groups");
        return (at, next) => {
          const [from, to] = captured.get(group) ?? [0, 0];
          steps += to - from;
          const start = back ? at - (to - from) : at;
          return (
            text.startsWith(text.slice(from, to), start) && next(back ? start : at + to - from)
          );
        };
      }
      case "Assertion":
        return assertion(node);
      default:
        return assertNever(node, "element of a pattern");
    }
  };
  const assertion = (node: AST.Assertion): Match => {
    if (node.kind === "lookahead" || node.kind === "lookbehind") {
      const match = anyOf(node.alternatives, node.kind === "lookbehind");
      return (at, next) => match(at, () => true) !== node.negate && next(at);
    }
    const holds = edgeTest(node, flags.multiline);
    return (at, next) => {
      if (++steps > stepsMax) throw new TooManySteps();
      return holds(text, at) && next(at);
    };
  };

  const match = anyOf(pattern.alternatives, false);
  return (given, max) => {
    [text, steps, stepsMax] = [given, 0, max];
    for (let from = 0; from <= text.length;) {
      let end = -1;
      captured.clear();
      const found = match(from, (at) => {
        end = at;
        return true;
      });
      if (found && !flags.global && !flags.sticky) break;
      if (!found && (flags.sticky || isAnchored(pattern, flags))) break;
      from = found && end > from ? end : from + 1;
    }
    return steps;
  };
}

/** The engine sees that no later start can fit. */
function isAnchored(pattern: AST.Pattern, { multiline }: AST.Flags): boolean {
  const begins = (elements: readonly AST.Element[]): boolean => {
    const [first] = elements;
    if (first?.type === "Assertion") return first.kind === "start";
    if (first?.type === "Group" || first?.type === "CapturingGroup")
      return first.alternatives.every((one) => begins(one.elements));
    return false;
  };
  return !multiline && pattern.alternatives.every(({ elements }) => begins(elements));
}

export type CharNode =
  | AST.Character
  | AST.CharacterClass
  | AST.CharacterSet
  | AST.ExpressionCharacterClass;

export function isChar(node: AST.Node): node is CharNode {
  return ["Character", "CharacterClass", "CharacterSet", "ExpressionCharacterClass"].includes(
    node.type,
  );
}

const members = new Map<string, (char: string) => boolean>();

/** The engine itself is asked what a class contains, once for each character. */
export function memberTest(node: AST.Node, { raw }: AST.Flags): (char: string) => boolean {
  const flags = raw.replace(/[gymd]/g, "");
  const key = `${node.raw}/${flags}`;
  const known = members.get(key);
  if (known !== undefined) return known;
  const regex = new RegExp(`^(?:${node.raw})$`, flags);
  const table = new Map<string, boolean>();
  const test = (char: string): boolean => {
    const before = table.get(char);
    if (before !== undefined) return before;
    const fits = regex.test(char);
    table.set(char, fits);
    return fits;
  };
  members.set(key, test);
  return test;
}

function edgeTest(node: AST.EdgeAssertion | AST.WordBoundaryAssertion, multiline: boolean) {
  const isWord = (char: string): boolean => /\w/.test(char);
  const isBreak = (char: string): boolean => /[\n\r\u2028\u2029]/.test(char);
  return (text: string, at: number): boolean => {
    if (node.kind === "start") return at === 0 || (multiline && isBreak(text.charAt(at - 1)));
    if (node.kind === "end") return at === text.length || (multiline && isBreak(text.charAt(at)));
    const isEdge = isWord(text.charAt(at - 1)) !== isWord(text.charAt(at));
    return isEdge !== (node.kind === "word" && node.negate);
  };
}
