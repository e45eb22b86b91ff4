// Does a closing text say, in prose, that only a person can clear the way?

import { phrases } from "../match/phrases.ts";
import type { Words } from "../match/phrases.ts";
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

/**
 * null: nothing of the kind is said, or the agent goes on by itself. Where the work is proven or
 * called finished, only what the agent says of itself counts; the rest describes the work.
 */
export function personNeeded(prose: Prose, proven: boolean): ProseBlocker | null {
  // "Not sure" holds a "not": doubt is taken out before anything is read as a refusal.
  const own = prose.own.replace(HESITATION, " ");
  if (GOES_ON.test(own)) return null;
  const finished = proven || prose.sentences.some((one) => DONE.some((done) => done.test(one.own)));
  if (finished && !FIRST_PERSON.test(own)) return null;
  const stops = STOP.test(own);
  const fits = BLOCKER_ROWS.find(
    ({ plain, all }) => (stops || plain) && all.every((one) => one.test(own)),
  );
  if (fits !== undefined) return blocker(prose, fits.id, fits.all);
  if (SOFT.test(own) || ORDINARY.test(own)) return null;
  if (CANNOT_GO.test(own)) return blocker(prose, "cannot-go-on", [CANNOT_GO]);
  // What is asked is graded as a question; the statements around it only explain it.
  const asks = prose.sentences.some((one) => one.own.endsWith("?"));
  if (proven || asks || OWN_ATTEMPT.test(own)) return null;
  return WORLD_SAYS_NO.test(own) ? blocker(prose, REFUSAL, [WORLD_SAYS_NO]) : null;
}

/** The words that ask permission for what cannot be taken back; null: no such thing is asked. */
export function actInProse({ own, sentences }: Prose): string | null {
  if (!ASKS_PERMISSION.test(own)) return null;
  return sentences.find((one) => LASTING_ACT.test(one.own))?.said ?? null;
}

const REFUSAL = "world-says-no";

/** In the words of the sentence that says most of it. */
function blocker({ sentences }: Prose, row: string, all: readonly Words[]): ProseBlocker {
  const hits = sentences.map(({ own }) => all.filter((one) => one.test(own)).length);
  const best = sentences[hits.indexOf(Math.max(...hits))];
  return { row, certain: row !== REFUSAL, words: best?.said ?? row };
}

const NOT = "cannot|can't|can+not|could+not|couldn't|unable+to|not+able+to|no+way+to|impossible+to";
const PERSON =
  "someone|somebody|person|human|maintainer|admin*|owner|engineer|operator|lawyer|legal|security+team" +
  "|team+lead|reviewer";
const SPENT = "tried|fail*|same|exhaust*|ruled+out|work|works|worked|dead+end*|leave";
const MUST = "has+to|have+to|must|needs+to|needed|required|ought+to|should";

/** The agent stops here; without such words the same nouns are ordinary prose. */
const STOP = phrases`
  ${NOT}, not+possible|impossible|blocked|blocker|blocks|stopped|stopping|stop+here|stuck,
  not available|allowed|permitted|configured|provided|possible|set|installed|attached|given,
  not authori*|granted|reachable|started, denied|refus*|reject*|forbid*, must|may not,
  lacks|lack|lacking|full|empty|exhausted|expired|revoked|locked+out|access-denied,
  none|nobody|no+one is|was|has, wasn't given, do|don't not? have, have|has|is no, is|are missing,
  nothing left|more|else that? i can, ${PERSON} .. ${MUST}, needs a|an|the? ${PERSON},
  waiting for, awaiting|required|require|requires|need|needs, would? ha*|have|has to, must be,
  unauthori*, no @ can, 401|402|403`;

const CANNOT_GO = phrases`
  ${NOT}|not+possible+to @?
  continue|proceed|go+on|go+any+further|move+on|start|begin|finish|complete,
  ${NOT} do this|the|it|that|more|anything, ${NOT} make any? further? progress,
  ${NOT} be @? done|completed|finished|continued|started|satisfied|fulfilled|implemented`;

interface BlockerRow {
  readonly id: string;
  /** The words say by themselves that the work ends here. */
  readonly plain: boolean;
  /** All must be found in the agent's own words. */
  readonly all: readonly Words[];
}

