// Which values of the policy does a person name on the command line, to lay over another policy?

import { isObject } from "../core/model/json.ts";
import { configSchema } from "./config-shape.ts";
import { checkWith } from "./key-problems.ts";
import { keysWritten, policyOf, raised } from "./policy-keys.ts";
import { put, valueAt, type ConfigPolicy, type PolicyKey } from "./policy-values.ts";
import { parsed, parseJson, problem, unparsed, type Checked } from "./parsed.ts";

export interface PolicyChoice {
  readonly named: readonly PolicyKey[];
  /** In the shape of a config. */
  readonly document: Readonly<Record<string, unknown>>;
}

const FLAG = "--set";
const DEPTH_MAX = 8;

/** `interactionThreshold=4`, `budget.time=2h`, `stall.noChange={"stall":2}`; the last of a key counts. */
export function choiceFromWords(words: readonly string[]): Checked<PolicyChoice> {
  let document: PolicyChoice["document"] = {};
  for (const word of words) {
    const at = Math.max(0, word.indexOf("="));
    const path = word.slice(0, at).trim().split(".");
    if (path.length > DEPTH_MAX || path.includes("")) {
      const message = `expected key=value, found ${JSON.stringify(word.slice(0, 40))}`;
      return unparsed(problem(FLAG, message, "for example --set interactionThreshold=4"));
    }
    // JSON where it is JSON, else the words as they stand: `2h` needs no quotes.
    const text = word.slice(at + 1).trim();
    const json = parseJson(text);
    document = put(document, path, json.ok ? json.value : text);
  }
  const shape = checkWith(configSchema, document, FLAG);
  if (!shape.ok) return shape;
  const named = keysWritten(document).filter(({ decides }) => decides);
  const unwanted = leavesOf(document).find((leaf) => !named.some(({ key }) => key === leaf));
  if (unwanted === undefined) return parsed({ named, document });
  // A config may well have it.
  return unparsed(problem(FLAG, `no decision depends on ${JSON.stringify(unwanted)}`));
}

/** The policy with the named values, and those they bring along, in place of its own. */
export function policyUnder<P extends ConfigPolicy>({ named, document }: PolicyChoice, base: P): P {
  const from = policyOf(document);
  const paths = named.flatMap(({ at, brings }) => [at, ...brings]);
  const policy = paths.reduce<P>((to, path) => put(to, path, valueAt(from, path)), base);
  return raised(policy, named);
}

function leavesOf(value: unknown, path = ""): readonly string[] {
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === "" ? key : `${path}.${key}`),
  );
}
