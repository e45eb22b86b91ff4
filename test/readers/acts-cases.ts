// Which commands do the tests of irreversible acts share?

import { readFileSync } from "node:fs";

import type { DetectedAct, IrreversibleAction } from "../../src/core/model/irreversible.ts";
import { irreversibleIn } from "../../src/readers/acts/rules.ts";
import type { Where } from "../../src/readers/shell/call.ts";

export const where: Where = { root: "/work/shop", cwd: "/work/shop", home: "/home/dev" };

/** None where the script cannot be read. */
export function acts(script: string, at: Partial<Where> = {}): readonly DetectedAct[] {
  return irreversibleIn(script, { ...where, ...at }) ?? [];
}

export function firstAct(script: string, at: Partial<Where> = {}): DetectedAct | null {
  return acts(script, at)[0] ?? null;
}

export function actionIn(script: string, at: Partial<Where> = {}): IrreversibleAction | null {
  return firstAct(script, at)?.action ?? null;
}

/** The lines of a fixture, each of which begins with a command, by the titles of its sections. */
export function sections(name: string): Readonly<Record<string, readonly string[]>> {
  const file = new URL(`../fixtures/acts/${name}.txt`, import.meta.url);
  const texts = readFileSync(file, "utf8").trimEnd().split("\n\n");
  return Object.fromEntries(
    texts.map((text) => {
      const [title = "", ...lines] = text.slice("== ".length).split("\n");
      return [title, lines];
    }),
  );
}
