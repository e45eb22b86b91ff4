// Which words tell of a limit: of money, of speed, of the context, of a plan, of a provider?

import { pattern } from "./pattern.ts";
import type { TextRule } from "./text-rule.ts";

/** Phrases of plan windows with a span in their name; before throttling, because some say "rate limit" too. */
const WINDOW =
  "(?:usage|session|weekly|daily|monthly|hourly|(?:5|five)[- ]?hours?|7[- ]?day|opus|sonnet|plan|message|messages|free[- ]tier|premium requests?)";

/**
 * Policy section 2, level 4, in its order. Money comes first: its messages also say "quota" and "limit".
 * Throttling comes before the context, because "too many tokens, please wait" is a throttle.
 */
export const LIMIT_RULES = [
  {
    id: "quota-of-zero",
    type: "resource_exhausted",
    class: null,
    any: [/\blimit: 0\b/],
    unless: /\btokens? limit: 0\b/,
  },
  {
    id: "quota-for-a-day",
    type: "usage_limit",
    class: null,
    any: [
      /exceeded your current quota.{0,600}perday/,
      /\bquota exceeded\b.{0,200}\bper day\b/,
      /\bexhausted your (?:daily|weekly|monthly) quota/,
      /\breached your (?:daily|weekly|monthly) .{0,40}quota/,
      pattern`
        \b(?:daily|weekly|monthly) (?:usage )?quota (?:has been |was |is )?(?:exceeded|
        exhausted|reached)`,
    ],
    unless: null,
  },
  {
    id: "quota-with-short-delay",
    type: "rate_limit",
    class: null,
    any: [
      /exceeded your current quota.{0,900}(?:please retry in |retrydelay"?: ?"?)\d/,
      /\bquota exceeded\b.{0,200}\b(?:per[ _]?minute|perminute|per second)/,
      /exceeded your current quota.{0,600}perminute/,
    ],
    unless: null,
  },
  {
    id: "billing",
    type: "resource_exhausted",
    class: null,
    any: [
      /insufficient[_ ](?:quota|credits?|balance|funds|user quota)/,
      /credit balance/,
      /\bbilling[_ ](?:hard[_ ]limit|not[_ ]active|error|limit)/,
      /\bpayment[_ ]required\b/,
      /\b(?:http|status|code|error)\W{0,3}(?:code )?402\b|\b402 (?:payment|\{)/,
      /exceeded your current quota/,
      /\bcheck your plan and billing/,
      /\b(?:run |ran |are |is |you're )?out of (?:api )?credits?\b/,
      /\bno (?:more |remaining )?credits? (?:left|remaining|available)/,
      /\b(?:not enough|requires more|lack of|0) credits\b/,
      /\b(?:negative|insufficient|low|zero|no) (?:account )?balance\b/,
      pattern`
        \b(?:spend(?:ing)?|billing|cost)[_ ](?:limit|cap|
        hard[_ ]limit)[_ ](?:\w+ ){0,2}(?:reached|exceeded|hit)`,
      pattern`
        \b(?:reached|hit|exceeded) (?:your|the|its) (?:\w+ ){0,2}(?:spend(?:ing)?|billing|
        cost|budget)(?: limit| cap)?\b`,
      /\b(?:exceeded|exhausted|reached|over|spent) (?:the |your |its )?(?:\w+ ){0,2}budget\b/,
      pattern`
        \bbudget (?:of \S{1,12} )?(?:has been |was |is |limit )?(?:exceeded|exhausted|
        spent|used up|reached)`,
      /\bmax[_ ]budget[_ ]\w{0,6} ?(?:exceeded|reached)|error_max_budget/,
      pattern`
        \bbilling (?:is )?(?:disabled|not enabled|to be enabled|account .{0,60}(?:disabled|
        closed|delinquent))`,
      /\b(?:subscription|trial|licen[cs]e) (?:has |is )?(?:lapsed|ended|unpaid|past due)/,
    ],
    unless: null,
  },
  {
    id: "not-the-usage-limit",
    type: "rate_limit",
    class: null,
    any: [/\bnot your usage limit/, /temporarily limiting requests/],
    unless: null,
  },
  {
    id: "plan-window",
    type: "usage_limit",
    class: null,
    any: [
      new RegExp(
        `\\b${WINDOW}(?: usage)?(?: rate)?[ _-](?:limits?|cap|quota|allowance)[ _](?:\\w+ ){0,2}(?:reached|exceeded|hit|exhausted|used up)`,
      ),
      new RegExp(
        `\\b(?:hit|reached|exceeded?|exceeding|exhausted|used up|used all|over|beyond|out of)\\b.{0,50}\\b${WINDOW}(?: usage)?(?: rate)? (?:limits?|cap|quota|allowance|requests)\\b`,
      ),
      /\busage_limit(?:_reached|_exceeded)?\b/,
      /\b(?:hit|reached) your (?:\w+ ){0,2}(?<!rate )limit\b/,
      /\bhit your limit\b/,
      pattern`
        \bout of (?:extra|included|your|free|fast|premium) (?:\w+ )?(?:usage|requests|
        messages|quota)`,
      /\bextra usage\b.{0,60}\b(?:required|resets?|limit|continue)/,
      /\bexhausted (?:your|the|all) (?:\w+ ){0,3}(?:capacity|quota|allowance|usage)/,
      /\bused (?:up )?(?:all|100%) of your\b/,
      pattern`
        \b(?:your|the|this) (?:\w+ ){0,2}(?:limit|quota|usage|
        allowance) (?:will )?(?:resets?|renews?|refresh(?:es)?)\b`,
      /\blimit reached\|\d{10}/,
      /\blimit (?:reached|exceeded|hit)\b.{0,40}\bresets?\b/,
      /\blimits? will reset\b/,
      /\/rate-limit-options/,
      /\bwait for (?:the |your )?limit to reset/,
      /\bregain access\b/,
      /\b(?:request|it) would exceed your (?:usage|plan|weekly|session)/,
    ],
    unless: null,
  },
  {
    id: "no-capacity",
    type: "overloaded",
    class: null,
    any: [/\bno capacity available\b/, /\bmodel_capacity_exhausted\b/],
    unless: null,
  },
  {
    id: "throttle",
    type: "rate_limit",
    class: null,
    any: [
      /\bthrottl(?:ing|ed)(?:exception|error)\b/,
      pattern`
        \b(?:request|requests|api|you|been|being|calls?) (?:was |were |are |is |being |
        been )?throttled\b`,
      /\brate exceeded\b/,
      /\bslow[_ ]?down\b.{0,60}\b(?:requests?|rate)\b|\bplease slow down\b/,
      /\brequests? too (?:quickly|fast|often|frequently)\b|\breduce your request rate/,
      /\btoo[ _]?many[ _]?(?:concurrent )?requests\b/,
      pattern`
        \brate[ _-]?limit(?:s|ed|ing)?(?:[ _]?error)?[ _](?:is |was |has been |
        have been )?(?:exceeded|reached|hit|error|for |on )`,
      /\brate[_ ]limit[_ ](?:error|exceeded)|\bratelimit(?:ed|exceeded|error)?\b/,
      /\b(?:exceed(?:ed|s|ing)?|hit|over|reached)\b.{0,60}\brate[ -]?limits?\b/,
      /\brate[ -]limited\b/,
      /\bsecondary rate limit|\babuse detection mechanism/,
      pattern`
        \b(?:requests|tokens|input[- ]\w+|images) per (?:min|minute|second|
        hour)\b.{0,80}\b(?:limit|exceed|reached)`,
      /\blimit\b.{0,80}\b(?:requests|tokens) per (?:min|minute|second)\b/,
      pattern`
        \b(?:http(?:/[\d.]{1,3})?|status(?: code)?|code|error|returned|last status:|
        rejected)\W{0,3}429\b`,
      /\b429 (?:too many|client error|resource)|\[429\]/,
      /\btoo many tokens\b.{0,40}\b(?:wait|try again|retry|per)\b/,
      /\bconcurren(?:t|cy) (?:request |connection )?(?:limit|quota)\b/,
      /\bresource (?:has been )?exhausted\b.{0,40}quota|\bresource_?exhausted\b/,
      /\bquota (?:has been )?exceeded\b.{0,60}\b(?:try again|retry|wait)\b/,
      pattern`
        \bplease (?:wait|try again) (?:in |a )?(?:few |\d+ )?(?:moments?|seconds?|
        minutes?) before (?:trying|sending|making)`,
    ],
    unless: /\bdisk quota|\[enospc\]|ripgrep/,
  },
  {
    id: "context-overflow",
    type: "context_exhaustion",
    class: null,
    any: [
      pattern`
        \b(?:prompt|input|conversation|request|messages?|context|transcript) (?:is |was |
        are )?too (?:long|large|big)\b`,
      pattern`
        \bcontext[_ -](?:length|window|limit|size)[_ ](?:\w+ )?(?:exceed|overflow|reached|
        full|exhausted)`,
      /\bexceed(?:s|ed|ing)?\b.{0,50}\bcontext(?:[_ -](?:window|length|limit|size))?\b/,
      /\bcontext ?overflow|\bcontext_?(?:window|length)_?exceeded/,
      /\b(?:input|prompt)?\s?token count\b.{0,60}\bexceeds?\b/,
      /\bmaximum (?:context|prompt) length\b/,
      /\bmaximum number of (?:input )?tokens\b/,
      /\breduce the length of (?:the |your )?(?:messages?|prompt|input|conversation)/,
      /\bgreater than the context length/,
      /\b(?:exceed(?:ed|s)?|over) (?:the )?(?:model(?:'s)? )?(?:token|context) limit/,
      /\btoken limit (?:is |was )?(?:exceeded|reached)/,
      /\btoo large for model\b/,
      /\bout of room in the (?:model's )?context/,
      /\bran out of context|\bcontext (?:window )?(?:is |was )?(?:exhausted|full)\b/,
      /\bcontext exhaustion\b/,
      /\brequest_too_large|\brequest (?:entity )?too large|\bpayload too large/,
      /\b413 (?:status|request|payload|content)|\b(?:error|http|status):? 413\b/,
      /\b(?:image|pdf) (?:was )?too large|\bimage dimensions exceed/,
      /\b4(?:00|13) (?:status code )?\(no body\)/,
      /\binput length and `?max_tokens`? exceed/,
      /\btoo many tokens\b/,
    ],
    unless: pattern`
        (?:argument list|file ?name|line|name|header|url|uri|value|string|
        body of the commit) (?:is )?too (?:long|large)`,
  },
  {
    id: "server-deadline",
    type: "timeout",
    class: null,
    any: [/\b(?:processing |request )?deadline[_ ]?exceeded\b/],
    unless: /\b(?:dial|tcp|client\.timeout|connect|handshake)\b/,
  },
  {
    id: "provider-fault",
    type: "overloaded",
    class: null,
    any: [
      pattern`
        \boverloaded(?:_error|error)?\b(?! (?:function|method|operator|constructor|call|
        member|['"\`(]))`,
      /\bservice[_ ](?:is )?(?:temporarily )?(?:un|not )available/,
      /\binternal[_ ]server[_ ]error\b/,
      /\bbad gateway\b/,
      /\bgateway time-?out\b/,
      pattern`
        \b(?:http(?:/[\d.]{1,3})?|status(?: code)?|error|code|returned)\W{0,3}5(?:00|02|03|
        04|20|21|22|23|24|29)\b`,
      pattern`
        \b5(?:00|02|03|04|20|22|24|29) (?:internal|bad|service|gateway|server|overloaded|
        web server|origin)`,
      /\b(?:is |are |at |over |no |insufficient |lack of |out of )(?:\w+ )?capacity\b/,
      /\b(?:high|heavy|unusual|peak) (?:demand|load|traffic)\b/,
      /\b(?:server[_ ]error|server-side (?:issue|error)|server_is_overloaded|api_error)\b/,
      pattern`
        \b(?:model|server|service|api|backend|provider|registry|upstream) is (?:currently |
        temporarily )?(?:unavailable|overloaded|busy|down)\b`,
      /\btemporarily (?:un|not )available\b/,
      /\bupstream (?:connect error|request timeout|error)/,
      /\ban (?:internal )?error (?:has )?occurred (?:while processing your request|encountered)/,
      /\binternal error (?:encountered|occurred)/,
      /\b"?status"?: ?"?(?:unavailable|internal)\b/,
      /\bscheduled maintenance|\bunder maintenance\b/,
    ],
    unless: /\bresource temporarily unavailable|call of overloaded|no overload|could not get lock/,
  },
] as const satisfies readonly TextRule[];
