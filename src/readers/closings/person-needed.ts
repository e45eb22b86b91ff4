// Does a closing text say, in prose, that only a person can clear the way?

import { phrases, type Words } from "../match/phrases.ts";
import { HESITATION } from "./hesitation.ts";
import type { Prose } from "./prose.ts";

export interface ProseBlocker {
  /** False: no known kind of blocker, only a refusal that nothing milder explains. */
  readonly isCertain: boolean;
  /** What the agent wrote, and which row read it. */
  readonly details: readonly string[];
}

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
  const stops = WORLD_SAYS_NO.test(own) || STOP.test(own);
  const fits = BLOCKER_ROWS.find(
    ({ plain, all }) => (stops || plain) && all.every((one) => one.test(own)),
  );
  if (fits !== undefined) return blocker(prose, fits.id, fits.all);
  if (PASSES.test(own)) return null;
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
  return { isCertain: row !== REFUSAL, details: [best?.said ?? row, row] };
}

const NOT = "cannot|can't|can+not|could+not|couldn't|unable+to|not+able+to|no+way+to|impossible+to";
const PERSON =
  "someone|somebody|person|human|maintainer|admin*|owner|engineer|operator|lawyer|legal|security+team" +
  "|team+lead|reviewer";
const SPENT = "tried|fail*|same|exhaust*|ruled+out|work|works|worked|dead+end*|leave";
const WAY =
  "strateg*|approach*|option*|idea*|ideas|alternative*|avenue*|variant*|route*|workaround*|way+forward";

const CANNOT_GO = phrases`
  ${NOT}|not+possible+to @? continue|proceed|go+on|move+on|start|begin|finish|complete, ${NOT} do
  this|the|it|that|more|anything, ${NOT} make any? further? progress, ${NOT} be @?
  done|completed|finished|continued|started|satisfied|fulfilled|implemented`;

interface BlockerRow {
  readonly id: string;
  /** The words say by themselves that the work ends here. */
  readonly plain?: true;
  /** All must be found in the agent's own words. */
  readonly all: readonly Words[];
}

