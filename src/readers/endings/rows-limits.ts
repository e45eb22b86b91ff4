// Which words tell of a limit: of money, of speed, of the context, of a plan, of a provider?

import { phrases } from "../match/phrases.ts";
import type { EndingRow } from "./ending-row.ts";

const STATUS = "http|http/#|status|code|error|returned|rejected";
const SPENT = "reached|exceeded|hit|exhausted|spent|used+up";
const WINDOW = "usage|session|daily|weekly|monthly|hour*|day|opus|sonnet|plan|free-tier|premium";
const CAP = "limit|limits|cap|quota|allowance|requests";

const QUOTA = phrases`exceeded your? current quota, quota exceeded`;

/**
 * Policy section 2, level 4, in its order. Money comes first: its messages also say "quota" and "limit".
 * Throttling comes before the context, because "too many tokens, please wait" is a throttle.
 */
export const LIMIT_ROWS = [
  {
    id: "quota-for-a-day",
    means: "usage_limit",
    any: QUOTA,
    unless: phrases`limit 0`,
    where: /per\W?day/,
  },
  {
    id: "quota-with-short-delay",
    means: "rate_limit",
    any: QUOTA,
    unless: phrases`limit 0`,
    where: /per\W?(?:minute|second)|retry in \d|retrydelay/,
  },
  {
    id: "billing",
    means: "resource_exhausted",
    any: phrases`
      insufficient user? quota|credit*|balance|funds, exceeded your? current quota,
      credit|negative|zero|low|no account? balance, payment required, ${STATUS} code? 402,
      out+of|no|0|enough|requires api|more|remaining? credit|credits, check your plan|billing, limit
      0, ${SPENT}|over|exceeds your|the|its|usd @? spend*|billing|cost|budget, spend*|cost|budget
      limit|cap? .. ${SPENT}`,
    unless: phrases`time|error|token|performance|latency|size|turn budget`,
  },
  {
    id: "plan-window",
    means: "usage_limit",
    any: phrases`
      ${WINDOW} usage|message|request? ${CAP} .. ${SPENT}|resets|renews,
      ${SPENT}|exceed*|over|out+of .. ${WINDOW} usage|message|request? rate? ${CAP},
      usage-limit-reached|usage-limit-exceeded, message|messages limit|cap|quota .. ${SPENT},
      hit|reached your @? limit, out of extra|your|free|premium @? usage|requests|messages,
      exhausted|used+up your|the|all|this .. capacity|usage|${CAP}, your|the|this @? ${CAP} will?
      reset*|renew*|refresh*, limit|limits reached|exceeded|hit .. reset|resets, /rate limit options`,
    unless: phrases`
      time|token|tokens|context|memory limit, rate limit .. before|exceeded+for, not your usage
      limit`,
  },
  {
    id: "throttle",
    means: "rate_limit",
    any: phrases`
      throttling*|throttled*|rate+exceeded !is|was, slow-down .. request*|rate, request* being?
      sent? too quickly|fast|often|frequently,
      too-many-requests|too-many-connections|too-many-concurrent|toomanyrequests*,
      rate-limit|rate-limits already|was|is|has|have? been? ${SPENT}|error|for|on,
      rate-limited|ratelimit*|temporarily+limiting, exceed*|hit|over|reached .. rate-limit*,
      request*|token*|input* per min|minute|second|hour .. limit|exceed*|reached, limit ..
      requests|tokens per min|minute|second, ${STATUS} status|code? 429, 429 too|client, too many
      tokens .. wait|try|retry|per, resource-exhausted*|resource+has+been+exhausted, quota has?
      been? exceeded .. try|retry|wait`,
    unless: /\bdisk quota|\benospc\b|\bno capacity\b/,
  },
  {
    id: "context-overflow",
    means: "context_exhaustion",
    any: phrases`
      prompt|input|conversation|request|payload|message*|context|transcript|image|pdf is|was|are?
      too long|large|big, context length|window|limit|size is|was|@?
      exceed*|overflow*|reached|full|exhausted, exceed*|greater+than|out+of|over .. context
      !deadline, context is? exhausted|full|exhaustion,
      context-overflow*|context-window-exceeded*|context-length-exceeded*|request-too-large,
      token|tokens count? .. exceed|exceeds max*|limit|the|model, maximum context|prompt length,
      over|exceed* the? model|model's? token limit, too many tokens, 413
      status|request|payload|content|entity`,
    unless: phrases`argument+list|file|line|name|header|url|uri|value|string is? too long|large`,
  },
  {
    id: "provider-fault",
    means: "overloaded",
    any: phrases`
      overloaded|overloadederror !function|method|operator|constructor|call|member,
      service|server|api|model|backend|upstream is? currently|temporarily? unavailable*|busy|down,
      temporarily unavailable|not+available, internal server error, bad gateway, gateway time-out,
      ${STATUS} code? 500|502|503|504|520|522|524|529, 500|502|503|504|520|522|524|529
      internal|bad|service|gateway|server|web|origin|upstream,
      is|are|at|over|no|insufficient|lack+of|out+of @? capacity, high|heavy|unusual|peak
      demand|load|traffic, server side? error|issue !in, server had an error, error has? occurred ..
      processing+your+request`,
    unless: /\bresource temporarily unavailable|call of overloaded|could not get lock/,
  },
] as const satisfies readonly EndingRow[];
