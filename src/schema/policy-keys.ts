// Which keys of the config set values of the policy, and which document sets each?

import type { z } from "zod";

import type { LimitChoice } from "../core/model/settings.ts";
import { isObject } from "../core/model/json.ts";
import { checkWith } from "./key-problems.ts";
import { parsed, parseJson, problem, unparsed, type Checked } from "./parsed.ts";
import { DEFAULT_CONFIG_POLICY, put, valueAt } from "./policy-values.ts";
import type { ConfigPolicy, Path, PolicyKey, Unit } from "./policy-values.ts";
import { resolveLimits } from "../core/run/resolve.ts";
import { configSchema } from "./config-shape.ts";
import { parseDuration } from "../core/model/duration.ts";
import { factsOf, isTime, keysIn, type PolicyPlace } from "./key.ts";

/** In the order of the config. Two keys may set the same value; the first is the one that is shown. */
export const POLICY_KEYS: readonly PolicyKey[] = policyKeysIn(configSchema, "");

/** The keys of the policy that a document in the shape of a config writes. */
export function keysWritten(document: unknown): readonly PolicyKey[] {
  return POLICY_KEYS.filter(({ key }) => valueAt(document, key.split(".")) !== undefined);
}

/** The policy of a config that says this; the schema has accepted it. */
export function policyOf(document: unknown): ConfigPolicy {
  const written = keysWritten(document);
  const policy = laid(DEFAULT_CONFIG_POLICY, written, document);
  const limits = resolveLimits(limitChoice(document));
  return raised({ ...policy, limits }, written);
}

/** A run may at least cost and take what one of its tasks may, where its own limit is not written. */
function raised<P extends ConfigPolicy>(policy: P, written: readonly PolicyKey[]): P {
  return POLICY_KEYS.filter((key) => !written.includes(key)).reduce<P>((to, { at, raisedBy }) => {
    const raiser = written.find(({ key }) => key === raisedBy);
    const [mine, least] = [valueAt(to, at), valueAt(to, raiser?.at ?? [])];
    const isHigher = typeof mine === "number" && typeof least === "number" && least > mine;
    return isHigher ? put(to, at, least) : to;
  }, policy);
}

/** The limits that it names; the others come from the layer below. */
export function limitChoice(document: unknown): LimitChoice {
  const written = keysWritten(document).filter(({ at }) => at[0] === "limits");
  return laid<{ readonly limits: LimitChoice }>({ limits: {} }, written, document).limits;
}

function laid<T extends object>(below: T, written: readonly PolicyKey[], document: unknown): T {
  return written.reduce<T>(
    (to, { key, at, unit }) => put(to, at, inPolicy(valueAt(document, key.split(".")), unit)),
    below,
  );
}

function inPolicy(value: unknown, unit: Unit): unknown {
  if (unit === "time" && typeof value === "string") return parseDuration(value);
  // A switch with more keys inside is on where one of them is written.
  return unit === "switch" ? value !== false : value;
}

function policyKeysIn(schema: z.ZodType, path: string): readonly PolicyKey[] {
  return keysIn(schema).flatMap(([name, inner]) => {
    const key = path === "" ? name : `${path}.${name}`;
    const place = factsOf(inner)?.policy ?? null;
    return [...(place === null ? [] : keysAt(key, place)), ...policyKeysIn(inner, key)];
  });
}

/** One, or one for each row where the place is a table. */
function keysAt(key: string, place: PolicyPlace): readonly PolicyKey[] {
  const at = place.at.split(".");
  const standard = valueAt(DEFAULT_CONFIG_POLICY, at);
  if (isObject(standard))
    return Object.keys(standard).flatMap((row) =>
      keysAt(`${key}.${row}`, { ...place, at: `${place.at}.${row}` }),
    );
  return [
    {
      key,
      at,
      unit: unitOf(place, standard),
      none: place.none ?? "no limit",
      decides: place.whileRunning !== true,
      brings: (place.brings ?? []).map((path) => path.split(".")),
      raisedBy: place.raisedBy ?? null,
    },
  ];
}

function unitOf(place: PolicyPlace, standard: unknown): Unit {
  if (isTime(place)) return "time";
  if (place.at.endsWith("Usd")) return "usd";
  if (typeof standard === "boolean") return "switch";
  return typeof standard === "string" ? "text" : "count";
}

/** One place that sets values. */
export interface Layer {
  /** As a person would name it: a file, a variable, a flag. */
  readonly name: string;
  /** What it says, in the shape of a config; it was checked. */
  readonly document: object;
}

export const BUILT_IN = "built in";

export interface PolicyRow extends Pick<PolicyKey, "key" | "unit" | "none"> {
  /** That of the unit "time" is in milliseconds. */
  readonly value: unknown;
  /** The layer's name. */
  readonly source: string;
}

/** In the order of the config. `above` has no key that holds others; what neither names is built in. */
export function policyRows(config: Layer, above: Layer): readonly PolicyRow[] {
  const policy = policyOf({ ...config.document, ...above.document });
  return SHOWN.map(({ key, at, unit, none, raisedBy }) => {
    const value = valueAt(policy, at);
    const isRaised = raisedBy !== null && value !== valueAt(policyOf({}), at);
    const layer = [above, config].find(({ document }) => sets(document, at));
    const source = layer?.name ?? (isRaised ? config.name : BUILT_IN);
    return { key, unit, none, value, source };
  });
}

/** Of two keys that set one value the first. */
const SHOWN = POLICY_KEYS.filter(
  ({ at }, n) => !POLICY_KEYS.slice(0, n).some((key) => isSame(key.at, at)),
);

function isSame(one: Path, other: Path): boolean {
  return one.join(".") === other.join(".");
}

/** By a key that sets the value, or brings it along. */
function sets(document: object, at: readonly string[]): boolean {
  const places = keysWritten(document).flatMap((key) => [key.at, ...key.brings]);
  return places.some((place) => isSame(place, at));
}

/** Values that a person names on the command line, to lay over another policy. */
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
