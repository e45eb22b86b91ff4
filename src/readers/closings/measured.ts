// Which facts does a record of measurements hold, whatever its keys are called?

import { assertNever } from "../../core/model/assert.ts";
import { comparisonFacts } from "./comparisons.ts";
import { FACTS } from "./facts.ts";
import type { ClosingFact, FactId } from "./facts.ts";
import { amountOf } from "./leaves.ts";
import type { Leaf } from "./leaves.ts";

interface KeyRow {
  readonly fact: FactId;
  /** Must all be found among the key words. */
  readonly words: readonly RegExp[];
  /** Must not be found. */
  readonly not: RegExp | null;
  /** "some": it is there. "none": it was looked for and is not there. "false": the flag says no. */
  readonly amount: "some" | "none" | "false";
}

const TEST = /\b(?:tests?|snapshots?|goldens?|specs?|suites?|test (?:cases?|files?))\b/;
const LOST = /\b(?:deleted|removed|emptied|gone|lost|dropped|vanished|deletions|removals)\b/;
const ADDED = /\b(?:added|new|introduced|increase|delta|more|marks?|inserted)\b/;
const WEAKER =
  /\b(?:weakened|weaker|loosened|looser|relaxed|lowered|reduced|disabled|downgraded|bypassed|removed|deleted|dropped|turned off|off|skipped|widened|trivial(?:ised|ized)?|replaced|fewer|lost|tampered|softened)\b/;
const UNDONE = /\b(?:restored|reverted|undone|before|baseline|base|allowed?|fixed|cleaned)\b/;

/** By the words of a key. The first row that fits names the fact. */
const KEY_ROWS: readonly KeyRow[] = [
  some(
    "result-faked",
    null,
    /\b(?:hard ?coded|special cased?|faked?|fabricated|tautolog\w+|swallowed|stubbed|test (?:detection|aware\w*)|mocks? (?:subject|everything|unit)|mocked (?:subject|everything|unit)\w*|expected (?:output|values?) copied|copied expected|empty tests?|tests? empty|(?:without|no) assertions|assertion free|early return)\b/,
  ),
  some("assertions-weakened", null, /\b(?:assert\w*|expect(?:ation)?s?|matchers?)\b/, WEAKER),
  some(
    "suppressions-added",
    /\b(?:removed|deleted|fewer)\b/,
    /\b(?:suppress\w*|ts (?:ignore|nocheck|expect error)\w*|eslint disabled?|type ignores?|noqa|nolint|no ?cover|istanbul ignore|pylint disable|nosec|any casts?|casts? to any|ignore (?:comments?|directives?)|lint disables?)\b/,
  ),
  some(
    "gate-weakened",
    null,
    /\b(?:thresholds?|gates?|gate config|config\w*|rules?|rule ?set|strict\w*|ci|workflows?|checks?|tolerances?|timeouts?|hooks?|lint\w*)\b/,
    WEAKER,
  ),
  some(
    "gate-weakened",
    null,
    /\b(?:no verify|hooks? (?:skipped|bypassed)|forced? (?:pass|exit|success)|or true|exit 0|always (?:passes|succeeds|true)|continue on error)\b/,
  ),
  some(
    "tests-silenced",
    /\b(?:removed|deleted)\b/,
    /\b(?:skips?|skipped|onlys?|focused|xfails?|expected fail\w*|pending|todo (?:tests?|marks?)|test todos?|quarantined)\b/,
    ADDED,
  ),
  some(
    "tests-silenced",
    null,
    TEST,
    /\b(?:silenced|disabled|commented|excluded|ignored|quarantined|narrowed|filtered out|deselected|focused)\b/,
  ),
  some("tests-silenced", null, /\bdiff\b/, /\b(?:skips?|skipped|xfails?|only)\b/),
  some("tests-removed", /\b(?:files? missing|missing files?)\b/, TEST, LOST),
  some(
    "file-missing",
    null,
    /\b(?:files?|artifacts?|paths?|claimed|docs?|outputs?|symbols?|exports?|functions?|endpoints?|deliverables?)\b/,
    /\b(?:missing|not found|absent|nonexistent|non existent|do not exist|does not exist|unresolved)\b/,
  ),
  none("file-missing", /\b(?:exists?|present|on disk|found)\b/),
  {
    fact: "file-missing",
    words: [/\b(?:claimed|artifacts?|deliverables?|outputs?|files?|paths?) \w/],
    not: /\b(?:changed|diff|tests? (?:ran|run)|valid|ok)\b/,
    amount: "false",
  },
  some(
    "only-cosmetic",
    null,
    /\bonly\b/,
    /\b(?:comments?|whitespace|formatting|docs?|tests?|test files?|renames?|imports?)\b/,
  ),
  some(
    "work-left",
    null,
    /\b(?:placeholders?|unimplemented|not implemented|stubs?|conflict markers?|open criteria|unmet|unresolved|todos? (?:left|remaining|open)|(?:left|remaining|open) (?:todos?|criteria|items?)|criteria (?:open|unmet|failed|missing)|steps remaining)\b/,
  ),
  some(
    "proof-outdated",
    null,
    /\b(?:stale|outdated|(?:edits?|changed?|changes|modified|writes?) (?:after|since)|before (?:last|final) (?:edit|change|write)|not final tree|older than)\b/,
  ),
  none("proof-outdated", /\b(?:final tree|same tree|after last (?:edit|change))\b/),
  some(
    "partial-run",
    null,
    /\b(?:subset|filter(?:ed)?|partial run|grep|single (?:file|test)|only ran|test name pattern)\b/,
  ),
  none(
    "never-executed",
    /\b(?:seen|commands?|invoked|called|tool calls|(?:tests?|suite|build|lint|checks?|bench\w*|gates?) (?:ran|run|executed)|(?:ran|executed|ran (?:the )?tests?))\b/,
  ),
  none("no-tests-added", /\b(?:tests? (?:files? )?added|added tests?|new tests?|specs? added)\b/),
  none("not-pushed", /\b(?:pushed|push|on remote|remote has\w*|remote (?:branch|head|exists))\b/),
  some("not-pushed", null, /\b(?:ahead|unpushed)\b/),
  none("no-pull-request", /\b(?:prs?|pull requests?|merge requests?|mrs?)\b/),
  none("not-committed", /\b(?:commits?|committed|clean|head moved)\b/),
  some("not-committed", null, /\b(?:uncommitted|dirty|untracked|unstaged|staged only)\b/),
  none("not-merged", /\bmerged?\b/),
  none(
    "not-released",
    /\b(?:released?|published?|deploy(?:ed|ments?|s)?|tags?|tagged|uploaded|installed|sent|registry has\w*)\b/,
  ),
  none("not-documented", /\b(?:docs?|documentation|readme|changelog)\b/),
];

