// Which words tell of the network, a lock, a tool server, of time that ran out, of a phase left out?

import { phrases } from "../match/phrases.ts";
import type { EndingRow } from "./ending-row.ts";

const UNABLE = "could+not|couldn't|cannot|can't|unable+to|failed+to";
const CODE_NOUN =
  "symbol|import|module|reference|dependenc*|entry|type|plugin|config|loader|peer|path|workspace";
const CUT =
  "reset|refused|closed|broken|aborted|dropped|lost|interrupted|terminated|timed+out|error";
const SERVER =
  "language+server|language+service|tool+server|dev+server|lsp|tsserver|daemon|browser|kernel|repl|worker";
const DIED =
  "crashed|disconnected|disappeared|died|stopped|exited|hung|terminated|not+responding|restart*|closed";
const LIMIT =
  "time-out|time+limit|time+budget|execution+time|run-time|wall-clock|duration|deadline";
const STEP = "turn*|step*|iteration*|round*";
const REPORT = "result*|report|state|output|summary|handoff|response|answer";

/** The network's own time-outs come first: "connection timed out" is no slow command. */
export const WORLD_ROWS = [
  {
    id: "stream-cut",
    means: "network_transient",
    any: phrases`
      stream idle|disconnected|closed|ended|error|interrupted|reset, unexpected disconnect, socket
      connection? was? hang+up|hung+up|closed|timeout|disconnected, remote end hung up,
      connection|connections was|is|has|to? been|@? unexpectedly? ${CUT}, transfer closed,
      server|host closed|dropped|reset the connection,
      econnreset|econnrefused|econnaborted|enotfound|etimedout|ehostunreach|enetunreach|epipe, eai
      again, err socket|network|internet|connection|name, rpc failed, ${UNABLE}
      resolve|connect|reach|establish|fetch|download|look-up !${CODE_NOUN}, fetch failed, name
      resolution, name or service not known, no such host, getaddrinfo|unknownhost*, dns ..
      fail*|error|timeout|lookup, network is? unreachable|error|timeout|failure|down|changed, no
      route to host, check your internet|network, tls|ssl handshake|connection|connect?
      timeout|error|failure|failed, i/o timeout, connect*|read|socket|dial|handshake|request|client
      time-out*|timed+out, networkerror, max retries exceeded with url, unexpected eof
      !while|looking`,
    unless: /\bmcp\b|\bdocker daemon\b|\block\b.{0,30}\b(?:held|exists)|can't resolve ['"]/,
  },
  {
    id: "held-lock",
    means: "tool_transient",
    any: phrases`
      ${UNABLE} get|acquire|obtain|take|create .. lock, ${UNABLE} lock, .lock file exists, error
      acquiring the @ lock, another @ process|command|instance, already? locked|running|held|used by
      another? process, waiting for|to .. lock, lock is? already? held, database table? is locked,
      deadlock found|detected, ebusy|etxtbsy|eagain, file|resource|device|text busy, resource
      temporarily unavailable`,
  },
  {
    id: "tool-server",
    means: "tool_transient",
    any: phrases`
      mcp .. ${DIED}|not+connected|failed|timed+out|error|unavailable|unreachable|lost,
      failed+to|cannot|could+not|lost start|connect|connection .. mcp|${SERVER}, ${SERVER} ..
      ${DIED}, tool execution|use|call failed|timed+out|aborted, target|page|browser|context has?
      been? closed, corrupt* cache|download|tarball|archive`,
    unless: /\bdocker\b/,
  },
  {
    id: "time-out",
    means: "timeout",
    any: phrases`
      timed-out, deadline-exceeded, exceed* .. ${LIMIT}|heartbeats, hit|reached|after|due+to the|a?
      @? time-out|time+limit, ${LIMIT} .. exceeded|reached|expired, time-out|time-outerror
      of|after|>|#, time-outerror|time-outexpired, took|takes|taking|ran longer|more|for
      than|longer|more #|than|allowed, no progress|output|activity for|in|within the? last? #, did
      not finish|complete|respond|return within|in, killed|terminated|aborted after #`,
  },
] as const satisfies readonly EndingRow[];

/** What the next session does by itself. */
export const UNFINISHED_ROWS = [
  {
    id: "phase-left-out",
    means: "phase_incomplete",
    any: phrases`
      max|maximum .. ${STEP} .. reached|exceeded|hit|limit|exhausted|#, error max turns, stopped
      after # ${STEP}, out of @? @? ${STEP}, turn|turns|step|steps|iteration limit,
      gate*|evaluation|verification .. not|never|skipped yet? run|ran|evaluated|completed|executed,
      evaluation|verification was|were? not|skipped|inconclusive !required, missing phase*,
      ${REPORT} file|json? was|is? not|missing|absent|empty|truncated
      !authori*|allowed|permitted|supported|assignable, ${REPORT} .. not valid|match
      json|schema|the, no final|state|task|structured|valid|result*|output? ${REPORT} file?
      was|were? written|found|produced|created|left|exists, ${REPORT} ..
      validation+failed|failed+validation|schema+mismatch|unparsable|missing+required, phase* # ..
      not|skipped|missing|incomplete|pending|remain*, remaining phase*|steps|work|tasks, # of|/ #
      required? @? phase*|step*|task*|criteria|items,
      session|turn|run|agent|work|response|output|task was|is|has|got|been? ended|stopped|exited
      early|prematurely|before, interrupted by user, request interrupted,
      session|turn|run|agent|work|response|output|task was|is|has|got|been?
      interrupted|truncated|aborted|incomplete|unfinished|cut+off|cut+short,
      ended|exited|finished|stopped|returned|completed without ..
      ${REPORT}|final|completing|writing, not|never|didn't|failed+to yet?
      written|write|leave|left|produce*|return*|create* .. ${REPORT}, max tokens ..
      reached|stop|truncat*|limit, not yet? fully? implemented|finished|complete yet|because`,
    unless: /\b\d+ (?:of|\/) \d+ .{0,40}\b(?:pass|verified)/,
  },
] as const satisfies readonly EndingRow[];
