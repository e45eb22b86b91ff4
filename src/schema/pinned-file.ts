// What did a run begin with, as its folder keeps it?

import { z } from "zod";

import { LEVELS, type Level } from "../core/model/policy.ts";
import { parseWith } from "./key-problems.ts";
import { parseJson, type Parsed } from "./parsed.ts";

/** Config, prompts and level as they were read once; tasks stand in the log. */
export interface PinnedDocument {
  readonly version: 1;
  readonly config: {
    /** From the repository's root. */
    readonly path: string;
    /** What it exported, as JSON, in which names of variables stand for secrets. */
    readonly json: string;
  };
  /** What the environment said. */
  readonly level: Level | null;
  /** Texts by name of all that the config's pipelines can use. */
  readonly prompts: Readonly<Record<string, string>>;
  /** What was read, from the repository's root, with the SHA-256 of each file. */
  readonly files: Readonly<Record<string, string>>;
  /** What git went by; null: an older orch wrote nothing down, or there is no repository. */
  readonly git: Readonly<Record<string, string>> | null;
}

const texts = z.record(z.string(), z.string());

const shape: z.ZodType<PinnedDocument> = z.strictObject({
  version: z.literal(1),
  config: z.strictObject({ path: z.string(), json: z.string() }),
  level: z.literal(LEVELS).nullable(),
  prompts: texts,
  files: texts,
  git: texts.nullable().default(null),
});

export function parsePinned(text: string): Parsed<PinnedDocument> {
  const raw = parseJson(text);
  return raw.ok ? parseWith(shape, raw.value) : raw;
}