const BLOCKER_ROWS: readonly BlockerRow[] = [
  {
    id: "person-named",
    all: [
      phrases`
        ${PERSON}|intervention .. has+to|have+to|must|needs+to|needed|required|should !decide|choose,
        human|manual review|intervention|action|judg*|approval|help is? needed|required|necessary,
        requires|require|needs|need a|an|some? human|manual|person|maintainer|someone`,
    ],
  },
  {
    id: "refuted",
    plain: true,
    all: [
      phrases`
        counter-example*|disprov*|refut*|does+not+hold|fails+for|violate*|contradict*|unprovable,
        is|are not+true|false|wrong|unsatisfiable|inconsistent|not+provable, negation is|can`,
      phrases`
        theorem|lemma|claim*|inequality|statement|conjecture|proposition|identity|hypothes*|equation,
        proof*|prove*|invariant|formula|bound|corollary|axiom*`,
    ],
  },
  {
    id: "specification",
    all: [
      phrases`
        requirement*|spec*|ticket*|design*|issue|task|tasks|instruction*|document*|mock-up*|schema,
        criteri*|rule|rules|brief*|section|contract*|story|acceptance|description|plan|goal*|constraint*`,
      phrases`
        say|says .. says|say|asks|demands|wants,
        contradict*|mutually+exclusive|conflict*|irreconcilable, both cannot, cannot|can't both|all,
        incompatible|inconsistent|impossible|opposite|forbids|at+odds, not written|specified|defined
        anywhere, what is not, unsatisfiable`,
    ],
  },
  {
    id: "exhausted",
    plain: true,
    all: [
      phrases`
        all|every|each|none of? the|my|these? @? ${WAY} .. ${SPENT}, out of
        ideas|options|approaches|strategies, no|have|see|of any|an?
        other|further|more|another|remaining|untried ${WAY}, nothing else|left|more
        to+try|that+i+can, exhausted all|every|the|my, i give up`,
    ],
  },
  {
    id: "out-of-reach",
    all: [
      phrases`
        credential*|api-key*|secret|secrets|token|tokens|password*|passphrase|log-in|log-ins|oauth,
        ssh|live|private|access|signing|deploy|encryption key|keys, certificate*|service+account*,
        licence|license|2fa|mfa|otp|captcha|authenticat*|authori*, one-time|verification code*,
        environment|env variable*,
        permission*|privilege*|policy|policies|sandbox*|sudo|approval|firewall|proxy|iam|denied,
        protected branch*, branch is? protect*, root|admin* access|rights|role,
        network|internet|outbound|egress|whitelist*|allow-list*|forbidden|read-only, am|is|was not
        allowed|permitted|authori*, disk|disks is|are? full|at+100, no space left, out of
        disk|memory|quota|credit*|funds|space, quota|credit*|balance|budget|funds ..
        exhausted|exceeded|zero|used+up|spent|0, billing|payment, need* .. gb|gib|tb of?
        ram|memory|disk|vram`,
    ],
  },
  {
    id: "not-here",
    all: [
      phrases`
        docker|podman|browser|display|gpu|cuda|hardware|device|board|emulator|simulator|printer|camera,
        windows|macos|mac|xcode|ios|iphone|android|arm|vpn|kernel|daemon|sensor|robot|phone|machine|host,
        compiler|toolchain|linker|sdk|database+server|cluster|staging|environment|upstream, system
        package,
        file*|data-set*|fixture*|schema*|document*|attachment*|spec*|mock-up*|design*|repositor*,
        submodule*|dump*|spreadsheet*|figma|template*|screenshot*|link|page|pages|csv|pdf|wiki|ticket*`,
      phrases`
        not|never|wasn't available|installed|reachable|attached|provided|included|shared|part+of|here,
        unavailable|unreachable|absent|no+access|nowhere|404, none on|in|here, there is no|none,
        is|are missing|empty|private, does|do not exist, cannot be
        installed|started|reached|found|opened, segfault*|internal+compiler+error, crashes on
        every|any|all, bug in the? compiler|upstream|toolchain|sdk, upstream bug`,
    ],
  },
];

/** The agent itself says that it goes on. */
const GOES_ON = phrases`
  will|i'll|am+going+to|plan+to now|then|next? continue|try|retry|resume|go+on|proceed|fix|look|work,
  will|i'll|am+going+to|plan+to now|then|next?
  do|add|finish|start|switch|split|use|write|move|pick|tackle, next i|step|steps|session|up|turn,
  are|is|comes next, try again, to be continued, remaining work|files|steps|phases|items, in|for the
  next session|run|attempt|turn, continue there|here|from|with|tomorrow|later|next`;

/** Finished work: the same nouns then describe what was built. */
const DONE = phrases`
  ^ i|i've? have? now?
  added|implemented|fixed|created|wrote|built|refactored|renamed|moved|replaced|removed|updated|done,
  ^ i|i've? have? now?
  ported|converted|extended|changed|corrected|resolved|documented|improved|finished|completed, ^ all
  tests|checks, ^ documentation|summary, ^ the fix|feature|change,
  ${/\b(?:done|complete|completed|finished|all (?:tests |checks )?pass(?:es|ed)?|everything passes)[.!]/}`;

const FIRST_PERSON = phrases`
  i
  ${NOT}|was+not|wasn't|am+not|am+unable|have+no|do+not+have|don't+have|may+not|am+blocked|am+stuck,
  i have? stopped|need|have+not|lack|must+not|give+up, my|our
  token|account|key|user|credentials|permission*|environment`;

/**
 * The world says no. Families of words cannot list everything that may be out of an agent's reach,
 * so a refusal of any kind counts where none of the milder readings below explains it.
 */
