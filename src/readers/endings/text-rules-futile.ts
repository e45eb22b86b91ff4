// Which words tell that trying again is futile: refuted, contradictory, exhausted, or a broken toolchain?

import { pattern } from "./pattern.ts";
import type { TextRule } from "./text-rule.ts";

/** After access, before time-outs: what cannot become true by trying again. */
export const FUTILE_RULES = [
  {
    id: "refuted",
    type: "mathematically_false",
    class: null,
    any: [
      /\bcounter-?examples?\b/,
      /\bfalsif(?:ied|iable|ying example)\b/,
      pattern`
        \b(?:negation|negated (?:goal|claim|statement|
        conjecture))\b.{0,60}\b(?:is )?(?:satisfiable|sat|holds|proved|provable|true)\b`,
      pattern`
        \b(?:theorem|lemma|statement|claim|proposition|conjecture|goal|identity|inequality|
        property|formula|invariant)\b.{0,80}\b(?:is|are|appears|seems|turns out to be|
        appears to be|was) (?:mathematically |provably |actually |simply |in fact |
        to be )?(?:false|refuted|wrong as stated|not true|untrue|unprovable|inconsistent|
        not provable|disproved)\b`,
      pattern`
        \b(?:theorem|lemma|statement|claim|proposition|conjecture|goal|identity|inequality|
        property|formula)\b.{0,60}\b(?:fails|does not hold|doesn't hold|breaks|
        is violated) (?:for|at|when|in general|as stated|already)\b`,
      pattern`
        \b(?:proved|proves|evaluated|reduced|evaluates|reduces|
        decided)\b.{0,120}\b(?:is false|to false|to \`?(?:bool\.)?false)\b`,
      /\b(?:refuted|disproved|disproven|mathematically false|not a theorem)\b/,
    ],
    unless: pattern`
        \b(?:no|without|found no|any|zero) counter-?examples?\b(?! (?:is|are) needed)|
        \bno refut|\bnot (?:be )?refut`,
  },
  {
    id: "contradictory-task",
    type: "invalid_specification",
    class: null,
    any: [
      pattern`
        \b(?:criteri(?:a|on)|requirements?|specifications?|spec|task|brief|issue|ticket|
        plan|instructions?|acceptance)\b.{0,200}\b(?:contradict\w*|mutually exclusive|
        cannot both|can't both|incompatible|inconsistent|conflict(?:s|ing)? with|
        impossible to (?:satisfy|meet|fulfil)|cannot be (?:satisfied|met|fulfilled|true)|
        are in conflict|are ambiguous|is ambiguous|ill-?defined|unsatisfiable|
        exclude each other)\b`,
      /\bno implementation (?:can|could|would)\b/,
      /\bcannot be (?:satisfied|fulfilled|verified) as (?:written|stated|specified)\b/,
      pattern`
        \b(?:criteri(?:a|on)|requirements?|specification|task)\b.{0,160}\b(?:names no|
        does not (?:say|define|name|specify|state)|leaves open|is (?:missing|undefined|
        unclear|not defined)|refers to .{1,60} that does not exist)\b`,
      /\b(?:both|they|these|two) (?:\w+ ){0,2}cannot (?:both )?(?:hold|be (?:true|met|satisfied))/,
      /\bcannot both (?:hold|be)\b/,
      pattern`
        \bcontradict(?:s|ory|ion)? (?:each other|the (?:specification|spec|requirement|
        acceptance|task|criteria)|itself|requirements?|criteria)\b`,
      /\bfront ?-?matter\b|\borch\.config\.\w{2,4}\b/,
      pattern`
        \b(?:task|spec|plan|orch\w*) ?(?:file|config\w*|definition|\.ya?ml|
        \.md)\b.{0,120}\b(?:invalid|unknown|missing|must be|allowed range|expected|
        unrecognized|not allowed|malformed|does not exist|duplicate|no acceptance)\b`,
      pattern`
        \b(?:task|tasks|spec|specs|plan)/[\w./-]{1,100}\b.{0,200}\b(?:invalid|unknown|
        allowed range|must be|required field|missing|not allowed|unsupported value)\b`,
      /\bspecification (?:is )?(?:invalid|incomplete|missing|wrong|error|conflict)/,
      /\binvalid_specification\b|\bunknown (?:task|step|pipeline|gate)\b/,
      /\b(?:circular|cyclic) (?:task )?depend\w* between tasks/,
      /\bdepends_?on .{0,60}\b(?:unknown|does not exist)/,
    ],
    unless: /\bmerge conflict\b|\bconflict \(content\)|\bpeer\b|\bresolutionimpossible\b/,
  },
  {
    id: "strategy-spent",
    type: "strategy_failed",
    class: null,
    any: [
      pattern`
        \b(?:all|every|each|none) (?:of )?(?:the )?(?:\w+ ){0,3}(?:approach(?:es)?|
        strateg(?:y|ies)|options|alternatives|attempts|tactics|ideas|
        plans)\b.{0,120}\b(?:fail\w*|tried|exhausted|works?|worked|closes?|broke|breaks?|
        dead end|ruled out|rejected|ran out|spent)\b`,
      pattern`
        \b(?:approach(?:es)?|strateg(?:y|ies)) .{0,60}\b(?:exhausted|dead end|
        no longer viable|cannot work|has failed|have failed|all failed)\b`,
      pattern`
        \bno (?:further|other|more|remaining|viable|untried|
        approach(?:es)?) (?:\w+ )?(?:approach(?:es)?|strateg(?:y|ies)|options?|
        alternatives?|ideas?|left|remain\w*)\b`,
      /\bstrategy_failed\b/,
      /\b(?:feedback|progress|unrecoverable)[_ ]?stall\b|\bunrecoverable_stall\b/,
      /\bstalled\b.{0,80}\b(?:identical|no progress|same|turns)|\bidentical feedback\b/,
      pattern`
        \bno (?:criteria )?progress (?:after|in|for|over) (?:the last )?\d+ (?:turns?|
        attempts?|iterations?|sessions?)`,
      pattern`
        \b(?:same|identical) (?:error|failure|feedback)\b.{0,60}\b(?:\d+|three|four|five|
        six) (?:times|turns|attempts|iterations)`,
      /\bexiting loop early\b|\bpotential loop\b|\bloop (?:was )?detected\b/,
      /\bstuck in a loop\b/,
      pattern`
        \b(?:max(?:imum)?|all) (?:number of )?(?:attempts|replans|iterations|
        retries) (?:exhausted|reached|used)\b.{0,80}\b(?:no progress|without|same)\b`,
      /\bplan (?:is |has been )?exhausted\b/,
      /\bgiving up after\b.{0,60}\b(?:approach|strateg|different)/,
    ],
    unless: null,
  },
  {
    id: "broken-toolchain",
    type: "unresolvable_build_error",
    class: null,
    any: [
      /\binternal compiler error\b|\bcompiler unexpectedly panicked\b/,
      /\bplease submit a full bug report\b|\bcompiler (?:has )?crashed\b/,
      /\bthis is a (?:compiler )?bug in|\bdebug failure\b|\bicebreaker\b|\bstack dump:/,
      /\bplease report this (?:bug|error|issue)\b.{0,80}\b(?:compiler|rustc|gcc|clang)/,
      /\bclang(?:\+\+)?: error: (?:unable to execute|clang frontend command failed)/,
      /\bpanic!? in (?:the )?compiler|\bjvm crash/,
      /\ba fatal error has been detected by the java runtime/,
      /\brustc [\w.]{1,20}(?:-\w+)? is not supported\b/,
      pattern`
        \brequires? (?:rustc|rust|python|node(?:\.js)?|go|java|jdk|jvm|gcc|clang|cmake|
        glibc|npm|ruby|php|swift|kotlin|gradle|dotnet|\.net|lean|ghc|
        xcode)(?: version)?:? ?['"(]?(?:>=|>|==|=|~|\^|v)? ?\d`,
      /\brequires a different python\b|\brequires python\b/,
      /\bebadengine\b|\bunsupported engine\b|\bengine "?\w+"? is incompatible\b/,
      /\bunsupported class file (?:major )?version\b|\bunsupportedclassversionerror\b/,
      /\binvalid (?:target|source) release\b|\brelease version \d+ not supported\b/,
      pattern`
        \bunsupported (?:node(?:\.js)?|python|java|rust|go|gcc|compiler|toolchain|ruby|php|
        gradle) ?(?:js )?version\b`,
      pattern`
        \b(?:node(?:\.js)?|python|java|go|rust|gcc|toolchain|compiler|ruby|php|swift|
        gradle|sdk)(?: version)? (?:v?[\d.]{1,12} )?is (?:too old|not supported|
        unsupported|no longer supported|incompatible)\b`,
      /\bgo\.mod requires go\b|\bmodule requires go\b/,
      /\bfeature `?edition\d{4}`? is required\b/,
      /\bedition\d{4}\b.{0,60}\b(?:not stabilized|required)/,
      pattern`
        \bis not (?:compatible|supported) (?:with|by|on) (?:this|your|the current|node|
        python|java|rustc|the installed)(?: \w+)? ?(?:version|toolchain|compiler)?`,
      pattern`
        \bpackages? .{0,60}\brequires? a (?:newer|different|
        higher) (?:version of )?(?:compiler|toolchain|python|node|rust|sdk)`,
      /\bversion [`']?glibc\w*_[\d.]+[`']? not found|\bglibcxx_\d|\bglibc_\d/,
      /\bexec format error\b|\billegal instruction\b/,
      /\bincompatible (?:header|architecture|abi)\b|\bwrong elf class\b/,
      /\bnode_module_version\b|\bwas compiled against a different\b/,
      /\brelocation r_\w+ .{0,100}recompile with|\bfile format not recognized\b/,
      /\bbad cpu type\b|\b(?:compatible )?\.?net sdk (?:was )?not found\b/,
      /\bcompatible \.net sdk\b/,
      /\btoolchain '?[\w.:/-]{1,80}'? (?:is )?not (?:installed|found|available)\b/,
      /\bxcode license\b|\bno toolchains? found\b/,
      /\bunable to (?:load|instantiate) (?:the )?(?:native|toolchain)/,
      pattern`
        \b(?:tool_use|tool_result|server_tool_use|thinking|
        tool_use_id)\b.{0,120}\b(?:unexpected|without|must|cannot be modified|missing|
        corresponding|ids? were found|blocks?)\b`,
      /\bunexpected `?tool_use_id\b|\btool use concurrency issues\b/,
      /\btool_call_ids? did not have response|\bextra inputs are not permitted\b/,
      /\bthinking\.budget_tokens\b|\bthinking\.type\b|\bmessages\.\d+\b/,
      /\broles must alternate\b|\binvalid signature in thinking\b|\bfunction call turn\b/,
      /\bcorrupt(?:ed)? (?:session|transcript|conversation|history)\b|\bapi error: 400\b/,
      /\b400 (?:bad request|\{"type":"error")/,
    ],
    unless: null,
  },
] as const satisfies readonly TextRule[];
