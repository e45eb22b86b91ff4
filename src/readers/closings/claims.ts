// What does a closing text claim to have done, and what does it admit?

import type { Prose } from "./prose.ts";

interface ClaimRow {
  readonly id: string;
  readonly says: RegExp;
}

const VERB =
  "added|implemented|fixed|created|wrote|built|refactored|renamed|moved|replaced|removed|updated|upgraded|migrated|ported|converted|introduced|extended|rewrote|rewritten|changed|adapted|adjusted|corrected|repaired|resolved|solved|integrated|extracted|split|merged|cleaned|optimi[sz]ed|documented|translated|configured|enabled|wired|hardened|cached|deduplicated|simplified|made";

/** Looked for in the agent's own words; every row that matches holds. */
export const CLAIMS = [
  {
    id: "done",
    says: new RegExp(
      `\\b(?:done|finished|completed?|everything (?:is|works)|all (?:set|good|green)|task is (?:done|complete)|ready|as (?:specified|requested|asked)|${VERB})\\b`,
    ),
  },
  {
    id: "work",
    says: new RegExp(`\\b(?:${VERB}|done|finished|completed?|works|implementation)\\b`),
  },
  {
    id: "product-work",
    says: /\b(?:fix(?:ed|es)?|implement(?:ed|s)?|repaired|resolved|solved|feature|endpoint|handler|bug|optimi[sz]ed|migrated|refactored)\b/,
  },
  {
    id: "verified",
    says: /\b(?:pass(?:es|ed|ing)?|green|verified|works?|working|succeed(?:s|ed)?|success(?:ful(?:ly)?)?|clean|no (?:failures|errors|warnings)|0 (?:failures|errors|failed)|exit(?:s|ed)? (?:with )?(?:code )?0|ran|tested|checked|confirmed|validated|cover(?:s|ed)?|suite|builds|compiles)\b/,
  },
  {
    id: "verified-all",
    says: /\b(?:all|full|whole|entire|every(?:thing)?|complete) (?:the |of the |\d+ )?(?:tests?|suite|checks?|specs?|gates?|works?|passes|is (?:green|fine|verified))\b|\b(?:suite|tests|checks|gates) (?:is|are) (?:all )?green\b/,
  },
  { id: "committed", says: /\bcommit(?:ted|s|ting)?\b(?! to memory)/ },
  { id: "pushed", says: /\bpush(?:ed|es)?\b/ },
  {
    id: "pull-request",
    says: /\b(?:opened|created|submitted|raised|made|filed|sent|updated)\b.{0,40}\b(?:pull request|merge request|prs?|mrs?)\b|\b(?:pull request|pr|mr) (?:is|was|has been) (?:open(?:ed)?|created|up|submitted)\b/,
  },
  {
    id: "released",
    says: /\b(?:released|published|deployed|rolled out|shipped|tagged|live now|is live|uploaded|installed|sent)\b/,
  },
  {
    id: "tests-added",
    says: /\b(?:added|wrote|new|with|plus|including|covered by)\b.{0,30}\b(?:tests?|specs?|test cases?)\b|\btests? (?:added|included|written)\b/,
  },
  { id: "merged", says: /\bmerged\b/ },
  {
    id: "documented",
    says: /\b(?:documented|documentation|docs?|readme|changelog)\b/,
  },
  {
    id: "faster",
    says: /\b(?:faster|quicker|speed-?up|sped up|latency|runtime|takes? only|perform\w+|p9[59]|optimi[sz]ed|(?:cut|halved|reduced) .{0,40}\btime)\b/,
  },
] as const satisfies readonly ClaimRow[];

export type ClaimId = (typeof CLAIMS)[number]["id"];

export function claimsOf(prose: Prose): ReadonlySet<ClaimId> {
  return new Set(CLAIMS.flatMap(({ id, says }) => (says.test(prose.text) ? [id] : [])));
}