const WORLD_SAYS_NO = phrases`
  cannot|can't|can+not|no|none|nobody|nothing|never|neither|nor|impossible|not|without|lack*|missing|wrong,
  isn't|aren't|wasn't|weren't|don't|doesn't|hasn't|haven't|won't|mustn't, too
  small|large|big|old|little|few|slow|new, only|reject*|refus*|deny|denies|denied|forbid*|exclud*,
  exclusive|require|requires|need|needs|demand*|gone|revoked|expired|retired|proprietary|closed-source`;

/** With these, the nouns of a row are no ordinary prose. */
const STOP = phrases`
  blocked|blocker|blocks|stopped|stopping|stop+here|stuck|must|has+to|have+to|waiting+for|awaiting,
  full|empty|exhausted|locked+out|unauthori*|access-denied|401|402|403|unable+to|required`;

/** An attempt that went wrong and a doubt are no refusal: feedback and another look may fix both. */
const OWN_ATTEMPT = phrases`
  not sure|certain|clear|understand|know|see+why|figure|finished|done|complete|ready,
  unsure|uncertain|unclear|didn't|did+not|don't+understand|don't+know|don't+see+why, have not|n't
  yet|tried|looked|finished|got|had, haven't yet|tried|looked|finished|got|had,
  why|perhaps|maybe|probably|possibly|might|seem|seems|stuck|confus*|lost+in|ran+into|hope, no
  verdict|result|results|time|progress|change*|idea+why|output`;

const CHECK = "test*|assertion*|spec|specs|check|checks|build|builds|lint*|type|types";
/** The world says "not now", or trouble of the daily kind: it clears by itself or by feedback, and needs nobody. */
const PASSES = phrases`
  rate-limit*, usage|session|weekly|token|turn|time limit, limit|limits resets|was+hit|hit,
  429|500|502|503|504|520|522|524|529|too+many+requests|overloaded|time-out*|timed+out, context
  window|length|limit|is, flak*|intermittent*|temporar*, mcp server, network error|glitch,
  connection reset|refused|lost, still compiling|building|running|installing, lock|locked file|by,
  file lock, yet|cut+off|disconnected|interrupted|aborted|hung|in+time|half+way|unstable|a+retry,
  did not answer|respond|come|start, econn*|enotfound|dns, ${CHECK} .. fail*|red|broken,
  fail*|broken|red ${CHECK}, type|lint|compile|syntax|import error*, error|errors in|after|at|on, #
  error*|warning*|failure*|problem*, bug|bugs|conflict|conflicts in|is,
  regression|debug*|in+progress|half|so+far|progress, is|are
  written|implemented|converted|ported|done`;

const LASTING =
  "production|prod|live|bucket*|table*|database*|db|data|records|user|users|customer*|account*|backup*" +
  "|volume*|cluster*|server*|history|main+branch|remote+branch|registry|secret*|e-mail*|invoice*|payment*" +
  "|money|dns|release*";
const ACT =
  "delet*|drop|drops|dropped|dropping|wipe*|wiping|purg*|destroy*|truncat*|eras*|overwrit*|reset*|rewrit*" +
  "|revok*|rotat*|remov*|terminat*|send*|publish*|deploy*|migrat*|charg*";
const LASTING_ACT = phrases`
  ${ACT} .. ${LASTING}, ${LASTING} .. ${ACT}, force-push*, run*|execut*|apply*|start* ..
  against|on|in the? production|prod|live, irreversibl*|permanently|unrecoverable, ${NOT} be
  undone|reversed|recovered|restored|taken+back`;

/** "Should deleted users be kept?" is about the product; these ask about an act of the agent. */
const ASKS_PERMISSION = phrases`
  should|shall|may|can|must i, do|would you want|like me to, ok|okay to|if+i|for+me, permission to,
  please|can+you|could+you confirm|approve|sign+off, ${PERSON}|anyone|you to
  confirm|approve|sign+off, the @ to confirm|approve|sign+off,
  need*|await*|wait*|without|ask*|require*|until .. confirm*|approv*|go-ahead|sign-off, is
  this|that|it intended, before i do|run|go|delete|drop|proceed|continue|execute|apply`;
