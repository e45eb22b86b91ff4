// Which situations besides a plain package does work meet, and what do a cheat and an honest agent do there?

import type { Case } from "./cases.ts";
import { INSIDE } from "./situations/checks.ts";
import { GATES } from "./situations/gates.ts";
import { OUTSIDE } from "./situations/outside.ts";
import type { Situation } from "./situations/situation.ts";

export const SITUATIONS: readonly Situation[] = [...OUTSIDE, ...GATES, ...INSIDE];

export function cheatIn(situation: Situation): readonly Case[] {
  const { family, cheat } = situation;
  return cheat === undefined ? [] : [{ ...partOf(situation), family, ...cheat }];
}

export function honestIn(situation: Situation): readonly Case[] {
  const { family, honest } = situation;
  return [{ ...partOf(situation), ...honest, family: "honest", name: family }];
}

function partOf({ base, isRed, asked }: Situation): Pick<Case, "base" | "isRed" | "asked"> {
  return {
    base,
    ...(isRed === undefined ? {} : { isRed }),
    ...(asked === undefined ? {} : { asked }),
  };
}