const BLOCKER_ROWS: readonly BlockerRow[] = [
  row("person-named", [
    phrases`
      ${PERSON}|intervention .. ${MUST} !decide|choose,
      human|manual review|intervention|action|judg*|approval|help|attention is?
      needed|required|necessary,
      requires|require|needs|need a|an|some? human|manual|person|maintainer|someone`,
  ]),
  plain("refuted", [
    phrases`
      counter-example*, is|are not+true|false|wrong|disproved|refuted|not+provable|unprovable,
      is|are unsatisfiable|inconsistent,
      disprov*|refut*|does+not+hold|fails+for|violate*|contradict*,
      negation is|can .. proven|proved|provable|satisfiable`,
    phrases`
      theorem|lemma|claim|claimed|inequality|statement|conjecture|proposition|identity|hypothes*,
      equation|proof|proofs|prove*|invariant|formula|bound|corollary|axiom|axioms`,
  ]),
  row("specification", [
    phrases`
      requirement*|spec*|ticket*|design*|issue|task|tasks|instruction*|document*|mock-up*|schema,
      criteri*|rule|rules|brief*|section|contract*|story|acceptance|description|plan|goal*|constraint*`,
    phrases`
      say|says .. says|say|asks|demands|wants,
      contradict*|mutually+exclusive|conflict*|exclude+each+other, both cannot, cannot|can't both,
      incompatible with, inconsistent|impossible|irreconcilable|opposite, forbids|forbid,
      matches neither, cannot all? be satisfied|met|fulfilled|true|reconciled,
      rules|rule each|itself .. out, refer* to .. not exist, not exist in|anywhere, at odds,
      not well-defined, no implementation|solution|value|design|program|code can|could|will,
      not written|specified|defined anywhere, what is not, end|ends at section,
      over-constrained|unsatisfiable`,
  ]),
  plain("exhausted", [
    phrases`
      all|every|each|none of? the|my|these? @? strateg*|approach*|option*|idea*|alternative* ..
      ${SPENT},
      all|every|each|none of? the|my|these? @? avenue*|variant*|route*|workaround* .. ${SPENT},
      run|ran out of ideas|approaches|options|strategies|things|alternatives, out of ideas,
      no|have|see|of any|an? other|further|more|another|remaining|untried
      idea*|approach*|option*|strateg*,
      no|any other|further|more|remaining|untried?
      avenue*|way+forward|alternative*|workaround*|ideas, no approach*|option*|strateg*,
      nothing else|left|more to+try|that+i+can, exhausted all|every|the|my, i give up,
      giving up on`,
  ]),
  row("resource", [
    phrases`
      disk|disks is|are? full|at+100, no space left, out of disk|memory|quota|credit*|funds|space,
      0 bytes free|left, quota .. exhausted|exceeded|zero|used+up|0,
      no more? credit*|funds|budget|balance, credits|credit is|are|has|have|balance,
      billing|402|payment+required, budget|credit|money is|are? spent|used+up|exhausted,
      top|topped it? up, not enough memory|ram|disk|space,
      need* .. gb|gib|tb of? ram|memory|disk|vram, # ram|memory|disk|vram`,
  ]),
  row("credential", [
    phrases`
      credential*|api-key*|secret|secrets|token|tokens|password*|passphrase|log-in|log-ins|oauth,
      ssh|live|private|access|signing|deploy|encryption key|keys, certificate*|service+account*,
      licen* key*|server|file, licence|license, 2fa|mfa|otp|captcha|authenticat*|authori*,
      one-time code*|password*|passcode*, verification code*, environment|env variable*`,
  ]),
  row("permission", [
    phrases`
      permission*|privilege*|access+rights|policy|policies|sandbox*|sudo|approval|firewall|proxy,
      access to? .. is|was, branch is protected, protected branch*, branch protection,
      root access|rights, admin* rights|access|role, network|internet|outbound|egress,
      access-denied|unauthori*|iam|403|denied, whitelist*|allow-list*|forbidden|read-only,
      may not delete|touch|change|edit|modify|access|write|use|install,
      am|is|was not allowed|permitted|authori*`,
  ]),
  row("unbuildable", [
    phrases`compiler|toolchain|linker|sdk|build|dependency|package|upstream|library|version`,
    phrases`
      segfault*, internal compiler error, crashes on every|any|all, not part of the|this repo*,
      cannot be fixed|repaired|built|resolved|changed from? here,
      bug in|of the? compiler|upstream|toolchain|sdk, upstream bug,
      no compatible|published|fixed|released version, no version .. satisfies|works|exists,
      no longer exists|published|available, was unpublished, yanked|unresolvable|unfixable`,
  ]),
  row("environment", [
    phrases`
      docker|podman|browser|display|gpu|cuda|hardware|device|board|emulator|simulator|printer|camera,
      windows|macos|mac|xcode|ios|iphone|android|arm|vpn|kernel|daemon|sensor|robot|phone|machine|host,
      compiler|toolchain|database+server|cluster|staging|environment, system library|package`,
    phrases`
      not available|installed|reachable, unavailable|unreachable|absent|no+access,
      none on|in|here, not exist here, cannot be installed|started|reached, there is no|none,
      is missing, only @ @? @? on|with`,
    phrases`
      no way to, cannot|can't verify|check|test|go+on|continue|proceed|run|build|do,
      cannot be done|verified|checked|tested, whole|entire task, depend* on,
      impossible|without+it, i have? stopped, could not start|verify|check|test`,
  ]),
  row("input-missing", [
    phrases`
      file*|data-set*|fixture*|schema*|document*|attachment*|spec*|mock-up*|design*|repositor*,
      submodule*|dump|dumps|spreadsheet*|figma|template*|screenshot*|link|links|page|pages|csv|pdf,
      appendix|wiki|ticket*`,
    phrases`
      not|never|wasn't attached|provided|included|shared|part+of|here|accessible|checked+in,
      not in the|this repo*, do|does not exist, is|are missing|empty|private|nowhere,
      cannot be found|opened|read, not found anywhere, nowhere to be found, 404`,
    CANNOT_GO,
  ]),
];

