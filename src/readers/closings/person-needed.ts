// Does a closing text say, in prose, that only a person can clear the way?

import type { BlockerType } from "../../core/model/blocker.ts";
import { HESITATION } from "./hesitation.ts";
import type { Prose } from "./prose.ts";

export interface ProseBlocker {
  /** Which row said so. */
  readonly row: string;
  /** False: no known kind of blocker, only a refusal that nothing milder explains. */
  readonly certain: boolean;
  /** As the agent wrote it. */
  readonly words: string;
}

interface BlockerRow {
  readonly id: string;
  readonly type: BlockerType;
  /** All must be found in the agent's own words. */
  readonly says: readonly RegExp[];
}

/** The agent stops here; without such words the same nouns are ordinary prose. */
const STOP =
  /\b(?:cannot|can't|can not|could not|couldn't|unable to|not able to|no way to|impossible|blocked|blocker|blocks|stopp?(?:ed|ing)|stop here|stuck|not (?:available|allowed|permitted|configured|provided|possible|set|installed|attached|given|authori[sz]ed|granted|reachable)|denied|refus\w+|reject\w+|forbid\w*|forbidden|must not|may not|lacks?|lacking|(?:none|nobody|no one) (?:is|was|has)|was not given|wasn't given|do not have|don't have|have no|has no|there is no|is missing|are missing|nothing (?:left|more|else) (?:that )?i can|have not started|not started|(?:someone|somebody|a person|a human|an? (?:admin\w*|maintainer|owner|engineer|operator))\b.{0,20}\b(?:has|have|needs?|must|should)|needs? (?:a |an |the )?(?:human|person|maintainer|admin\w*|owner)|waiting for|awaiting|required?|requires|needs?|(?:would )?ha(?:s|ve) to|must be|full|empty|exhausted|expired|revoked|locked out|access ?denied|un-?authori[sz]ed|no \w+ can|40[123])\b/;

