// How much hangs on a question that an agent asks in prose?

import type { Impact } from "../../core/model/report.ts";

/** The first row that fits grades the question. */
export interface QuestionRow {
  readonly id: string;
  /** null: never worth a person's time. */
  readonly impact: Impact | null;
  /** All must be found in the question itself. */
  readonly asks: readonly RegExp[];
  /** Must be found somewhere in the ending; null: the question is enough. */
  readonly given: RegExp | null;
  /** Must not be found in the question. */
  readonly not: RegExp | null;
}

const SOURCE =
  "(?:spec\\w*|ticket|task|issue|requirements?|docs?|documentation|design|brief|story|description|contract|plan|rfc|standard|acceptance criteri\\w+)";
const SILENT_SPEC = new RegExp(
  `\\b${SOURCE}\\b.{0,40}\\b(?:(?:does|do|did|is|are)(?: not|n't) (?:say|state|specif\\w+|mention\\w*|cover\\w*|define\\w*|clear|tell|describe\\w*|settle\\w*|explain\\w*)|leaves?\\b.{0,40}\\bopen|(?:is|are) silent|says nothing|(?:is|are) ambiguous|never (?:says|mentions|states)|allows (?:both|either))\\b|\\b(?:unspecified|not specified|nowhere (?:stated|specified|defined)|(?:two|both) (?:readings|interpretations))\\b`,
);

const SAYS =
  "(?:says?|said|states?|asks?|requires?|shows?|expects?|has|uses?|lists?|defines?|wants?|allows?|forbids?|demands?|assumes?|calls?|specif(?:y|ies)|documents?|is|are|promises?|sets?|claims?|describes?|mentions?|returns?)";
const TWO_SOURCES = new RegExp(
  `\\b(?:contradict\\w*|conflicts?|conflicting|disagrees?|inconsisten\\w+|mismatch\\w*|incompatible|exclude each other|mutually exclusive|differs? from|not match|do not agree|at odds)\\b|\\b${SAYS}\\b[^.?]{1,120}(?:,|;|\\bbut|\\bwhile|\\bwhereas|\\band)[^.?]{0,60}\\b${SAYS}\\b`,
);