function row(id: string, all: readonly Words[]): BlockerRow {
  return { id, plain: false, all };
}

function plain(id: string, all: readonly Words[]): BlockerRow {
  return { id, plain: true, all };
}

/** The world says "not now": such words clear by themselves and need nobody. */
const SOFT = phrases`
  rate-limit*, usage|session|weekly limit, limit resets|was+hit|hit, reset|resets at|in|on|#,
  429|500|502|503|504|520|522|524|529|too+many+requests|overloaded|time-out*|timed+out|time+limit,
  context window|length|limit|is, out of context, token|turn limit, flak*|intermittent*|temporar*,
  mcp server, connection reset|refused|lost, network error|glitch,
  still compiling|building|running|installing, was killed, lock|locked file|by, file lock,
  index.lock, yet|cut+off|disconnected|interrupted|aborted|hung|in+time|half+way|unstable|a+retry,
  takes|longer longer|than, did not answer|respond|come|start, econn*|enotfound|dns,
  session ends|ended|is+ending`;

/** The agent itself says that it goes on. */
const GOES_ON = phrases`
  will|i'll|am+going+to|plan+to now|then|next?
  continue|try|retry|resume|go+on|proceed|fix|look|work|pick,
  will|i'll|am+going+to|plan+to now|then|next?
  do|add|finish|investigate|start|switch|split|use|write,
  will|i'll|am+going+to|plan+to now|then|next? move|port|tackle|attempt|rerun,
  next i|step|steps|session|up|turn, are|is|comes next, try again, to be continued,
  remaining work|files|steps|phases|items, in|for the next session|run|attempt|turn,
  resume from|at|point|here, continue there|here|from|with|tomorrow|later|next`;

