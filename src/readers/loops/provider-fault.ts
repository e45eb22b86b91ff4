// Which words say that the world failed and not the work, so that a turn counts for nothing?

/** Looked for only where the session itself failed; input is bounded. */
export const PROVIDER_FAULT: readonly RegExp[] = [
  /\b(?:http|status|api error|error code|error)[ :=(]{1,3}(?:429|5\d\d)\b/i,
  /\b(?:429|5\d\d) (?:too many requests|internal server error|bad gateway|service unavailable|gateway timeout|\{|overloaded)/i,
  /\boverloaded(?:_error)?\b|\bat capacity\b|\bno capacity\b/i,
  /\brate[ _-]?limit(?:ed|s|ing)?\b(?!_event)|\btoo many requests\b|\bthrottl(?:ed|ing)/i,
  /\b(?:usage|session|weekly|daily|plan|5-hour|quota)[ _-](?:limit|window)\b|\bhit your limit\b|\bquota exceeded\b/i,
  /\bservice (?:is )?(?:temporarily )?unavailable\b|\binternal server error\b|\bbad gateway\b/i,
  /\b(?:econnreset|econnrefused|etimedout|enotfound|eai_again|epipe)\b|\bsocket hang up\b|\bfetch failed\b/i,
  /\b(?:network|connection) (?:error|reset|refused|closed|lost|timed out)\b|\bapi connection\b/i,
];