const CANNOT_GO =
  /\b(?:(?:cannot|can't|can not|could not|unable to|not able to|no way to|impossible to|not possible to) (?:\w+ )?(?:continue|proceed|go on|go any further|move on|start|begin|finish|complete|do (?:this|the|it|that|more|anything)|make (?:any )?(?:further )?progress|be (?:done|completed|finished|continued|started|satisfied|fulfilled|implemented)))\b/;

const BLOCKER_ROWS: readonly BlockerRow[] = [
  {
    id: "person-named",
    type: "permission_policy",
    says: [
      /\b(?:(?:a|an|some|the|your|human|someone|somebody) ?(?:human|person|maintainer|admin\w*|owner|engineer|operator|someone|somebody|lawyer|legal|security team|team lead|reviewer|intervention)?\b.{0,30}\b(?:has to|have to|must|needs? to|is needed|is required|are required|will have to|ought to)\b (?!decide|choose)|(?:human|manual) (?:review|intervention|action|judg\w+|approval|help|attention) (?:is )?(?:needed|required|necessary)|(?:requires?|needs?) (?:a |an |some )?(?:human|manual (?:intervention|action|approval|step)|person|maintainer|someone with))\b/,
      /\b(?:someone|somebody|human|person|manual|maintainer|admin\w*|owner|engineer|operator|lawyer|legal|security team|team lead)\b/,
    ],
  },
  {
    id: "refuted",
    type: "mathematically_false",
    says: [
      /\b(?:counter-?examples?|(?:is|are) (?:not true|false|wrong|disproved|refuted|not provable|unprovable|unsatisfiable|inconsistent)|disprov\w+|refut\w+|does not hold|fails for|violates?|contradicts?|negation (?:is|can be) (?:provable|proved|proven|satisfiable))\b/,
      /\b(?:theorem|lemma|claim(?:ed)?|inequality|statement|conjecture|proposition|identity|hypothes[ei]s|equation|proofs?|prove[dn]?|invariant|formula|bound|corollary|axioms?)\b/,
    ],
  },
  {
    id: "specification",
    type: "invalid_specification",
    says: [
      /\b(?:requirements?|spec\w*|tickets?|designs?|issue|tasks?|instructions?|documents?|mock-?ups?|schema|criteri\w+|rules?|briefs?|section|contracts?|story|acceptance|description|plan|goals?|constraints?)\b/,
      /\b(?:says? .{1,100}\b(?:says?|asks?|demands?|wants?)\b|contradict\w*|exclude each other|mutually exclusive|conflict(?:s|ing)?|both cannot|cannot both|can't both|incompatible with|inconsistent|impossible|forbids?|matches neither|cannot (?:all )?be (?:satisfied|met|fulfilled|true|reconciled)|rules? (?:each other|itself) out|refers? to (?:a |an )?(?:\w+ ){0,3}that (?:does not|do not|doesn't) exist|do(?:es)? not exist (?:in|anywhere)|at odds|irreconcilable|not well-defined|opposite|no (?:implementation|solution|value|design|program|code) (?:can|could|will)|not (?:written|specified|defined) anywhere|what is not (?:written|specified|there)|ends? at section|over-?constrained|unsatisfiable)\b/,
    ],
  },
  {
    id: "exhausted",
    type: "strategy_failed",
    says: [
      /\b(?:(?:all|every|each|none)(?: of)?(?: the| my| these)?(?: \w+)? (?:strateg\w+|approach\w*|options?|ideas?|alternatives?|avenues?|variants?|routes?|workarounds?)\b.{0,80}\b(?:tried|fail\w*|same|exhaust\w*|ruled out|work(?:s|ed)?|dead ends?|leave)|r[au]n out of (?:ideas|approaches|options|strategies|things to try|alternatives)|out of ideas|(?:no|not have|don't have|not see|cannot think of|see no)(?: an?| any)?(?: other| further| more| another| remaining| untried)? (?:ideas|(?<=(?:other|further|more|another|remaining|untried) )idea|approach\w*|options?|strateg\w+|avenues?|way forward|alternatives?|workarounds?)\b|nothing (?:else|left|more) (?:to try|that i can (?:try|change|do))|exhausted (?:all|every|the|my)|i give up|giving up on)\b/,
    ],
  },
  {
    id: "resource",
    type: "resource_exhausted",
    says: [
      /\b(?:disks? (?:is |are )?(?:full|at 100)|no space left|out of (?:disk|memory|quota|credits?|funds|space)|0 bytes (?:free|left)|(?:disk |storage |monthly |api )?quota (?:is |of \S+ is |was )?(?:exhausted|exceeded|zero|used up|0)|no (?:more )?(?:credits?|funds|budget|balance)|credits? (?:is|are|has|have|balance)|billing|402|payment required|(?:budget|credit|money) (?:is |are )?(?:spent|used up|exhausted)|top (?:it |up)|not enough (?:memory|ram|disk|space)|needs? (?:at least )?\d+ ?(?:gb|gib|tb) (?:of )?(?:ram|memory|disk|vram))\b/,
    ],
  },
  {
    id: "credential",
    type: "missing_credential",
    says: [
      /\b(?:credentials?|api[ -]?keys?|secrets?|tokens?|passwords?|passphrase|log ?ins?|ssh keys?|certificates?|licen[cs]e(?: keys?| server| file)?|oauth|service accounts?|2fa|mfa|otp|one-time (?:codes?|passwords?|passcodes?)|verification codes?|captcha|(?:live|private|access|signing|deploy|encryption) keys?|\w+_(?:key|token|secret|password|credentials?)|env(?:ironment)? variables?|authenticat\w+|authori[sz]ation)\b/,
    ],
  },
  {
    id: "permission",
    type: "permission_policy",
    says: [
      /\b(?:permissions?|privileges?|access (?:to .{1,60} )?(?:is|was)|access rights?|branch is protected|protected branch(?:es)?|branch protection|polic(?:y|ies)|sandbox\w*|sudo|root (?:access|rights)|admin(?:istrator)? (?:rights?|access|role)|approval|firewall|proxy|(?:network|internet|outbound|egress)|access ?denied|unauthori[sz]ed|iam\b|whitelist\w*|allow-?list\w*|may not (?:delete|touch|change|edit|modify|access|write|use|install)|(?:am|is|was) not (?:allowed|permitted|authori[sz]ed)|forbidden|403|denied|read-only)\b/,
    ],
  },
  {
    id: "unbuildable",
    type: "unresolvable_build_error",
    says: [
      /\b(?:compiler|toolchain|linker|sdk|build|dependency|package|upstream|library|version)\b/,
      /\b(?:segfaults?|internal compiler error|crashes on (?:every|any|all)|cannot be (?:fixed|repaired|built|resolved|changed) (?:from )?here|not part of (?:the|this) repo\w*|bug (?:in|of) (?:the )?(?:compiler|upstream|toolchain|sdk)|upstream bug|no (?:compatible|published|fixed|released) version|no version (?:that )?(?:satisfies|works|exists)|no longer (?:exists|published|available)|was unpublished|yanked|unresolvable|unfixable)\b/,
    ],
  },
  {
    id: "environment",
    type: "missing_dependency",
    says: [
      /\b(?:docker|podman|browser|display|gpu|cuda|hardware|device|board|emulator|simulator|windows|macos|mac|xcode|ios|iphone|android|printer|camera|vpn|kernel|daemon|compiler|toolchain|database server|cluster|staging|system (?:library|package)|sensor|robot|phone|arm|machine|environment|host)\b/,
      /\b(?:not available|unavailable|none (?:on|in|here)|not installed|no access|not reachable|unreachable|(?:does|do) not exist here|cannot be (?:installed|started|reached)|absent|there is (?:no|none)|is missing|only (?:\w+ ){1,3}(?:on|with) )\b/,
      /\b(?:no way to|cannot (?:verify|check|test|go on|continue|proceed|run|build|do|be (?:done|verified|checked|tested))|can't (?:verify|check|test|go on|continue|proceed|run|build)|whole task|entire task|depends? on|impossible|i (?:have )?stopped|without it|could not (?:start|verify|check|test))\b/,
    ],
  },
  {
    id: "input-missing",
    type: "invalid_specification",
    says: [
      /\b(?:files?|data ?sets?|fixtures?|schemas?|documents?|attachments?|spec\w*|mock-?ups?|designs?|repositor\w+|submodules?|dumps?|spreadsheets?|figma|templates?|screenshots?|links?|pages?|csv|pdf|appendix|wiki|tickets?)\b/,
      /\b(?:(?:was|were|is|are) (?:not|never|n't) (?:attached|provided|included|shared|part of|in the repo\w*|in this repo\w*|here|accessible|checked in)|wasn't (?:attached|provided|included|shared)|(?:does|do) not exist|(?:is|are) (?:missing|empty|private|nowhere)|cannot be (?:found|opened|read)|not found anywhere|nowhere to be found|404)\b/,
      CANNOT_GO,
    ],
  },
];

/** The world says "not now": such words clear by themselves and need nobody. */
const SOFT =
  /\b(?:rate[- ]?limit\w*|usage limit|session limit|weekly limit|limit (?:resets|was hit|hit)|resets? (?:at|in|on|\d)|429|too many requests|overloaded|50[0234]\b|52\d\b|time[- ]?outs?|timed out|time limit|context (?:window|length|limit|is)|out of context|token limit|turn limit|flak[yi]\w*|intermittent\w*|mcp server|temporar\w+|connection (?:reset|refused|lost)|network (?:error|glitch)|still (?:compiling|building|running|installing)|was killed|lock(?:ed)? (?:file|by)|yet|cut off|disconnected|interrupted|aborted|hung|in time|takes? longer|longer than|file lock|did not (?:answer|respond|come up|start)|half way|a retry|econn\w*|enotfound|dns|unstable|index\.lock|session (?:ends|ended|is ending))\b/;

/** The agent itself says that it goes on. */
const GOES_ON =
  /\b(?:(?:i )?(?:will|'ll|am going to|plan to) (?:now |then |next )?(?:continue|try|retry|resume|go on|proceed|fix|look|work|pick|do|add|finish|investigate|start|switch|split|use|write|move|port|tackle|attempt|rerun)|next (?:i|step|steps|session|up|turn)|(?:are|is|comes?) next|try again|remaining (?:work|files|steps|phases|items)|to be continued|(?:in|for) the next (?:session|run|attempt|turn)|resume (?:from|at|point|here)|continue (?:there|here|from|with|tomorrow|later|next))\b/;

/** Finished work: the same nouns then describe what was built. */
const DONE =
  /^(?:i(?:'ve| have)? )?(?:now )?(?:added|implemented|fixed|created|wrote|built|refactored|renamed|moved|replaced|removed|updated|upgraded|ported|converted|extended|changed|corrected|repaired|resolved|documented|improved|finished|completed|handled|rewrote|introduced|verified|done|all (?:tests|checks)|documentation|summary|rate limit handling|the (?:fix|feature|change))\b|\b(?:done|complete|completed|finished|all (?:tests |checks )?pass(?:es|ed)?|everything passes)[.!]/;
const FIRST_PERSON =
  /\bi (?:cannot|can't|can not|could not|couldn't|was not|wasn't|am not|am unable|have no|do not have|don't have|may not|am blocked|am stuck|stopped|have stopped|need|have not|lack|must not|give up)\b|\b(?:my|our) (?:token|account|key|user|credentials|permissions?|environment)\b/;

/**
 * The world says no. Families of words cannot list everything that may be out of an agent's reach,
 * so a refusal of any kind counts where none of the milder readings below explains it.
 */
const WORLD_SAYS_NO =
  /\b(?:cannot|can't|can not|no|none|nobody|nothing|never|neither|nor|impossible|not|(?:is|are|was|were|do|does|has|have|wo|must)n't|without|lacks?|lacking|missing|wrong|too (?:small|large|big|old|little|few|slow|new)|only|reject\w*|refus\w*|den(?:y|ies|ied)|forbid\w*|exclud\w*|exclusive|requires?|needs?|demands?|gone|revoked|expired|purged|retired|archived|proprietary|closed[- ]source|out of (?:reach|my))\b/;

/** An attempt that went wrong and a doubt are no refusal: feedback and another look may fix both. */
const OWN_ATTEMPT =
  /\b(?:not (?:sure|certain|clear|understand|know|see why|figure)|unsure|uncertain|unclear|did(?: not|n't)|have(?: not|n't) (?:yet|tried|looked|finished|got|had)|don't (?:know|understand|see why)|why|perhaps|maybe|probably|possibly|might|seems?|stuck|confus\w+|lost in|no (?:verdict|results?|time|progress|changes?|idea why|output)|not (?:finished|done|complete|ready)|ran into|works? for|hope)\b/;

/** Trouble of the daily kind, which the next session gets back as feedback. */
const ORDINARY =
  /\b(?:(?:tests?|assertions?|specs?|checks?|builds?|lint\w*|types?)\b.{0,40}\b(?:still )?(?:fail\w*|red|broken)|(?:fail(?:s|ing|ed)?|broken|red) (?:tests?|assertions?|specs?|checks?|builds?)|(?:type|lint|compile|syntax|import) errors?|errors? (?:in|after|at|on)|\d+ (?:errors?|warnings?|failures?|problems?)|bugs? (?:in|is)|regression|debug\w*|in progress|half|so far|progress|(?:is|are) (?:written|implemented|converted|ported|done|migrated)|merge conflict|crashed (?:once|twice)|conflicts? in \w+[.]\w+)\b/;

/**
 * null: nothing of the kind is said, or the agent goes on by itself. Where the work is proven or
 * called finished, only what the agent says of itself counts; the rest describes the work.
 */
export function personNeeded(prose: Prose, proven: boolean): ProseBlocker | null {
  // "Not sure" holds a "not": doubt is taken out before anything is read as a refusal.
  const own = prose.own.replace(HESITATION, " ");
  if (GOES_ON.test(own)) return null;
  const finished = proven || prose.sentences.some((one) => DONE.test(one.own));
  if (finished && !FIRST_PERSON.test(own)) return null;
  const stops = STOP.test(own);
  const fits = BLOCKER_ROWS.find(
    ({ type, says }) => (stops || isPlain(type)) && says.every((one) => one.test(own)),
  );
  if (fits !== undefined) return blocker(prose, fits.id, fits.says);
  if (SOFT.test(own) || ORDINARY.test(own)) return null;
  if (CANNOT_GO.test(own)) return blocker(prose, "cannot-go-on", [CANNOT_GO]);
  // What is asked is graded as a question; the statements around it only explain it.
  const asks = prose.sentences.some((one) => one.own.endsWith("?"));
  if (proven || asks || OWN_ATTEMPT.test(own)) return null;
  return WORLD_SAYS_NO.test(own) ? blocker(prose, "world-says-no", [WORLD_SAYS_NO]) : null;
}

/** In the words of the sentence that says most of it. */
function blocker({ sentences }: Prose, row: string, says: readonly RegExp[]): ProseBlocker {
  const hits = sentences.map(({ own }) => says.filter((one) => one.test(own)).length);
  const best = sentences[hits.indexOf(Math.max(...hits))];
  return { row, certain: row !== "world-says-no", words: best?.said ?? row };
}

/** Types whose words say by themselves that the work ends here. */
function isPlain(type: BlockerType): boolean {
  return type === "mathematically_false" || type === "strategy_failed";
}

/** Does the text name a cause that clears by itself? */
export function isSoftCause(prose: Prose): boolean {
  return SOFT.test(prose.own);
}
