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
  "fail*|tried|exhausted|work|works|worked|closes|broke*|break|breaks|dead+end|ruled+out|rejected";
const TOOLCHAIN =
  "node|node.js|python|java|jdk|jvm|go|rust|rustc|gcc|clang|cmake|ruby|php|swift|kotlin|gradle" +
  "|dotnet|.net|lean|ghc|xcode|npm|glibc|toolchain|compiler|sdk";

/** After access, before time-outs: what cannot become true by trying again. */
export const FUTILE_ROWS = [
  {
    id: "refuted",
    means: "mathematically_false",
    any: phrases`
      counter-example*, falsif*, ${CLAIM} .. is|are|was|be|appears @? @?
      false|refuted|untrue|unprovable|inconsistent|disproved, ${CLAIM} .. not true|provable,
      ${CLAIM} .. fails|breaks|violated|does+not+hold|doesn't+hold for|at|when|in|as|already,
      refuted|disproved|disproven|not+a+theorem`,
    unless: /\b(?:no|without|any|zero) counter\W?examples?\b|\bno refut|\bnot (?:be )?refut/,
  },
  {
    id: "contradictory-task",
    means: "invalid_specification",
    any: phrases`
      ${TASK} .. contradict*|mutually+exclusive|incompatible|inconsistent|unsatisfiable|ill-defined,
      ${TASK} .. is+ambiguous|are+ambiguous|impossible+to|exclude+each+other|conflict*+with, ${TASK}
      .. can't|cannot both|be @? both|satisfied|met|fulfilled|true, ${TASK} ..
      undefined|unclear|not+defined|names+no|leaves+open, ${TASK} .. does not
      say|define|name|specify|state, no implementation can|could|would, both|they|these|two @? @?
      cannot hold|be|both, contradict* each|the|itself|requirement*, front-matter, orch.config.@,
      task|spec|plan|orch* file|config*|definition|md|yaml|yml ..
      invalid|unknown|missing|must+be|allowed|unrecognized|malformed|duplicate, specification is?
      invalid|incomplete|missing|wrong|error|conflict`,
    unless: /\bmerge conflict\b|\bconflict \(content\)|\bpeer\b|\bresolutionimpossible\b/,
  },
  {
    id: "strategy-spent",
    means: "strategy_failed",
    any: phrases`
      all|every|each|none of? the|my? @? @? ${WAY} .. ${SPENT}, approach*|strateg* ..
      exhausted|dead+end|longer+viable|cannot+work, no further|other|more|remaining|viable|untried
      @? ${WAY}|left, strategy failed, feedback|progress|unrecoverable stall, no criteria? progress
      after|in|for|over .. turn*|attempt*|iteration*|session*, giving up after ..
      approach*|strateg*|different`,
  },
  {
    id: "broken-toolchain",
    means: "unresolvable_build_error",
    any: phrases`
      internal compiler error, compiler has|unexpectedly? panicked|crashed, report this
      bug|error|issue .. compiler|rustc|gcc|clang, fatal error has been detected by, ${TOOLCHAIN}
      version? .. not supported|compatible|installed|available, ${TOOLCHAIN} version? .. is
      too+old|unsupported|incompatible|no+longer+supported, unsupported|incompatible|invalid
      ${TOOLCHAIN}|target|source|class release|file|version, require*|needs ${TOOLCHAIN} version?
      >=|>|=|==|~|^|#|v#, require*|needs a? different|newer|higher ..
      python|version|compiler|toolchain|node|rust, badengine|ebadengine|unsupportedclassversion*,
      engine @ is incompatible, version glibc .. not found, exec format error, illegal instruction,
      tool use|result .. without|must|corresponding|ids+were+found|concurrency, corrupt*
      session|transcript|conversation|history, api error 400`,
  },
] as const satisfies readonly EndingRow[];
