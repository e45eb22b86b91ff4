// Which values of the policy does a person name, on the command line or in a file, and can they stand?

import { isObject } from "../core/model/json.ts";
import { overlaid, put, type ConfigPolicy, type PolicyKey } from "../core/views/policy-overlay.ts";
import { limitProblems, parseConfig, type ConfigSource } from "./config.ts";
import { configSchema } from "./config-shape.ts";
import { parseKeys } from "./key-problems.ts";
import { keysWritten, POLICY_KEYS, policyOf } from "./policy-keys.ts";
import { parsed, problem, unparsed, type Checked, type Problem } from "./parsed.ts";
import { closest } from "./suggest.ts";

/** Values to lay over a policy; what they are is known, whether they fit it is not yet. */
export interface PolicyChoice {
  readonly named: readonly PolicyKey[];
  /** In the shape of a config. */
  readonly raw: Document;
  readonly source: ConfigSource;
}

/** Which keys may be named: those a decision looks at, or every value of the policy. */
export type Reach = "decisions" | "all";

type Document = Readonly<Record<string, unknown>>;

const FLAG: ConfigSource = { file: "--set", text: null };
const WORD_CHARS_MAX = 2_000;
const DEPTH_MAX = 8;

/** `interactionThreshold=4`, `budget.time=2h`, `stall.noChange={"stall":2}`; the last of a key counts. */
export function choiceFromWords(words: readonly string[], reach: Reach): Checked<PolicyChoice> {
  const malformed = words.find((word) => partsOf(word) === null);
  if (malformed !== undefined)
    return unparsed(
      problem(
        FLAG.file,
        `expected key=value, found ${JSON.stringify(malformed.slice(0, 80))}`,
        "for example --set interactionThreshold=4",
      ),
    );
  const raw = words.reduce<Document>((document, word) => {
    const parts = partsOf(word);
    return parts === null ? document : put(document, parts.path, parts.value);
  }, {});
  const shape = parseKeys(configSchema, raw);
  const problems = shape.ok
    ? unwanted(raw, reach)
    : shape.problems.map(({ path, message, suggestion }) =>
        problem(FLAG.file, message, suggested(path, message, suggestion)),
      );
  if (problems.length > 0) return { ok: false, problems };
  return parsed({ named: namedIn(raw, reach), raw, source: FLAG });
}

/** The keys of a whole config that decisions look at; the others are parsed, and left aside. */
export function choiceFromConfig(raw: unknown, source: ConfigSource): Checked<PolicyChoice> {
  const settings = parseConfig(raw, source);
  if (!settings.ok) return settings;
  const document = isObject(raw) ? raw : {};
  const named = namedIn(document, "decisions");
  if (named.length > 0) return parsed({ named, raw: document, source });
  return unparsed(
    problem(source.file, "sets nothing that a decision depends on", `name one of ${GROUPS}`),
  );
}

/** The policy with the choice laid over it, or why the two contradict each other. */
export function policyUnder<P extends ConfigPolicy>(choice: PolicyChoice, base: P): Checked<P> {
  const { raw, named, source } = choice;
  const policy = overlaid(base, policyOf(raw), { named, all: POLICY_KEYS });
  const shape = configSchema.safeParse(raw);
  const [first, ...more] = limitProblems(shape.data ?? {}, policy.stall).map(
    ({ message, suggestion }) => problem(source.file, message, suggestion),
  );
  return first === undefined ? parsed(policy) : unparsed(first, ...more);
}

function namedIn(raw: unknown, reach: Reach): readonly PolicyKey[] {
  return keysWritten(raw).filter(({ decides }) => decides || reach === "all");
}

interface Parts {
  readonly path: readonly string[];
  readonly value: unknown;
}

function partsOf(word: string): Parts | null {
  const at = word.indexOf("=");
  const path = word.slice(0, Math.max(0, at)).trim().split(".");
  const fits = word.length <= WORD_CHARS_MAX && path.length <= DEPTH_MAX;
  if (at < 1 || !fits || path.includes("")) return null;
  return { path, value: valueOf(word.slice(at + 1).trim()) };
}

/** JSON where it is JSON, else the words as they stand: `2h` needs no quotes. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Keys that a config may well have, and no decision looks at. */
function unwanted(raw: Document, reach: Reach): readonly Problem[] {
  return leavesOf(raw).flatMap((leaf) => {
    const known = POLICY_KEYS.find(({ key }) => key === leaf);
    if (known !== undefined && (known.decides || reach === "all")) return [];
    const why =
      known === undefined
        ? `no decision depends on ${JSON.stringify(leaf)}`
        : `${JSON.stringify(leaf)} counts while a session runs, and not when it is decided upon`;
    return [problem(FLAG.file, why, `name one of ${GROUPS}`)];
  });
}

function leavesOf(value: unknown, path = ""): readonly string[] {
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === "" ? key : `${path}.${key}`),
  );
}

/** A person who writes "attempts" means the one key that ends so, wherever it stands. */
function suggested(path: readonly (string | number)[], message: string, said: string | null) {
  if (!message.startsWith("unknown key")) return said;
  const written = path.join(".");
  const keys = POLICY_KEYS.map(({ key }) => key);
  const near = keys.find((key) => key.endsWith(`.${written}`)) ?? closest(written, keys);
  if (near !== null) return `did you mean ${JSON.stringify(near)}?`;
  // Of all that a config may have, most is of no use here.
  return path.length > 1 || said?.startsWith("did you mean") === true
    ? said
    : `name one of ${GROUPS}`;
}

/** "interactionThreshold, budget.…, stall.…" */
const GROUPS = [...new Set(POLICY_KEYS.map(({ key }) => key.split(".")[0] ?? key))]
  .filter((group) => POLICY_KEYS.some(({ key, decides }) => decides && inGroup(key, group)))
  .map((group) => (POLICY_KEYS.some(({ key }) => key === group) ? group : `${group}.…`))
  .join(", ");

function inGroup(key: string, group: string): boolean {
  return key === group || key.startsWith(`${group}.`);
}
