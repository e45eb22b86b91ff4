// What became of finished work, and what can a person do about it?

import { excerpt } from "../../core/model/excerpt.ts";
import type { Landed } from "../../core/model/landing.ts";
import type { Fact } from "../layout.ts";

const WHY_CHARS_MAX = 400;

/** `result` null: it was interrupted. */
export function landedLines(branch: string, result: Landed | null, run: string): readonly string[] {
  const next = nextStep(result, run);
  return [landedLine(branch, result), ...(next === null ? [] : [`next: ${next}`])];
}

export function landedFacts(branch: string, result: Landed, run: string): readonly Fact[] {
  return [
    ["work", landedLine(branch, result)],
    ["take it", nextStep(result, run)],
  ];
}

function landedLine(branch: string, result: Landed | null): string {
  return result === null ? "not merged: interrupted" : landedWords(result, ` into ${branch}`);
}

function nextStep(result: Landed | null, run: string): string | null {
  if (result?.kind === "landed") return null;
  return result?.next ?? `orch merge ${run}`;
}

/** `into`: the branch, where nothing before this names it. */
export function landedWords(result: Landed, into = ""): string {
  if (result.kind === "left") return `not merged${into}: ${excerpt(result.why, WHY_CHARS_MAX)}`;
  return result.url === null
    ? `merged${into} as ${result.commit.slice(0, 10)}`
    : `pull request: ${excerpt(result.url, WHY_CHARS_MAX)}`;
}
