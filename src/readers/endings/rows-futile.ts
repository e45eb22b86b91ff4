// Which words tell that trying again is futile: refuted, contradictory, exhausted, a broken toolchain?

import { phrases } from "../match/phrases.ts";
import type { EndingRow } from "./ending-row.ts";

const CLAIM =
  "theorem|lemma|statement|claim|proposition|conjecture|goal|identity|inequality|property|formula" +
  "|invariant";
const TASK =
  "criteri*|requirement*|spec|specification*|task|brief|issue|ticket|plan|instruction*|acceptance";
const WAY = "approach*|strateg*|option*|alternative*|attempt*|tactic*|idea*|plans";
const SPENT =
  "fail*|tried|exhausted|work|works|worked|closes|broke*|break|breaks|dead+end|ruled+out|ran+out" +
  "|rejected|spent";
const BAD =
  "invalid|unknown|missing|must+be|allowed|expected|unrecognized|malformed|not+exist|duplicate" +
  "|no+acceptance";
const TOOLCHAIN =
  "node|node.js|python|java|jdk|jvm|go|rust|rustc|gcc|clang|cmake|ruby|php|swift|kotlin|gradle" +
  "|dotnet|.net|lean|ghc|xcode|npm|glibc|toolchain|compiler|sdk";

/** After access, before time-outs: what cannot become true by trying again. */
export const FUTILE_ROWS = [
  {
    id: "refuted",
    means: "mathematically_false",
    any: phrases`
      counter-example*, falsif*, negation|negated .. satisfiable|sat|holds|proved|provable|true,
      ${CLAIM} .. is|are|was|be|appears @? @?
      false|refuted|untrue|unprovable|inconsistent|disproved, ${CLAIM} .. wrong as stated,
      ${CLAIM} .. not true|provable,
      ${CLAIM} .. fails|breaks|violated|does+not+hold|doesn't+hold for|at|when|in|as|already,
      proved|proves|evaluated|reduced|evaluates|reduces|decided .. false,
      refuted|disproved|disproven|mathematically+false|not+a+theorem`,
    unless:
      /\b(?:no|without|any|zero) counter\W?examples?\b(?! (?:is|are) needed)|\bno refut|\bnot (?:be )?refut/,
  },
  {
    id: "contradictory-task",
    means: "invalid_specification",
    any: phrases`
      ${TASK} ..
      contradict*|mutually+exclusive|incompatible|inconsistent|is+ambiguous|are+ambiguous,
      ${TASK} ..
      ill-defined|unsatisfiable|impossible+to|exclude+each+other|conflict*+with|in+conflict,
      ${TASK} .. can't|cannot both, ${TASK} .. cannot be @? satisfied|met|fulfilled|true,
      no implementation can|could|would, cannot be satisfied|fulfilled|verified as,
      criteri*|requirement*|specification|task ..
      names+no|leaves+open|undefined|unclear|not+defined,
      criteri*|requirement*|specification|task .. does not say|define|name|specify|state,
      both|they|these|two @? @? cannot hold|be, cannot both hold|be,
      contradict* each|the|itself|requirement*|criteria, front-matter, orch.config.@,
      task|spec|plan|orch* file|config*|definition|md|yaml|yml .. ${BAD},
      unknown task|step|pipeline|gate,
      specification is? invalid|incomplete|missing|wrong|error|conflict,
      circular|cyclic task? depend* between, depends on .. unknown|does+not+exist,
      ${/\b(?:tasks?|specs?|plan)\/[\w./ ]{1,100}\b.{0,200}\b(?:invalid|unknown|allowed|must be|required|missing|unsupported)\b/}`,
    unless: /\bmerge conflict\b|\bconflict \(content\)|\bpeer\b|\bresolutionimpossible\b/,
  },
  {
    id: "strategy-spent",
    means: "strategy_failed",
    any: phrases`
      all|every|each|none of? the|my? @? @? ${WAY} .. ${SPENT},
      approach*|strateg* ..
      exhausted|dead+end|longer+viable|cannot+work|has+failed|have+failed|all+failed,
      no further|other|more|remaining|viable|untried @? ${WAY}|left, no @? ${WAY} @? left|remain*,
      strategy failed, feedback|progress|unrecoverable stall,
      stalled .. identical|no+progress|same|turns, identical feedback,
      no criteria? progress after|in|for|over .. turn*|attempt*|iteration*|session*,
      same|identical error|failure|feedback .. #|three|four|five|six times|turns|attempts,
      exiting loop early, potential|stuck+in+a loop, loop was? detected,
      attempts|replans|iterations|retries exhausted|reached|used .. no+progress|without|same,
      plan is|has? been? exhausted, giving up after .. approach*|strateg*|different`,
  },
  {
    id: "broken-toolchain",
    means: "unresolvable_build_error",
    any: phrases`
      internal compiler error, compiler has|unexpectedly? panicked|crashed,
      submit a full bug report, a compiler? bug in,
      report this bug|error|issue .. compiler|rustc|gcc|clang, debug failure, stack dump,
      clang|clang++ error unable|clang, panic in the? compiler, jvm crash,
      fatal error has been detected by the java,
      ${TOOLCHAIN} version? .. not supported|compatible,
      toolchain .. not installed|found|available,
      ${TOOLCHAIN} version? .. is too+old|unsupported|incompatible|no+longer+supported,
      unsupported|incompatible ${TOOLCHAIN} js? version,
      unsupported|invalid target|source|class release|file, release version # not supported,
      require*|needs ${TOOLCHAIN} version? >=|>|=|==|~|^|#|v#,
      require*|needs a? different|newer|higher .. python|version|compiler|toolchain|node|rust,
      requires python, badengine|ebadengine|unsupportedclassversion*, unsupported engine,
      engine @ is incompatible, go.mod|module requires go, feature edition# is required,
      edition# .. stabilized|required,
      not compatible|supported with|by|on .. version|toolchain|compiler,
      version glibc .. not found, glibc|glibcxx #, exec format error, illegal instruction,
      incompatible header|architecture|abi, wrong elf class, node module version,
      compiled against a different, recompile with, file format not recognized, bad cpu type,
      compatible .net sdk, xcode license, no toolchains found,
      tool use|result .. without|must|corresponding|ids+were+found|block*|concurrency,
      unexpected tool use id, tool call id* did, thinking .. cannot be modified,
      extra inputs are not permitted, thinking.budget|thinking.type|messages.#,
      roles must alternate, invalid signature in thinking, function call turn,
      corrupt* session|transcript|conversation|history, api error 400, 400 bad|{`,
  },
] as const satisfies readonly EndingRow[];
