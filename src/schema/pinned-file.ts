// What did a run begin with, as its folder keeps it?

import { z } from "zod";

import { LEVELS } from "../core/model/policy.ts";
import { parseWith } from "./key-problems.ts";
import { parseJson, type Parsed } from "./parsed.ts";

const texts = z.record(z.string(), z.string());

/** Config, prompts and level as they were read once; tasks stand in the log. Paths are from the repository's root. */
const shape = z.strictObject({
  version: z.literal(1),
  /** As JSON what it exported, in which names of variables stand for secrets. */
  config: z.strictObject({ path: z.string(), json: z.string() }),
  /** What the environment said. */
  level: z.literal(LEVELS).nullable(),
  /** By name all that the config's pipelines can use. */
  prompts: texts,
  /** What was read, with the SHA-256 of each file. */
  files: texts,
  /** What git went by; null: there is no repository. */
  git: texts.nullable(),
});

export type PinnedDocument = Readonly<z.infer<typeof shape>>;

export function parsePinned(text: string): Parsed<PinnedDocument> {
  const raw = parseJson(text);
  return raw.ok ? parseWith(shape, raw.value) : raw;
}
