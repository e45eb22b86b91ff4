// How much hangs on a question that an agent asks in prose?

import type { Impact } from "../../core/model/report.ts";
import { phrases } from "../match/phrases.ts";
import type { Words } from "../match/phrases.ts";

/** The first row that fits grades the question. */
export interface QuestionRow {
  readonly id: string;
  /** null: never worth a person's time. */
  readonly impact: Impact | null;
  /** All must be found in the question itself. */
  readonly asks: readonly Words[];
  /** Must be found somewhere in the ending. */
  readonly where?: Words;
  /** Must not be found in the question. */
  readonly unless?: Words;
}

const SOURCE =
  "spec*|ticket|task|issue|requirement*|docs|documentation|design|brief|story|description|contract|plan" +
  "|rfc|standard|criteria";
const SILENT_SPEC = phrases`
  ${SOURCE} .. not|never|n't
  say*|state*|specif*|mention*|cover*|define*|clear|tell|describe*|settle*|explain*,
  ${SOURCE} .. doesn't|don't say|state|specif*|mention|cover|define|tell|describe|settle|explain,
  ${SOURCE} leaves|leave .. open, ${SOURCE} is|are silent|ambiguous, ${SOURCE} says nothing,
  ${SOURCE} allows both|either, unspecified, not specified, nowhere stated|specified|defined,
  two|both readings|interpretations`;

const SAYS = [
  "(?:says?|said|states?|asks?|requires?|shows?|expects?|has|uses?|lists?|defines?|wants?|allows?",
  "forbids?|demands?|assumes?|calls?|specif(?:y|ies)|documents?|is|are|promises?|sets?|claims?",
  "describes?|mentions?|returns?)",
].join("|");
const SAYS_BOTH = new RegExp(
  `\\b${SAYS}\\b[^.?]{1,120}(?:,|;|\\b(?:but|while|whereas|and))[^.?]{0,60}\\b${SAYS}\\b`,
);
const TWO_SOURCES = phrases`
  contradict*|conflict*|disagree*|inconsisten*|mismatch*|incompatible|mutually+exclusive|at+odds,
  exclude each other, differ|differs from, not match, do not agree, ${SAYS_BOTH}`;

const MUCH_DEPENDS = phrases`
  depend* on it|this|that|the+answer|which|what|how|whether, without an+answer|knowing|this|that,
  cannot|can't continue|proceed|go+on|decide|know|tell|infer,
  hard|expensive|costly|difficult to change|reverse|undo`;

const BEHAVIOUR =
  "return*|rais*|throw*|reject*|accept*|ignor*|fail*|error*|allow*|deny|denied|forbid*|permit*|keep*|kept" +
  "|stay|remov*|delet*|archiv*|drop*|preserv*|retain*|migrat*|convert*|overwrit*|overrid*|replac*|merg*" +
  "|deprecat*|support*|inherit*|apply|applies|applied|count*|includ*|exclud*|block*|expir*|charg*|refund*" +
  "|notif*|preceden*|take+effect|treat*|encrypt*|hash*|expos*|logged+out|see|read|access*|visible" +
  "|propagat*|fall+back|falls+back|silently|handl*|roll*+back|cascad*|unique|nullable|required|mandatory" +
  "|round*|truncat*|store*|save*|persist*|validat*|happen*|behav*|trigger*|skip*|lock*|revok*|invalid*" +
  "|reset*|anonymi*|duplicat*|case-sensitive|taken+back|cancel*|retry|retried|utc|time-zone*|sync*" +
  "|be+able+to|mean*|share*|bill*|restor*|emit*|warn*|default+to|resolve*|win|wins|evaluat*|compar*" +
  "|maintain*|enforc*|limited|limits|affect*|break*|modif*|mutat*|in+place|copy|copied|owner*|permanent*";
const MODAL =
  "should|shall|must|ought|supposed|want|need|how|expect|prefer|intend|may|allowed|does|do|is|are|will" +
  "|can|would";

const INTERFACE_WORDS =
  "backward*-compatib*|breaking|breaks|compatib*|deprecat*|migration*|schema|personal+data|gdpr|privacy" +
  "|private|permission*|role*|admin*|security|secure|authori*|authenticat*|payment*|billing|invoice*|tax" +
  "|taxes|retention|database|storage+engine|semantic*|supported+version*|end+support|drop+support";
const INTERFACE = `${INTERFACE_WORDS}, public|external|rest|http|client api|interface|contract|endpoint, minimum @? @? version, dropping support, old client*|caller*|signature|format`;

/** What an agent may simply do, or leave: none of it outlives the next commit. */
const DEED =
  "continue|proceed|go|carry+on|start|begin|run|re-run|execute|commit|push|open|submit|keep+going|move+on" +
  "|do|try|write|add|update|clean|help|look|check|verify|fix|implement|apply|finish|install|format|lint" +
  "|stop|wait|resume|tackle|include|create|refactor|merge|investigate|explain|show";
const OFFER = phrases`
  would|do you like|want|prefer me|us to also|now|then|just|please|first|already? go+ahead+and?
  ${DEED}, want|like me to also|now|then|just|first? ${DEED},
  should|shall|may|can i|we also|now|then|just|please|first|already|perhaps? go+ahead+and?
  ${DEED}, ready|ok|okay|fine|good|safe for+me? to also|now? ${DEED}`;

