// Which words tell of a limit: of money, of speed, of the context, of a plan, of a provider?

import { phrases } from "../match/phrases.ts";
import type { EndingRow } from "./ending-row.ts";

const STATUS = "http|http/#|status|code|error|returned|rejected";
const SPENT = "reached|exceeded|hit|exhausted|spent|used+up";
const WINDOW = "usage|session|daily|weekly|monthly|hour*|day|opus|sonnet|plan|free-tier|premium";
const CAP = "limit|limits|cap|quota|allowance|requests";
const FAULTS = "500|502|503|504|520|521|522|523|524|529";
const PROVIDER = "model|server|service|api|backend|provider|registry|upstream";

const QUOTA = phrases`exceeded your? current quota, quota exceeded`;

/**
 * Policy section 2, level 4, in its order. Money comes first: its messages also say "quota" and "limit".
 * Throttling comes before the context, because "too many tokens, please wait" is a throttle.
 */
export const LIMIT_ROWS = [
  {
    id: "quota-of-zero",
    means: "resource_exhausted",
    any: phrases`limit 0`,
    unless: phrases`token|tokens limit 0`,
  },
  {
    id: "quota-for-a-day",
    means: "usage_limit",
    any: QUOTA,
    where: /per\W?day/,
  },
  {
    id: "quota-with-short-delay",
    means: "rate_limit",
    any: QUOTA,
    where: /per\W?(?:minute|second)|retry in \d|retrydelay/,
  },
  {
    id: "billing",
    means: "resource_exhausted",
    any: phrases`
      insufficient user? quota|credit*|balance|funds, exceeded your? current quota,
      credit|negative|zero|low|no account? balance, ${STATUS} code? 402, 402 payment|{,
      payment required, check your plan|billing,
      out+of|no|0|enough|lack+of|requires api|more|remaining? credit|credits,
      billing is? disabled|error|limit|hard+limit|not+active|not+enabled|to+be+enabled,
      billing account .. disabled|closed|delinquent, spend*|cost limit|cap .. ${SPENT},
      ${SPENT}|over|exceeds your|the|its|usd @? spend*|billing|cost|budget, budget .. ${SPENT},
      subscription|trial|license|licence has|is? lapsed|ended|unpaid|past+due`,
    unless: phrases`time|error|token|performance|latency|size|turn budget`,
  },
  {
    id: "not-the-usage-limit",
    means: "rate_limit",
    any: phrases`not your usage limit, temporarily limiting requests`,
  },
  {
    id: "plan-window",
    means: "usage_limit",
    any: phrases`
      ${WINDOW} usage|message|request? ${CAP} .. ${SPENT}|resets|renews,
      ${SPENT}|exceed*|over|out+of .. ${WINDOW} usage|message|request? rate? ${CAP},
      message|messages limit|cap|quota .. ${SPENT},
      usage-limit-reached|usage-limit-exceeded|usage-not-included, hit|reached your @? limit,
      out of extra|included|your|free|fast|premium @? usage|requests|messages|quota,
      extra usage .. required|reset*|limit|continue,
      exhausted your|the|all|this .. capacity|usage|${CAP}, used up? all|100% of your,
      your|the|this @? limit|quota|usage|allowance will? reset*|renew*|refresh*,
      limit|limits reached|exceeded|hit .. reset|resets, limit|limits will reset, limit reached #,
      /rate limit options, wait for the|your? limit to reset, regain access`,
    unless: phrases`
      time|token|tokens|context|memory limit, rate limit .. before|reached+for|exceeded+for`,
  },
  {
    id: "no-capacity",
    means: "overloaded",
    any: phrases`no capacity available, capacity exhausted`,
  },
  {
    id: "throttle",
    means: "rate_limit",
    any: phrases`
      throttling*|throttlederror|throttledexception !is|was,
      request*|api|you|been|being|call*|was|were|is|are throttled, rate exceeded,
      slow-down .. request*|rate, please slow down,
      request* being? sent? too quickly|fast|often|frequently, reduce your request rate,
      request rate is too high,
      too-many-requests|too-many-connections|too-many-concurrent|toomanyrequests*,
      rate-limit|rate-limits already|was|is|has|have? been? ${SPENT}|error|for|on,
      rate-limited|ratelimit*|rate-limiting-error,
      exceed*|hit|over|reached .. rate-limit|rate-limits, abuse detection,
      request*|token*|image*|input* per min|minute|second|hour .. limit|exceed*|reached,
      limit .. requests|tokens per min|minute|second, ${STATUS} status|code? 429,
      429 too|client|resource|{, [429], too many tokens .. wait|try|retry|per,
      concurrent|concurrency request|connection? limit|quota,
      resource-exhausted*|resource+has+been+exhausted,
      quota has? been? exceeded .. try|retry|wait,
      please wait|try .. before trying|sending|making`,
    unless: /\bdisk quota|\benospc\b|ripgrep/,
  },
  {
    id: "context-overflow",
    means: "context_exhaustion",
    any: phrases`
      prompt|input|conversation|request|message*|context|transcript|image|pdf is|was|are? too
      long|large|big,
      context length|window|limit|size is|was|@? exceed*|overflow*|reached|full|exhausted,
      exceed*|greater+than|out+of|over .. context !deadline, ran out of context,
      context-overflow*|context-window-exceeded*|context-length-exceeded*|request-too-large,
      token|tokens count? .. exceed|exceeds max*|limit|the|model, token count .. exceed*,
      maximum context|prompt length, maximum number of input? tokens, reduce the length of,
      over|exceed* the? model|model's? token limit, token limit is|was? exceeded|reached,
      too large for model, out of room in, context is? exhausted|full|exhaustion,
      request|payload|entity too-large, 413 status|request|payload|content|entity,
      error|http|status 413, image dimensions exceed, 400|413 status? code? no+body,
      input length and max tokens exceed, too many tokens`,
    unless: phrases`
      argument+list|file+name|line|name|header|url|uri|value|string|commit is? too long|large`,
  },
  {
    id: "server-deadline",
    means: "timeout",
    any: phrases`deadline-exceeded`,
    unless: phrases`dial|tcp|client.timeout|connect|handshake`,
  },
  {
    id: "provider-fault",
    means: "overloaded",
    any: phrases`
      overloaded|overloadederror !function|method|operator|constructor|call|member,
      service is? temporarily? unavailable*|not+available, serviceunavailable*,
      internal server error, bad gateway, gateway time-out, ${STATUS} code? ${FAULTS},
      ${FAULTS} internal|bad|service|gateway|server|overloaded|web|origin|upstream,
      is|are|at|over|no|insufficient|lack+of|out+of @? capacity,
      high|heavy|unusual|peak demand|load|traffic, server side? error|issue !in,
      server had an error, type api error,
      ${PROVIDER} is currently|temporarily? unavailable|overloaded|busy|down,
      temporarily unavailable|not+available, upstream connect|request|error,
      error has? occurred .. processing+your+request,
      internal error has? been? occurred|encountered, status unavailable|internal,
      scheduled|under maintenance`,
    unless: /\bresource temporarily unavailable|call of overloaded|no overload|could not get lock/,
  },
] as const satisfies readonly EndingRow[];