/** Finished work: the same nouns then describe what was built. */
const DONE = [
  /^(?:i(?:'ve| have)? )?(?:now )?(?:done|all (?:tests|checks)|documentation|summary|rate limit handling|the (?:fix|feature|change))\b/,
  phrases`
    ^ i|i've? have? now?
    added|implemented|fixed|created|wrote|built|refactored|renamed|moved|replaced,
    ^ i|i've? have? now?
    removed|updated|upgraded|ported|converted|extended|changed|corrected|repaired,
    ^ i|i've? have? now?
    resolved|documented|improved|finished|completed|handled|rewrote|introduced|verified`,
  /\b(?:done|complete|completed|finished|all (?:tests |checks )?pass(?:es|ed)?|everything passes)[.!]/,
];

const FIRST_PERSON = phrases`
  i
  ${NOT}|was+not|wasn't|am+not|am+unable|have+no|do+not+have|don't+have|may+not|am+blocked|am+stuck,
  i have? stopped|need|have+not|lack|must+not|give+up,
  my|our token|account|key|user|credentials|permission*|environment`;

/**
 * The world says no. Families of words cannot list everything that may be out of an agent's reach,
 * so a refusal of any kind counts where none of the milder readings below explains it.
 */
const WORLD_SAYS_NO = phrases`
  cannot|can't|can+not|no|none|nobody|nothing|never|neither|nor|impossible|not|without|lack*|missing|wrong,
  isn't|aren't|wasn't|weren't|don't|doesn't|hasn't|haven't|won't|mustn't,
  too small|large|big|old|little|few|slow|new,
  only|reject*|refus*|deny|denies|denied|forbid*|exclud*,
  exclusive|require|requires|need|needs|demand*|gone|revoked|expired|purged|retired|archived|proprietary,
  closed-source, out of reach|my`;

/** An attempt that went wrong and a doubt are no refusal: feedback and another look may fix both. */
const OWN_ATTEMPT = phrases`
  not sure|certain|clear|understand|know|see+why|figure|finished|done|complete|ready,
  unsure|uncertain|unclear|didn't|did+not|don't+understand|don't+know|don't+see+why,
  have not|n't yet|tried|looked|finished|got|had, haven't yet|tried|looked|finished|got|had,
  why|perhaps|maybe|probably|possibly|might|seem|seems|stuck|confus*|lost+in|ran+into|hope,
  no verdict|result|results|time|progress|change*|idea+why|output, work|works for`;

/** Trouble of the daily kind, which the next session gets back as feedback. */
const CHECK = "test*|assertion*|spec|specs|check|checks|build|builds|lint*|type|types";
const ORDINARY = phrases`
  ${CHECK} .. fail*|red|broken, fail*|broken|red ${CHECK}, type|lint|compile|syntax|import error*,
  error|errors in|after|at|on, # error*|warning*|failure*|problem*, bug|bugs in|is,
  regression|debug*|in+progress|half|so+far|progress|merge+conflict, crashed once|twice,
  is|are written|implemented|converted|ported|done|migrated, conflict|conflicts in`;

const LASTING =
  "production|prod|live|bucket*|table*|database*|db|data|records|user|users|customer*|account*|backup*" +
  "|volume*|cluster*|server*|history|main+branch|remote+branch|registry|secret*|e-mail*|invoice*|payment*" +
  "|money|dns|release*";
const ACT =
  "delet*|drop|drops|dropped|dropping|wipe*|wiping|purg*|destroy*|truncat*|eras*|overwrit*|reset*|rewrit*" +
  "|revok*|rotat*|remov*|terminat*|send*|publish*|deploy*|migrat*|charg*";
const LASTING_ACT = phrases`
  ${ACT} .. ${LASTING}, ${LASTING} .. ${ACT}, force-push*,
  run*|execut*|apply*|start* .. against|on|in the? production|prod|live,
  irreversibl*|permanently|unrecoverable, ${NOT} be undone|reversed|recovered|restored|taken+back,
  no backup|way+back|undo`;

/** "Should deleted users be kept?" is about the product; these ask about an act of the agent. */
const ASKS_PERMISSION = phrases`
  should|shall|may|can|must i, do|would you want|like me to, ok|okay to|if+i|for+me,
  permission to, please|can+you|could+you confirm|approve|sign+off,
  ${PERSON}|anyone|you to confirm|approve|sign+off, the @ to confirm|approve|sign+off,
  need*|await*|wait*|without|ask*|require*|until .. confirm*|approv*|go-ahead|sign-off,
  is this|that|it intended, before i do|run|go|delete|drop|proceed|continue|execute|apply`;
