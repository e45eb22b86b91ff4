// What do the values look like that config and task files share?

import { z } from "zod";
import { globProblem } from "../core/model/glob.ts";
import { PARALLEL_MAX } from "../core/model/settings.ts";
import { DURATION_WORDS, parseDuration } from "../core/model/duration.ts";

const NAME_WORDS =
  "expected a name of letters, digits, dots, dashes and underscores, at most 80 long";
const NAME = "^[A-Za-z0-9][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*$";
const NAME_CHARS_MAX = 80;
const TEXT_MAX = 10_000;
const LIST_MAX = 200;
/** Far beyond use, and small enough for exact arithmetic. */
const COUNT_MAX = 1_000_000_000;

export const name = z
  .string({ error: NAME_WORDS })
  .refine((text) => text.length <= NAME_CHARS_MAX && new RegExp(NAME).test(text), {
    error: NAME_WORDS,
  })
  .meta({ pattern: NAME, maxLength: NAME_CHARS_MAX });

/** Agents by name: the first is preferred, the others take over from it. */
export const agentNames = z.union([name, z.array(name).min(1).max(8)], {
  error: "expected the name of an agent, or a list of them",
});

/** How many candidates for a task, or the agent of each. */
export const bestOf = z.union([z.int().min(1).max(9), z.array(name).min(1).max(9)], {
  error: "expected how many candidates, 1 to 9, or a list of agents",
});

export function candidatesOf(written?: z.infer<typeof bestOf>): readonly (string | null)[] | null {
  return typeof written === "number" ? Array<null>(written).fill(null) : (written ?? null);
}

/** Reaches an agent's command line, hence nothing that reads as an option. */
export const model = z
  .string()
  .max(200)
  .regex(/^[^\s-]\S*$/, { error: "expected the name of a model" });

export const level = whole(0, 5, "expected a whole number from 0 to 5");

export const parallel = whole(1, PARALLEL_MAX, `expected a whole number from 1 to ${PARALLEL_MAX}`);

/** No program can be started with a NUL: for the system it ends the text. */
export const withoutNul = z
  .string()
  .refine((text) => !text.includes("\0"), { error: "expected text without NUL characters" });

export const line = withoutNul
  .trim()
  .min(1, { error: "expected some text" })
  .max(TEXT_MAX, { error: `expected at most ${TEXT_MAX} characters` });

const DURATION_ERROR = `expected ${DURATION_WORDS}`;
export const duration = z
  .string({ error: DURATION_ERROR })
  .refine((text) => parseDuration(text) !== null, { error: `${DURATION_ERROR}, up to 30 days` })
  .meta({ pattern: "^(\\d{1,9}(ms|s|m|h|d))+$", id: "Duration", examples: ["90s", "15m", "2h"] });

export function count(least: number): z.ZodInt {
  return whole(least, COUNT_MAX, `expected a whole number of at least ${least}`);
}

function whole(least: number, most: number, error: string): z.ZodInt {
  return z.int({ error }).min(least, { error }).max(most, { error });
}

const AMOUNT_WORDS = "expected an amount above 0, or null for no limit";
export const costUsd = z
  .number({ error: AMOUNT_WORDS })
  .positive({ error: AMOUNT_WORDS })
  .max(COUNT_MAX, { error: AMOUNT_WORDS })
  .nullable();

const INSIDE_WORDS = "expected a path inside the working tree, with / between its parts";
/** Relative, with no way up: nothing here may name a file outside the tree. */
export const pathInside = z
  .string()
  .min(1, { error: INSIDE_WORDS })
  .max(1_000, { error: INSIDE_WORDS })
  .refine(isInside, { error: INSIDE_WORDS, abort: true });

/** A glob such as `src/auth/**`. */
export const glob = pathInside.refine((pattern) => globProblem(pattern) === null, {
  error: "expected a glob such as src/auth/**, without exclusions or braces",
});

/** Of what may be written as one or as several; null: it was left out. */
export function listOf(written: string | readonly string[] | undefined): readonly string[] | null {
  return written === undefined ? null : [written].flat();
}

export function list<T extends z.ZodType>(item: T): z.ZodArray<T> {
  return z.array(item).max(LIST_MAX, { error: `expected at most ${LIST_MAX} entries` });
}

export const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "expected the name of an environment variable" });

export const httpUrl = z.url({ protocol: /^https?$/, error: "expected an http or https address" });

function isInside(path: string): boolean {
  const leaves = path.startsWith("/") || path.startsWith("~") || /^[a-z]:/i.test(path);
  return !leaves && !path.includes("\\") && !path.includes("\0") && !path.split("/").includes("..");
}