export const QUESTION_ROWS: readonly QuestionRow[] = [
  {
    id: "thinking-aloud",
    impact: null,
    asks: [
      phrases`
        ^ so|and|but? why|how+come|right|ok|okay|the+result,
        ^ so|and|but? what changed|it+covers|was+wrong|did+i|now`,
    ],
  },
  {
    id: "contradiction",
    impact: "contradiction",
    asks: [
      phrases`which|what|who|whose|should|do|is`,
      phrases`
        which|who|right|correct|win|wins|authoritative|apply|applies|valid|follow|true|trust|preceden*,
        binding|intended|hold`,
    ],
    where: TWO_SOURCES,
  },
  {
    id: "offer",
    impact: null,
    asks: [OFFER],
    unless: phrases`or, ${INTERFACE}`,
  },
  {
    id: "courtesy",
    impact: null,
    asks: [
      phrases`
        anything else, what next|else, sound*|look* good|right|ok|okay|fine, how can i help,
        is that|this ok|okay|fine|all+right|acceptable,
        does that|this work|help|look|make+sense|answer,
        any other|further? question*|feedback|comment*|thought*|request*, what would you like`,
    ],
  },
  {
    id: "taste",
    impact: "taste",
    asks: [
      phrases`
        called|name|named|naming|variable|prefer|preference|wording|worded|phras*|tabs|spaces|quotes|indent*,
        semicolon*|color*|colour*|emoji|icon|font|style|nicer|cleaner|prettier|tidier|readable|alphabetical*,
        camel-case|snake-case|title-case|capitali*|enough|folder|directory|one+file|separate-file*|same+file,
        live|go|place|placed|belong|sit in, put|spelling|prefix|suffix, commit message*,
        file|module|function|class|branch|test name|names`,
    ],
    unless: phrases`
      ${INTERFACE}, expected|intended|desired|correct behavio*|result*|outcome|semantics`,
  },
  {
    id: "discoverable",
    impact: "taste",
    asks: [
      phrases`
        where is|are|do|does|can|should+i,
        version|versions|stack-trace*|traceback*|log|logs|reproduc*|repro,
        which
        file*|module*|function*|class*|python|node|line|package+manager|branch|framework|library|command,
        what python|node|os|platform|environment|command|framework|test+runner|package+manager,
        what operating system, what is the name|path|location|current|purpose|structure,
        snippet*|example*|sample*,
        existing test*|code|implementation|usage*|helper*|function*|pattern*|utilit*,
        is there already|a+helper|an+existing|a+test|a+utility|a+script,
        does the code-base|repo*|project, currently,
        you see|seeing|get|getting|encounter*|running|using|observ*, show|point me, how do|can i`,
    ],
    unless:
      /\bshould (?!i\b).{0,80}\b(?:return|raise|reject|keep|kept|remove|support|happen)|\b(?:minimum|drop|dropping|bump)\b/,
  },
  {
    id: "existential",
    impact: "minor",
    asks: [
      phrases`
        ^ are|is|were there, ^ do|did you|we have, ^ have you, ^ any,
        ^ can|could|would you please? share|provide|show|give|send|point|list`,
    ],
  },
  { id: "silent-spec", impact: "major", asks: [], where: SILENT_SPEC },
  { id: "much-depends", impact: "major", asks: [], where: MUCH_DEPENDS },
  {
    id: "expected-behaviour",
    impact: "major",
    asks: [
      phrases`
        expected|intended|desired|correct|right|proper|appropriate|wanted @?
        behavio*|result*|output*|outcome,
        expected|intended|desired|correct|right|proper|appropriate|wanted @?
        semantic*|response|value|handling,
        expected|intended|desired|correct|right|proper|appropriate|wanted @? format|type|order,
        what should|shall|must|would|is|are .. happen|do|return|show|mean|returned|raised,
        supposed|meant to, which one|interpretation|reading|behavio*|semantic*|variant,
        acceptable, which of these|the+two|them|those|both, what counts|qualifies as,
        who may|can|should|is+allowed,
        whose|who|which .. wins|takes+precedence|prevails|is+kept|is+authoritative|applies`,
    ],
  },
  {
    id: "behaviour",
    impact: "major",
    asks: [phrases`${MODAL} .. ${BEHAVIOUR}, ${MODAL} .. .. ${BEHAVIOUR}`],
    unless: phrases`
      should i also,
      per+page|page+size|sort|sorted|ascending|descending|log+level|timeout|interval,
      seconds|minutes|limit+of|how+many|how+long|placeholder+text|tooltip*|label`,
  },
  {
    // What a program does under a condition is its behaviour, in whatever words.
    id: "conditional",
    impact: "major",
    asks: [
      phrases`when|whenever|if|in+case|once|unless`,
      phrases`should|shall|must|ought|or|which|what|how`,
    ],
  },
  {
    id: "interface",
    impact: "major",
    asks: [
      phrases`${INTERFACE}`,
      phrases`
        should|need|how|do|shall|must|ought|want|or|expect|supposed|allowed|may|prefer|can|is|are`,
    ],
  },
  { id: "other", impact: "minor", asks: [] },
];