const MUCH_DEPENDS =
  /\bdepends? on (?:it|this|that|the answer|which|what|how|whether)\b|\bwithout (?:an answer|knowing|this|that) |\b(?:cannot|can't) (?:continue|proceed|go on|decide|know|tell|infer)\b|\b(?:hard|expensive|costly|difficult) to (?:change|reverse|undo)\b/;

const BEHAVIOUR =
  "return\\w*|rais(?:e|es|ed|ing)|throw\\w*|reject\\w*|accept\\w*|ignor\\w+|fail\\w*|error\\w*|allow\\w*|deny|denied|forbid\\w*|permit\\w*|keep|keeps|kept|stay|remove\\w*|removing|delet\\w+|archiv\\w+|drop\\w*|preserv\\w+|retain\\w*|migrat\\w+|convert\\w*|overwrit\\w+|override\\w*|replac\\w+|merg\\w+|deprecat\\w+|support\\w*|inherit\\w*|appl(?:y|ies|ied)|count\\w*|includ\\w+|exclud\\w+|block\\w*|expir\\w+|charg\\w+|refund\\w*|notif\\w+|preceden\\w+|take effect|treat\\w*|encrypt\\w*|hash\\w*|expos\\w+|log(?:ged)? out|see|read|access\\w*|visible|propagat\\w+|falls? back|silently|handl\\w+|roll\\w* back|cascad\\w+|unique|nullable|required|mandatory|round\\w*|truncat\\w+|stored?|saved?|persist\\w*|validat\\w+|happen\\w*|behav\\w+|trigger\\w*|skip\\w*|lock\\w*|revok\\w+|invalid\\w*|reset\\w*|anonymi[sz]\\w+|duplicat\\w+|case[- ]sensitive|taken? back|cancel\\w*|retr(?:y|ied)|utc|time ?zones?|sync\\w*|be able to|mean\\w*|share[sd]?|bill\\w*|restor\\w+|emit\\w*|warn\\w*|default to|resolve\\w*|wins?|evaluat\\w+|compar\\w+|maintain\\w*|enforc\\w+|limit(?:ed|s)|affect\\w*|break\\w*|modif\\w+|mutat\\w+|in place|cop(?:y|ied)|owner\\w*|permanent\\w*";

const INTERFACE =
  /\b(?:backwards?[- ]?compatib\w*|breaking|breaks?|compatib\w+|deprecat\w+|migrations?|schema|(?:public|external|rest|http|client) (?:api|interface|contract|endpoint)|personal data|gdpr|privacy|private|permissions?|roles?|admins?|security|secure|authori[sz]\w+|authenticat\w+|payments?|billing|invoices?|tax(?:es)?|retention|database|storage engine|semantics?|minimum (?:\w+ )?(?:\w+ )?version|supported versions?|(?:drop|dropping|end) support|old (?:clients?|callers?|signature|format))\b/;

/** What an agent may simply do, or leave: none of it outlives the next commit. */
const OFFER =
  /\b(?:(?:would|do) you (?:like|want|prefer) (?:me|us) to|(?:want|like) me to|(?:should|shall|may|can) (?:i|we)|(?:ready|ok(?:ay)?|fine|good|safe) (?:for me )?to)(?: (?:also|now|then|just|please|first|already|perhaps|go ahead and))*(?: (?:continue|proceed|go (?:on|ahead)|carry on|start|begin|run|re-?run|execute|commit|push|open|submit|keep going|move on|do (?:that|this|it|so)|try|write|add|update|clean|help|look|check|verify|fix|implement|apply|finish|install|format|lint|stop|wait|resume|tackle|include|create|refactor|merge|investigate|explain|show)\b| ?\?$)/;

const SHOULD =
  /\b(?:should|need|how|do|shall|must|ought|want|or|expect|supposed|allowed|may|prefer|can|is|are)\b/;

export const QUESTION_ROWS: readonly QuestionRow[] = [
  row("thinking-aloud", null, [
    /^(?:(?:so|and|but) )?(?:why\b|how come\b|what (?:changed|it covers|was wrong|did i|now)\b|the result\b|right\b|ok(?:ay)?\b)/,
  ]),
  row(
    "contradiction",
    "contradiction",
    [
      /\b(?:which|what|who|whose|should|do|is)\b/,
      /\b(?:which|who|right|correct|wins?|authoritative|appl(?:y|ies)|valid|follow|true|trust|preceden\w+|binding|intended|hold)\b/,
    ],
    { given: TWO_SOURCES },
  ),
  row("offer", null, [OFFER], { not: new RegExp(`\\bor\\b|${INTERFACE.source}`) }),
  row("courtesy", null, [
    /\b(?:anything else|what (?:next|else)|(?:sound|look)s? (?:good|right|ok(?:ay)?|fine)|is (?:that|this) (?:ok(?:ay)?|fine|all ?right|acceptable)|does (?:that|this) (?:work|help|look|make sense|answer)|any (?:other |further )?(?:questions|feedback|comments|thoughts|requests)|how can i help|what would you like (?:me )?to)\b/,
  ]),
  row(
    "taste",
    "taste",
    [
      /\b(?:called|named?|naming|variable|prefer|preference|wording|worded|phras\w+|tabs|spaces|quotes|indent\w*|semicolons?|colou?rs?|emoji|icon|font|style|nicer|cleaner|prettier|tidier|readable|alphabetical\w*|camel ?case|snake ?case|capitali[sz]\w+|enough|folder|directory|one file|separate files?|same file|(?:live|go|placed?|belong|sit) in|put|(?:file|module|function|class|branch|test) names?|title case|spelling|commit messages?|prefix|suffix)\b/,
    ],
    {
      not: new RegExp(
        `${INTERFACE.source}|\\b(?:expected|intended|desired|correct) (?:behaviou?r|results?|outcome|semantics)`,
      ),
    },
  ),
  row(
    "discoverable",
    "taste",
    [
      /\b(?:where (?:is|are|do|does|can|should i)|which (?:files?|modules?|functions?|class(?:es)?|python|node|line|package manager|branch|framework|library|command)\b|what (?:python|node|operating system|os|platform|environment|command|framework|test runner|package manager|is the (?:name|path|location|current|purpose|structure))|versions?\b|stack ?traces?|tracebacks?|logs?\b|reproduc\w+|repro\b|snippets?|examples?\b|samples?\b|existing (?:tests?|code|implementation|usages?|helpers?|functions?|patterns?|utilit\w+)|is there (?:already|a helper|an existing|a test|a utility|a script)|does the (?:code ?base|repo\w*|project)|currently|you (?:see|seeing|get|getting|encounter\w*|running|using|observ\w+)|show me|point me|how (?:do|can) i)\b/,
    ],
    {
      not: /\bshould (?!i\b).{0,80}\b(?:return|raise|reject|keep|kept|remove|support|happen)|\b(?:minimum|drop|dropping|bump)\b/,
    },
  ),
  row("existential", "minor", [
    /^(?:(?:(?:are|is|were) there|(?:do|did) (?:you|we) have|have you|any|(?:can|could|would) you (?:please )?(?:share|provide|show|give|send|point|list))\b)/,
  ]),
  row("silent-spec", "major", [/./], { given: SILENT_SPEC }),
  row("much-depends", "major", [/./], { given: MUCH_DEPENDS }),
  row("expected-behaviour", "major", [
    /\b(?:(?:expected|intended|desired|correct|right|proper|appropriate|wanted) (?:\w+ )?(?:behaviou?r|results?|outputs?|outcome|semantics|response|value|handling|format|type|order)|what (?:should|shall|must|would|is|are)\b.{0,80}\b(?:happen|do|return|show|mean|returned|raised)|(?:supposed|meant) to|which (?:one|of (?:these|the two|them|those|both)|interpretation|reading|behaviou?r|semantics|variant)|what (?:counts|qualifies) as|(?:whose|who|which(?: \w+)?)\b.{0,60}\b(?:wins?|takes? precedence|prevails|is kept|is authoritative|applies)|who (?:may|can|should|is allowed)|acceptable)\b/,
  ]),
  row(
    "behaviour",
    "major",
    [
      new RegExp(
        `\\b(?:should|shall|must|ought|supposed|want|need|how|expect|prefer|intend|may|allowed|does|do|is|are|will|can|would)\\b.{0,160}\\b(?:${BEHAVIOUR})\\b`,
      ),
      SHOULD,
    ],
    {
      not: /\bshould i also\b|\b(?:per page|page size|sort(?:ed)?|ascending|descending|log level|timeout|interval|seconds|minutes|limit of|how many|how long|placeholder text|tooltips?|label)\b/,
    },
  ),
  // What a program does under a condition is its behaviour, in whatever words.
  row("conditional", "major", [
    /\b(?:should|shall|must|ought|does|do|is|are|which|what|how)\b/,
    /\b(?:when|whenever|if|in case|once|unless)\b/,
    /\b(?:should|shall|must|ought|or|which|what|how)\b/,
  ]),
  row("interface", "major", [INTERFACE, SHOULD]),
  row("other", "minor", [/./]),
];

function row(
  id: string,
  impact: Impact | null,
  asks: readonly RegExp[],
  when: { readonly given?: RegExp; readonly not?: RegExp } = {},
): QuestionRow {
  return { id, impact, asks, given: when.given ?? null, not: when.not ?? null };
}