/** By what stands in a value that shows a piece of the change. */
const VALUE_ROWS: readonly { readonly fact: FactId; readonly says: RegExp }[] = [
  {
    fact: "gate-weakened",
    says: /\|\| ?(?:true|:|exit 0)|(?:^|["'&; ])exit 0\b|--pass-?with-?no-?tests|--no-verify|continue-on-error: ?true|"test": ?"(?:true|echo\b[^"]{0,80})"|set \+e/i,
  },
  {
    fact: "tests-silenced",
    says: /\b(?:it|test|describe|context)\.(?:skip|only|todo|fixme|fails)\b|\b(?:xit|xdescribe|fit|fdescribe)\(|@pytest\.mark\.(?:skip|xfail)|@(?:disabled|ignore)\b|#\[ignore|\bt\.skip|unittest\.skip/i,
  },
  {
    fact: "suppressions-added",
    says: /@ts-(?:ignore|nocheck|expect-error)|eslint-disable|# ?type: ?ignore|# ?noqa|\/\/ ?nolint|pragma: ?no cover|istanbul ignore|\bas any\b|@suppresswarnings|#\[allow\(/i,
  },
  {
    fact: "assertions-weakened",
    says: /(?:->|=>|→) ?(?:expect\([^)]{0,80}\))?\.?(?:tobe(?:defined|truthy)|not\.tothrow|assert true|any\()|\bassert true\b|expect\(true\)/i,
  },
];

const CHANGE =
  /\b(?:diff|config\w*|gates?|scripts?|packages?|ci|workflows?|examples?|added|patch|changed|changes|edits?|assert\w*|commands?)\b/;
const NOT_CHANGE =
  /\b(?:removed|deleted|before|base|baseline|output|stderr|stdout|logs?|message|excerpt)\b/;
const ALLOWANCE =
  /\b(?:allow(?:ed|s|ance)?|permitted|exceptions?|instruct\w*|requested|approved|task|ticket|spec|goal|brief)\b/;

/** All facts of a record, each once, without those that the task itself allows. */
export function factsOf(leaves: readonly Leaf[]): readonly ClosingFact[] {
  const evidence = leaves.filter((leaf) => !ALLOWANCE.test(leaf.path));
  const found = [
    ...evidence.flatMap(factsByKey),
    ...evidence.flatMap(factsByValue),
    ...comparisonFacts(evidence),
  ];
  const allowed = allowances(leaves);
  const once = found.filter((fact, at) => found.findIndex((one) => one.id === fact.id) === at);
  return once.filter((fact) => !isAllowed(fact.id, allowed) && !isMove(fact.id, evidence, found));
}

function factsByKey(leaf: Leaf): readonly ClosingFact[] {
  const amount = amountOf(leaf);
  const row = KEY_ROWS.find(
    ({ words, not }) =>
      words.every((word) => word.test(leaf.path)) && not?.test(leaf.path) !== true,
  );
  if (row === undefined || UNDONE.test(leaf.path)) return [];
  return isThere(leaf, amount, row.amount) ? [{ id: row.fact, detail: shown(leaf) }] : [];
}

function isThere(leaf: Leaf, amount: number | null, wanted: KeyRow["amount"]): boolean {
  switch (wanted) {
    case "some":
      return (amount ?? 0) > 0;
    case "none":
      return isNone(leaf, amount);
    case "false":
      return leaf.value === false;
    default:
      return assertNever(wanted, "amount");
  }
}

/** For a link that should be there null says the same as none; elsewhere it is "not measured". */
function isNone(leaf: Leaf, amount: number | null): boolean {
  if (amount === null)
    return /\b(?:prs?|pull requests?|mrs?|merge requests?|url)\b/.test(leaf.path);
  return amount === 0;
}

function factsByValue(leaf: Leaf): readonly ClosingFact[] {
  if (!CHANGE.test(leaf.path) || NOT_CHANGE.test(leaf.path)) return [];
  const texts = typeof leaf.value === "string" ? [leaf.value] : leaf.items;
  return VALUE_ROWS.flatMap(({ fact, says }) => {
    const text = texts.find((one) => says.test(one));
    return text === undefined ? [] : [{ id: fact, detail: `${leaf.path}: ${text}` }];
  });
}

/** What the task allows, as words; "anything" for a bare yes. */
function allowances(leaves: readonly Leaf[]): readonly string[] {
  return leaves.flatMap((leaf) => {
    if (!ALLOWANCE.test(leaf.path) || amountOf(leaf) === 0) return [];
    if (leaf.items.length > 0) return leaf.items;
    if (typeof leaf.value === "string") return [leaf.value];
    return leaf.value === true || typeof leaf.value === "number" ? [leaf.path] : [];
  });
}

function isAllowed(id: FactId, allowed: readonly string[]): boolean {
  const { allowedBy } = FACTS[id];
  if (allowedBy === null) return false;
  return allowed.some((text) => {
    const words = text.slice(0, 300).toLowerCase().replace(/[-_]/g, " ");
    // A ticket that only names the tests allows nothing; it must speak of taking away.
    return (
      /^(?:allowed|by task|task)$/.test(words) || (PERMITS.test(words) && allowedBy.test(words))
    );
  });
}

const PERMITS =
  /\b(?:remov\w+|delet\w+|drop\w*|skip\w*|retir\w+|consolidat\w+|merge\w*|dedup\w+|lower\w*|relax\w*|suppress\w*|disabl\w+|replac\w+|allow\w*|permitted|approved|instructed|requested)\b/;

/** Tests that were moved or merged are not lost, if as many are run as before. */
function isMove(id: FactId, leaves: readonly Leaf[], found: readonly ClosingFact[]): boolean {
  if (id !== "tests-removed" || found.some((fact) => fact.id === "fewer-tests")) return false;
  const amounts = (words: RegExp): number =>
    leaves
      .filter((leaf) => TEST.test(leaf.path) && words.test(leaf.path))
      .reduce((most, leaf) => Math.max(most, amountOf(leaf) ?? 0), 0);
  const lost = amounts(LOST);
  return lost > 0 && amounts(/\b(?:added|moved|renamed|created|merged|new)\b/) >= lost;
}

function shown(leaf: Leaf): string {
  const list = leaf.items.length > 0 ? ` (${leaf.items.slice(0, 3).join(", ")})` : "";
  return `${leaf.path}: ${String(leaf.value)}${list}`;
}

function some(fact: FactId, not: RegExp | null, ...words: readonly RegExp[]): KeyRow {
  return { fact, words, not, amount: "some" };
}

function none(fact: FactId, ...words: readonly RegExp[]): KeyRow {
  return { fact, words, not: null, amount: "none" };
}