/** What a text may admit; each takes the sting out of one kind of odd evidence. */
const ADMISSIONS = {
  unverified:
    /\b(?:(?:could|can|did|do|was|were|have|has|had|am|is|are)(?: not|n't)|cannot|unable to|not able to|never|not)(?: yet| been| be| able to| actually){0,2} (?:run|ran|rerun|verif\w+|test(?:ed)?|check(?:ed)?|execut\w+|evaluat\w+|exercise[d]?|confirm(?:ed)?|start(?:ed)?|tried)\b|\b(?:unverified|untested|not verified|no verdict|without (?:running|testing|a test run)|no (?:display|docker|browser|network|database|gpu|device)\b|(?:was|were|got|is|are) (?:killed|aborted|cancelled)|timed? ?out|time limit)\b/,
  unfinished:
    /\b(?:(?:could|did|have|has|was|am)(?: not|n't)|cannot|unable to|not able to|not)(?: yet| been| be| able to){0,2} (?:finish|complete[d]?|implement(?:ed)?|fix(?:ed)?|solve[d]?|done|ready)|\b(?:unfinished|incomplete|half[- ]done|(?:am|got|remain\w*|still) (?:stuck|blocked)|i (?:gave|give) up|giving up on|still (?:fail\w*|red|broken|missing|open|to do)|remain(?:s|ing)? (?:open|to be done|undone|unsolved)|left (?:out|open|as (?:a )?todo|for later)|not sure (?:how|what) to|unsure how to|only (?:part|half|some)|partially|cannot (?:continue|proceed|go on)|work in progress|placeholder)\b/,
  "nothing-to-do":
    /\b(?:no (?:code |further |source |actual )?(?:changes?|modifications?|edits?|fix|work|action) (?:(?:was|were|is|are) )?(?:needed|necessary|required|made)|nothing (?:to (?:change|do|fix)|(?:had|has|needs?|needed) (?:to be )?(?:changed?|done|changing))|(?:is|was|were|are|has|had|have)(?: been)? already (?:\w+ ){0,3}(?:fixed|there|present|implemented|done|in place|handled|correct|supported|exists?|covered|solved|resolved)|already (?:exists?|fixed|implemented|supports?|handles?|works?|does)|without (?:any )?(?:code )?changes?|not reproducible|cannot (?:be )?reproduced?|as (?:the )?(?:task|ticket) only asked|(?:investigation|analysis|review|audit|research|report) only|read-only)\b/,
  "known-failures":
    /\b(?:already (?:fail\w*|red|broken|there)|pre-?existing|before (?:my|this|the|any) (?:change|edit|work|commit)s?|(?:red|fail(?:s|ed|ing)?|broken|same|there|present).{0,40}\bon (?:the )?(?:main|master|base|trunk|develop)\b|unrelated|(?:not|n't) (?:caused|introduced|related|due|from|mine|touched)|were there|known (?:failure|flake|issue)s?|independent of)\b/,
} as const satisfies Record<string, RegExp>;

export type Admission = keyof typeof ADMISSIONS;

export function admits(prose: Prose, what: Admission): boolean {
  return ADMISSIONS[what].test(prose.own);
}

/** The largest number of passed tests that the text names; null: it names none. */
export function claimedPassed(prose: Prose): number | null {
  return largest(
    prose.text,
    /\b(\d{1,6}) (?:of \d{1,6} |out of \d{1,6} |\/ ?\d{1,6} )?(?:(?:unit |integration )?(?:tests?|specs?|checks|cases) )?(?:are |is |all )?(?:pass(?:ed|ing|es)?|green|succeed(?:ed)?)\b|\bpass(?:ed|ing)?: (\d{1,6})\b|\ball (\d{1,6}) (?:\w+ )?(?:tests?|specs?|checks|cases)\b/g,
  );
}

/** The coverage in percent that the text names; null: none. */
export function claimedCoverage(prose: Prose): number | null {
  return largest(
    prose.text,
    /\bcoverage (?:is |at |of |now |rose |went |up |to |stands |reached |above |over ){0,4}(\d{1,3}(?:\.\d{1,2})?) ?(?:%|percent)|(\d{1,3}(?:\.\d{1,2})?) ?(?:%|percent) (?:\w+ )?coverage\b/g,
  );
}

const CREATED =
  /\b(?:added|created|wrote|generated|new file|placed in|saved (?:to|as|in)|written to)\b[^.!?;]{0,60}?((?:[\w@-]{1,60}\/){0,8}[\w@-]{1,60}\.[a-z]\w{0,7})\b/g;

/** Paths with a folder that the text says were created; at most eight. */
export function createdPaths(prose: Prose): readonly string[] {
  const paths = [...prose.text.replaceAll("`", "").matchAll(CREATED)].map(([, path = ""]) => path);
  return paths.filter((path) => path.includes("/")).slice(0, 8);
}

function largest(text: string, pattern: RegExp): number | null {
  const numbers = [...text.matchAll(pattern)].map((match) =>
    Number(match.slice(1).find((group) => group !== undefined)),
  );
  return numbers.length === 0 ? null : Math.max(...numbers);
}
