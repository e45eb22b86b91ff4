// Which files does a task's text name in backticks, which of them are not there, and which checks does it name?

import type { Signal } from "../../core/model/signals.ts";
import { withoutFences } from "../endings/ending-text.ts";
import { withoutPlace } from "./read-plan.ts";
import { titleOf } from "../../core/model/verdict.ts";

const REFERENCES_MAX = 100;

/**
 * Looks at a task before its first session, for inputs that are not there, and for names of inputs that
 * fit several files. Most tasks name files that are still to be made: an input is only what every
 * sentence about it tells the reader to work from.
 */
export function inputSignals(text: string, paths: readonly string[]): readonly Signal[] {
  const tree = paths.map((path) => `/${path.toLowerCase()}`);
  return inputsIn(text).flatMap((path) => signalOf(path, tree));
}

/** Files that the text tells the reader to work from. */
export function inputsIn(text: string): readonly string[] {
  const references = referencesIn(text);
  const made = new Set(references.filter(({ isInput }) => !isInput).map(({ path }) => path));
  const inputs = new Set(references.map(({ path }) => path).filter((path) => !made.has(path)));
  return [...inputs].filter((path) => !UNTRACKED.test(path));
}

function signalOf(path: string, tree: readonly string[]): readonly Signal[] {
  if (!isIn(path, tree))
    return [{ signal: "missing_files", subject: path, detail: `${path} does not exist` }];
  const end = `/${path.toLowerCase()}`;
  const fits = tree.includes(end) ? [] : tree.filter((one) => one.endsWith(end));
  const detail = `${path} fits ${fits.length} files`;
  return fits.length < 2 ? [] : [{ signal: "ambiguous_target", subject: path, detail }];
}

/** Those that a text asks for or takes for given, and does not only mention ("such as", "without"). */
export function namedFiles(text: string): readonly string[] {
  const named = referencesIn(text).filter(({ path, isAside }) => !isAside && !UNTRACKED.test(path));
  return [...new Set(named.map(({ path }) => path))];
}

/** The named files that are in neither of the listed trees. */
export function absentFiles(named: readonly string[], paths: readonly string[]): readonly string[] {
  const tree = paths.map((path) => `/${path.toLowerCase()}`);
  return named.filter((path) => !isIn(path, tree));
}

/** The path itself, or any path that ends in it; code names the compiled file of a source. */
function isIn(path: string, tree: readonly string[]): boolean {
  const end = `/${path.toLowerCase()}`;
  const source = /^(.*\.[mc]?)js(x?)$/.exec(end);
  const ends = source === null ? [end] : [end, `${source[1]}ts${source[2]}`, `${source[1]}tsx`];
  return tree.some((one) => ends.some((each) => one.endsWith(each)));
}

/** Made by tools or kept out of version control: not being listed says nothing. */
const UNTRACKED =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|te?mp|vendor|\.git|\.?venv|__pycache__|\.next|\.cache|generated)\/|(?:^|\/)\.env|\.(?:log|tmp|lock|pid)$|\.local\./;

interface Reference {
  readonly path: string;
  /** The reader is told to work from it. */
  readonly isInput: boolean;
  /** Only an example, or what must not be there. */
  readonly isAside: boolean;
}

/** The words before a path that order the reader to work on it or from it. */
const INPUTS: readonly RegExp[] = [
  /(?:^|[-*,;:]|\band|\bthen|\bplease) ?(?:read|study|review|see|follow|fix|debug|refactor|simplify|delete|remove|rename|convert|port)$/i,
  /(?:^|[-*,;:]|\band|\bthen|\bplease) ?(?:fix|debug|follow)\b.* (?:in|of)$/i,
  /(?:^|[-*,;:]|\band|\bthen|\bplease) ?(?:copy|create|generate|derive|build)\b.* from$/i,
  /\b(?:(?:described|defined|specified|documented|listed|explained) (?:in|by)|based on|according to)$/i,
];
const CONDITION = /\b(?:if|when|unless|once|should)\b/i;
const ASIDE =
  /\b(?:example|instance|e\.g\.|such|like|no|not|never|without|instead|unless|whether|if|missing|deleted|removed|legacy)\b[^`]{0,30}$/i;

function referencesIn(text: string): readonly Reference[] {
  const lines = withoutFences(text.replace(/<!--[^]*?(?:-->|$)/g, "").split(/\r?\n/));
  return lines
    .flatMap((line) => line.split(/(?<=[.!?;])\s/))
    .flatMap(referencesInSentence)
    .slice(0, REFERENCES_MAX);
}

const BEFORE_CHARS = 120;

function referencesInSentence(sentence: string): readonly Reference[] {
  return [...sentence.matchAll(/`([^`]{1,220})`/g)].flatMap(({ 0: span, 1: code = "", index }) => {
    const path = pathIn(code);
    if (path === null) return [];
    const before = sentence.slice(Math.max(0, index - BEFORE_CHARS), index);
    const order = before.replace(/(?:\s+the)?\s+$/i, "").trimStart();
    const isInput =
      INPUTS.some((one) => one.test(order)) && !CONDITION.test(sentence.slice(index + span.length));
    return [{ path, isInput, isAside: ASIDE.test(before) }];
  });
}

/** Products and members of objects look like files: only these extensions are. */
const FILE =
  /^[\w-][\w.@/+-]*\w\.(?:[mc]?tsx?|[mc]?jsx?|py|rb|go|rs|java|kt|scala|c|h|cc|cpp|hpp|cs|swift|dart|ex|lua|php|sh|sql|proto|vue|svelte|html|s?css|jsonl?|ya?ml|toml|ini|cfg|conf|properties|xml|svg|mdx?|rst|txt|csv|tf)$/i;
const NO_FILE =
  /\.\.|\/\/|^(?:node|next|nuxt|vue|react|express|three|d3|console|process|module|window)\.\w+$/i;

/** A path inside the repository, without a line or an anchor; null: something else in backticks. */
function pathIn(code: string): string | null {
  const path = withoutPlace(code);
  return FILE.test(path) && !NO_FILE.test(path) ? path : null;
}

const CHECK_CHARS_MIN = 4;

/** The checks that a text names by their last part, without the suites and files around it; in any case. */
export function namedChecks(body: string, checks: readonly string[]): readonly string[] {
  const text = body.toLowerCase();
  return checks.filter((check) => {
    const name = titleOf(check);
    return name.trim().length >= CHECK_CHARS_MIN && text.includes(name.trim().toLowerCase());
  });
}
