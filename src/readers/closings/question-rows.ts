// How much hangs on a question that an agent asks in prose?

import type { Impact } from "../../core/model/report.ts";
import { phrases, type Words } from "../match/phrases.ts";

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
  "spec*|ticket|task|issue|requirement*|docs|documentation|design|brief|story|description|contract|plan";
/** What the task leaves open, or what cannot be taken back easily. */
const LEFT_OPEN = phrases`
  ${SOURCE} .. not|never|n't|doesn't|don't
  say*|state*|specif*|mention*|cover*|define*|clear|tell|describe*|settle*|explain*, ${SOURCE}
  leaves|leave|allows|says .. open|both|either|nothing, ${SOURCE} is|are silent|ambiguous,
  unspecified, not specified, two|both readings|interpretations, without
  an+answer|knowing|this|that, depend* on it|this|that|the+answer|which|what|how|whether,
  cannot|can't continue|proceed|decide|tell, hard|expensive|costly|difficult to change|reverse|undo`;

const SAYS =
  "(?:says?|said|states?|asks?|requires?|shows?|expects?|has|uses?|lists?|defines?|wants?|allows?|is|are)";
const TWO_SOURCES = phrases`
  contradict*|conflict*|disagree*|inconsisten*|mismatch*|incompatible|mutually+exclusive|at+odds,
  differ|differs from, not match, do not agree,
  ${new RegExp(`\\b${SAYS}\\b[^.?]{1,120}(?:[,;]|\\b(?:but|while|whereas|and))[^.?]{0,60}\\b${SAYS}\\b`)}`;

const INTERFACE =
  "backward*-compatib*|breaking|compatib*|deprecat*|migration*|schema|personal+data|privacy|permission*" +
  "|role*|admin*|security|secure|authori*|authenticat*|payment*|billing|tax|taxes|retention" +
  "|supported+version*|minimum+@+version|public+api|api|interface|contract|endpoint|old+client*|signature";

/** What an agent may simply do, or leave: none of it outlives the next commit. */
const DEED =
  "continue|proceed|go|start|begin|run|re-run|execute|commit|push|open|submit|keep+going|move+on|do|try" +
  "|write|add|update|clean|help|look|check|verify|fix|implement|apply|finish|install|format|stop|wait" +
  "|include|create|refactor|merge|investigate|explain|show";
const ALSO = "to|also|now|then|just|please|first|already";

export const QUESTION_ROWS: readonly QuestionRow[] = [
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
    asks: [
      phrases`
        would|do you like|want|prefer me|us? ${ALSO}? ${ALSO}? go+ahead+and? ${DEED},
        should|shall|may|can i|we ${ALSO}? ${ALSO}? go+ahead+and? ${DEED}, want|like me ${ALSO}?
        ${ALSO}? ${DEED}, ready|ok|okay|fine|good|safe for+me? to ${ALSO}? ${DEED}`,
    ],
    unless: phrases`or, ^ how|what|which, ${INTERFACE}`,
  },
  {
    id: "courtesy",
    impact: null,
    asks: [
      phrases`
        anything else, what next|else, how can i help, is that|this ok|okay|fine|acceptable, does
        that|this work|help|look|make+sense|answer, any other|further?
        question*|feedback|comment*|request*, what would you like, ^ so|and|but?
        why|how+come|right|ok|okay|what+changed|what+was+wrong|did+i|now`,
    ],
  },
  {
    // A name, a place, or what can be looked up.
    id: "small",
    impact: "taste",
    asks: [
      phrases`
        called|name|names|named|naming|variable|prefer|preference|wording|worded|phras*|message|tabs,
        spaces|quotes|indent*|semicolon*|color*|colour*|button|emoji|icon|font|style|alphabetical*,
        nicer|cleaner|prettier|tidier|readable|enough|folder|directory|one+file|separate-file*|same+file,
        camel-case|snake-case|title-case|capitali*|spelling|prefix|suffix, put, currently,
        show|point me, live|go|place|placed|belong|sit in,
        version|versions|stack-trace*|traceback*|log|logs|repro*, where is|are|do|does|can|should+i,
        which|what package+manager|os|platform|environment|test+runner, which|what
        file*|module*|function*|class*|python|node|line|branch|framework|library|command, what is
        the name|path|location|current|purpose|structure, snippet*|example*|sample*, how do|can i,
        existing test*|code|implementation|usage*|helper*|function*|pattern*, does the
        code-base|repo*, you see|seeing|get|getting|encounter*|running|using`,
    ],
    unless: phrases`
      ${INTERFACE}, expected|intended|desired|correct behavio*|result*|outcome|semantics,
      ${/\bshould (?!i\b).{0,80}\b(?:return|raise|reject|kept|remove|support|happen)|\b(?:minimum|drop|dropping|bump)\b/}`,
  },
  {
    id: "existential",
    impact: "minor",
    asks: [
      phrases`
        ^ are|is|were there, ^ have you, ^ any, ^ do|did you|we have, ^ can|could|would you please?
        share|provide|show|give|send|point|list`,
    ],
  },
  { id: "left-open", impact: "major", asks: [], where: LEFT_OPEN },
  {
    id: "behaviour",
    impact: "major",
    asks: [
      phrases`
        should|shall|must|ought|supposed|meant|want|need|expect|expected|intended|prefer|intend|may,
        allowed|acceptable|when|whenever|in+case|unless|wins|precedence|applies|removed,
        ${INTERFACE}, what|how .. is|are|does|do|happen*|counts`,
    ],
    unless: phrases`
      should|shall|may i !keep|remove|delete|drop|reject|raise|return|support|allow,
      page-size|per+page,
      sort|sorted|ascending|descending|log+level|timeout|interval|seconds|minutes|limit+of|how+many,
      how+long|placeholder+text|tooltip*|label`,
  },
  { id: "other", impact: "minor", asks: [] },
];
