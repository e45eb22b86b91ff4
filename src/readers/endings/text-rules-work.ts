// Which words tell about the work itself: a phase left out, a tool called wrongly, a defect?

import { linePattern, pattern } from "./pattern.ts";
import type { TextRule } from "./text-rule.ts";

/** After the world: what the next session does by itself. */
export const UNFINISHED_RULES = [
  {
    id: "phase-left-out",
    type: "phase_incomplete",
    class: null,
    any: [
      pattern`
        \bmax(?:imum)?[_ -]?(?:number of )?(?:session[_ -]|sdk[_ -]|agent[_ -]|tool[_ -]|
        model[_ -])?(?:turns?|steps?|iterations?|rounds?|
        turn_requests)\b.{0,40}\b(?:reached|exceeded|hit|limit|exhausted|\d)`,
      pattern`
        \b(?:reached|hit|exceeded|exhausted)\b.{0,30}\b(?:max(?:imum)?|turn|step|iteration|
        recursion)\b.{0,20}\b(?:turns?|steps?|iterations?|rounds?|limit)\b`,
      /\berror_max_turns\b|\bstopped after \d+ (?:turns?|steps?|iterations?|rounds?)\b/,
      /\b(?:ran|run|running) out of (?:\w+ ){0,2}(?:turns?|steps?|iterations?)\b/,
      /\b(?:turn|step|iteration)s? limit\b|\bexhausted (?:\w+ )?turns\b|\bfatalturnlimited/,
      pattern`
        \b(?:quality )?gates?\b.{0,60}\b(?:not (?:yet )?(?:run|evaluated|completed|
        executed|started|reached)|were skipped|never ran|unevaluated)\b`,
      /\bevaluation was not completed\b/,
      /\bverification (?:was )?(?:not (?:run|performed|completed)|skipped|inconclusive)\b/,
      pattern`
        \b(?:results?|report|state|output|summary|handoff|handover|status)(?: file| json|
        \.json)?\b.{0,20}\b(?:not found|missing|absent|was not (?:written|created|produced|
        found)|not (?:written|produced|created)|does not exist|is empty|truncated)\b`,
      pattern`
        \bno (?:final |state |task |structured |valid )?(?:report|result file|results file|
        state file|output file|summary|handoff)\b.{0,40}\b(?:written|found|produced|
        created|left|was|exists|file)\b`,
      pattern`
        \b(?:report|state|result|output|response)\b.{0,40}\b(?:validation failed|
        failed (?:schema )?validation|does not match (?:the )?schema|is not valid json|
        invalid json|schema mismatch|could not be parsed|unparsable|missing required)\b`,
      pattern`
        \bmissing required (?:field|key|property|section)s?\b.{0,40}\b(?:report|state|
        result|requirements_met|status)\b`,
      /\bstructured output\b.{0,60}\b(?:retries|missing|never|invalid|failed)/,
      /\bmissing phases?\b/,
      pattern`
        \bphases? (?:\d+(?:\.\d+)?(?:,| and| to|-| )?){1,4}.{0,40}\b(?:not (?:run|started|
        reached|completed|executed)|skipped|missing|incomplete|remain\w*|pending|
        outstanding)\b`,
      pattern`
        \b\d+ (?:of|/) \d+ (?:required )?(?:phases?|steps?|tasks?|agent invocations|
        criteria|items|stages|checklist)\b(?!.{0,40}\b(?:pass|verified)\b)`,
      /\bremaining (?:phases?|steps|work|tasks)\b/,
      /\bsteps? (?:were |was )?(?:skipped|left out|omitted)\b/,
      pattern`
        \b(?:session|turn|run|agent|work|response|output|implementation|task) (?:was |
        has been |is |ended |got |stopped )?(?:interrupted|cut (?:off|short)|truncated|
        aborted|incomplete|unfinished|not finished|ended early|prematurely|before (?:it|
        the|reaching|completing|finishing))\b`,
      pattern`
        \b(?:ended|exited|finished|stopped|returned|
        completed) without (?:\w+ ){0,3}\S{0,80}(?:result|report|final|output|completing|
        state|answer|summary|handoff)`,
      pattern`
        \b(?:did not|didn't|has not|have not|never|failed to) (?:yet )?(?:written|write|
        wrote|leave|left|produce|produced|return|returned|deliver|create) (?:an?|the|its|
        any|their) (?:\w+ ){0,2}\S{0,80}(?:state|report|result|summary|handoff|output)\b`,
      /\binterrupted by user\b|\brequest interrupted\b/,
      /\bmax[_ ]tokens\b.{0,40}\b(?:reached|stop|truncat|limit)/,
      /\bstop_reason"?: ?"?max_tokens/,
      /\bpartial (?:progress|result|work|completion|implementation)\b|"status": ?"partial"/,
      /\bto be continued\b/,
      pattern`
        \bnot (?:yet )?(?:fully )?(?:implemented|finished|complete(?:d)?) (?:yet|because|
        due|within|in this)\b`,
    ],
    unless: null,
  },
] as const satisfies readonly TextRule[];

