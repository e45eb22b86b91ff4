// Which values of the policy does a person name, on the command line or in a file, and can they stand?

import { isObject } from "../core/model/json.ts";
import { overlaid, put, type ConfigPolicy, type PolicyKey } from "../core/views/policy-overlay.ts";
import { ladderProblems, parseConfig } from "./config.ts";
import { configSchema } from "./config-shape.ts";
import { checkWith } from "./key-problems.ts";
import { keysWritten, POLICY_KEYS, policyOf } from "./policy-keys.ts";
import { parsed, problem, unparsed, type Checked } from "./parsed.ts";

/** Values to lay over a policy; what they are is known, whether they fit it is not yet. */
export interface PolicyChoice {
  readonly named: readonly PolicyKey[];
  /** In the shape of a config. */
  readonly raw: Document;
  /** "--set", or the file. */
  readonly from: string;
}

type Document = Readonly<Record<string, unknown>>;

const FLAG = "--set";
const EXAMPLE = "for example --set interactionThreshold=4";
const WORD_CHARS_MAX = 2_000;
const DEPTH_MAX = 8;

/** `interactionThreshold=4`, `budget.time=2h`, `stall.noChange={"stall":2}`; the last of a key counts. */
export function choiceFromWords(words: readonly string[]): Checked<PolicyChoice> {
  let raw: Document = {};
  for (const word of words) {
    const at = Math.max(0, word.indexOf("="));
    const path = word.slice(0, at).trim().split(".");
    if (word.length > WORD_CHARS_MAX || path.length > DEPTH_MAX || path.includes(""))
      return unparsed(
        problem(FLAG, `expected key=value, found ${JSON.stringify(word.slice(0, 40))}`, EXAMPLE),
      );
    raw = put(raw, path, valueOf(word.slice(at + 1).trim()));
  }
  const shape = checkWith(configSchema, raw, FLAG);
  if (!shape.ok) return shape;
  const named = keysWritten(raw).filter(({ decides }) => decides);
  const unwanted = leavesOf(raw).find((leaf) => !named.some(({ key }) => key === leaf));
  if (unwanted === undefined) return parsed({ named, raw, from: FLAG });
  // A config may well have it.
  return unparsed(problem(FLAG, `no decision depends on ${JSON.stringify(unwanted)}`));
}

/** The keys of a whole config that decisions look at; the others are checked, and left aside. */
export function choiceFromConfig(raw: unknown, from: string): Checked<PolicyChoice> {
  const settings = parseConfig(raw, from);
  if (!settings.ok) return settings;
  const named = keysWritten(raw).filter(({ decides }) => decides);
  if (isObject(raw) && named.length > 0) return parsed({ named, raw, from });
  return unparsed(problem(from, "sets nothing that a decision depends on"));
}

/** The policy with the choice laid over it, or why the two contradict each other. */
export function policyUnder<P extends ConfigPolicy>(
  { raw, named, from }: PolicyChoice,
  base: P,
): Checked<P> {
  const policy = overlaid(base, policyOf(raw), { named, all: POLICY_KEYS });
  const [first] = ladderProblems(policy.stall);
  return first === undefined
    ? parsed(policy)
    : unparsed(problem(from, `stall.${first.row}: ${first.message}`));
}

/** JSON where it is JSON, else the words as they stand: `2h` needs no quotes. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function leavesOf(value: unknown, path = ""): readonly string[] {
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === "" ? key : `${path}.${key}`),
  );
}