/** Last of all: a tool called wrongly, then anything that looks like an ordinary error. */
export const OWN_RULES = [
  {
    id: "failed-test",
    type: "code_defect",
    class: null,
    any: [
      /^traceback \(most recent call last\)|\bassertionerror\b|\bpanicked at\b/m,
      /\buncaught (?:\w+ )?(?:error|exception)|^(?:e {1,4})?assert /m,
      /^\S{1,200}[:(]\d+(?:[:,]\d+)?\)?:? .{0,60}\berror\b/m,
      /\berror(?:\[e\d+\]| ts(?![56]\d{3}:|18003)\d+| cs\d+| c\d{4}| fs\d+)|\bsyntaxerror\b/,
      /\btypeerror\b|\breferenceerror\b|\bnameerror\b|\bkeyerror\b|\bvalueerror\b/,
      /\battributeerror\b|\bindexerror\b|\bindentationerror\b|\brecursionerror\b/,
      /\brangeerror\b|\bzerodivisionerror\b|\bnullpointerexception\b/,
    ],
    unless: null,
  },
  {
    id: "wrong-call",
    type: "agent_usage_error",
    class: null,
    any: [
      /^fatal: /m,
      linePattern`
        ^error: (?:pathspec|cannot pull|cannot rebase|your local changes|
        failed to push some refs|src refspec|the following untracked|
        you have not concluded|the branch|branch|cannot delete|could not apply|
        commit is not possible|merging is not possible|pulling is not possible|remote|
        no such remote|switch|object|patch failed|corrupt patch|no merge base)`,
      /\bpathspec\b|\bno upstream branch\b|\bunstaged changes\b|\buncommitted changes\b/,
      /\bupdates were rejected\b|\bnon-fast-forward\b|\bmerge conflict\b/,
      /\bnothing to commit\b|\bnot a git repository\b|\bnot something we can merge\b/,
      /\bno stash entries\b|\bdetached head\b|\bplease tell me who you are\b/,
      /\bnothing added to commit\b|\bplease commit your changes\b/,
      /\bgit: '.{1,40}' is not a git command/,
      /\bmissing script\b|\bno rule to make target\b|\bno targets specified\b/,
      /\bno makefile found\b/,
      pattern`
        \bcould not find [\`'"]?[\w./-]{0,80}\.(?:toml|json|ya?ml|lock|xml|gradle|mod|cfg|
        ini|txt|md)\b`,
      /\bor any (?:of the )?parent director/,
      pattern`
        \bunknown (?:compiler )?(?:option|command|flag|argument|switch|subcommand|revision|
        shorthand flag|target|parameter|syntax|tool|function|action|operation|directive|
        arguments?)\b`,
      /\bunrecogni[sz]ed (?:option|argument|arguments|command|subcommand|flag)\b/,
      pattern`
        \binvalid (?:option|argument|choice|flag|command|subcommand|usage|value for|
        reference|operation|syntax|parameter|number of arguments|input)\b`,
      /\billegal option\b/,
      pattern`
        \b(?:unexpected|too many|too few|missing|wrong number of|the following|
        conflicting) (?:required |positional )?arguments?\b`,
      /\brequires an? (?:argument|value|parameter)\b/,
      /\bmissing (?:required )?(?:argument|option|operand|parameter|file operand|destination)s?\b/,
      pattern`
        \bno such (?:command|option|subcommand|task|target|script|tool|service|container|
        image|remote|recipe|profile)\b`,
      pattern`
        \b(?:task|recipe|target|project|workspace|goal|command|subcommand|service|
        script) ['"\`]?[\w:.@/-]{1,80}['"\`]? (?:was )?(?:not found|not defined|
        does not exist|not known)\b`,
      /\bcommand ".{1,60}" (?:is not defined|not found)\b|\bunknown lifecycle phase\b/,
      /\bdid you mean\b|\bsee ['"`].{1,40}--help|\bmost similar command\b|^usage: /m,
      /\btry ['"`]?[\w-]{1,40} --help|\bfor more information,? try\b/,
      /\bis not a (?:\w+ )?(?:command|task|file|directory|valid)\b/,
      /\bno tests? (?:found|ran|were|matched|files? found)|\bno test files found\b/,
      /\bnot an? (?:recognized|supported) (?:command|option)|\btask not found\b/,
      /\bnot find a task\b/,
      /\bno such file or directory\b|\bthe system cannot find the (?:file|path)\b/,
      /\benoent\b/,
      /\bcould not (?:open|read|find) (?:file|input|the file|a? ?package\.json|buildspec|config)\b/,
      pattern`
        \bcannot (?:open|stat|access|cd|find the (?:file|path)|remove|create (?:directory|
        regular file)|overwrite|copy|move)\b`,
      /\bcan't (?:open|cd|read|find (?:file|the))\b/,
      pattern`
        \b(?:file|directory|path|input file|config file) (?:\S{1,200} )?(?:not found|
        does not exist|already exists)\b`,
      /\bfile exists\b|\balready exists\b|\bis a directory\b|\bnot a directory\b/,
      /\benotdir\b|\beisdir\b|\beexist\b|\bdirectory not empty\b|\bfilenotfounderror\b/,
      /\bno such directory\b/,
      /\bno such tool\b|\btool ['"`]?[\w.-]{1,80}['"`]? (?:not found|does not exist)\b/,
      /\binputvalidationerror\b|\bstring to replace not found\b|\bold_string\b/,
      /\b(?:file has not been read yet|has been modified since read)\b/,
      /\bmust be (?:called|used|run|invoked) (?:with|from|in|inside|before)\b/,
      /\bsyntax error near unexpected token\b|\bunexpected end of file\b/,
      /\bunexpected eof while looking\b|\bunbound variable\b|\bbad substitution\b/,
      /\bambiguous redirect\b|\bargument list too long\b|\bnot found in file\b/,
      /\bmissing required parameters?\b|\bparameter .{1,60}\bis required\b/,
      /\btool_use_error\b|\b(?:hunk|patch) (?:#?\d+ )?(?:failed|does not apply)\b/,
      /\bfailed to find expected lines\b|\baddress already in use\b|\beaddrinuse\b/,
      /\bport \d+ is (?:already )?(?:in use|allocated|occupied)\b/,
      /\bbind for .{1,60} failed\b|\bdubious ownership\b/,
    ],
    unless: null,
  },
  {
    id: "ordinary-error",
    type: "code_defect",
    class: null,
    any: [
      linePattern`
        ^(?:\S{1,200}: )?(?:fatal )?error\b(?!(?: ?[:=]? ?0\b| (?:handling|messages?|
        codes?|paths?|pages?|tables?|boundar\w+|banners?|types?|class(?:es)?|cases?)\b))`,
      /\b\w{1,60}(?:error|exception)(?:: |\b \()/,
      pattern`
        \b(?:build|compilation|compile|tests?|lint|type ?check|check|gate|job|task|command|
        step|assertion|validation|migration|coverage|link|make)\w{0,3} (?:\w+ )?(?:failed|
        failing|failure|errors?)\b`,
      pattern`
        \bfailed to (?:compile|build|parse|render|load|start|run|elaborate|synthesize|
        unify|typecheck|transform|link|execute|evaluate)\b`,
      /\bacceptance criteria\b.{0,40}\b(?:not|un)\s?(?:all )?(?:met|verified|satisfied)/,
      /\bnot all (?:acceptance )?criteria\b|\bcriteria not (?:met|verified)\b|\bnot met\b/,
      pattern`
        \b[1-9]\d* (?:errors?|failures?|failing|failed|problems?|violations?|
        vulnerabilit(?:y|ies)|issues? found)\b`,
      /\b(?:failed|fails) with\b|\bexit(?:ed)?(?: with)?(?: code| status)?:? [1-9]\d{0,2}\b/,
      /\bdoes not (?:compile|build|pass|match|typecheck|type check)\b/,
      /\bstill fail(?:s|ing)?\b/,
      /\b(?:tests?|specs?|checks?) (?:still )?(?:fail|are failing|did not pass|do not pass)\b/,
      /\bcoverage\b.{0,60}\b(?:below|threshold|does not meet)\b/,
      /\bregression\b.{0,40}\b(?:found|detected|in)\b/,
      pattern`
        \bunknown (?:identifier|constant|tactic|variable|type|symbol|attribute|field|
        universe|namespace|name)\b`,
      /\bunsolved goals?\b|\btype mismatch\b|\bapplication type mismatch\b/,
      /\bundefined (?:reference|symbol|variable|method|name|local)\b/,
      /\bundeclared (?:identifier|variable|name)\b/,
      /\bcannot find (?:symbol|name|value|type|function|macro|module ['"`][./])/,
      /\bmismatched types\b/,
      pattern`
        \bexpected .{1,80}\b(?:but )?(?:got|found|received|actual|to (?:be|equal|have|
        contain|match))\b`,
      /\bcannot (?:infer|unify|convert|assign|borrow|apply|use|read propert|import name)/,
      pattern`
        \bis not (?:a function|defined|assignable|iterable|callable|a member|declared|
        exported|provable)\b`,
      /\bhas no (?:member|attribute|method|field|property|exported)\b/,
      /\bnot found in this scope\b|\bsegmentation fault\b|\bcore dumped\b/,
      /\babort(?:ed)?\b(?:$| \()|\bstack overflow\b|\btactic .{1,60} failed\b/m,
      /\bdeclaration uses '?sorry\b|\bno overload matches\b|\bsyntax error\b/,
      /\bparse error\b|\bunexpected (?:token|indent|identifier|character|symbol)\b/,
      /\bthe term .{1,80} has type\b|\bunable to unify\b|\bnot in scope\b/,
      /\bcouldn't match\b|\bambiguous\b.{0,40}\b(?:reference|call|name|overload|type)\b/,
      /\bduplicate (?:definition|identifier|declaration|key|symbol)\b|\bredefinition of\b/,
      /\brequired type\b|\bstack trace\b|\bnull pointer\b|\bgoroutine \d+\b|\bpanic: /,
    ],
    unless: null,
  },
] as const satisfies readonly TextRule[];
