// Which words tell of the network, a lock, a tool server, of time that ran out, of a phase left out?

import { phrases } from "../match/phrases.ts";
import type { EndingRow } from "./ending-row.ts";

const UNABLE = "could+not|couldn't|cannot|can't|unable+to|failed+to";
const CODE_NOUN =
  "symbol|import|module|reference|dependenc*|entry|type|plugin|config|loader|peer|path|the+name" +
  "|extends|workspace";
const CUT =
  "reset|refused|closed|broken|aborted|dropped|lost|interrupted|terminated|timed+out|error";
const SERVER =
  "language+server|language+service|tool+server|dev+server|lsp|tsserver|daemon|browser|watchman" +
  "|sidecar|kernel|repl|worker";
const DIED =
  "crashed|disconnected|disappeared|died|stopped|exited|hung|terminated|not+responding|restarted" +
  "|restarting|closed";
const LIMIT =
  "time-out|time+limit|time+budget|execution+time|runtime|run+time|wall-clock|duration|deadline";
const STEP = "turn*|step*|iteration*|round*";
const REPORT = "result*|report|state|output|summary|handoff|handover|response|answer";

/** The network's own time-outs come first: "connection timed out" is no slow command. */
export const WORLD_ROWS = [
  {
    id: "stream-cut",
    means: "network_transient",
    any: phrases`
      stream idle|disconnected|closed|ended|error|interrupted|reset, partial response,
      socket connection? was? hang+up|hung+up|closed|timeout|disconnected,
      connection|connections was|is|has|to? been|@? unexpectedly? ${CUT},
      server|host closed|dropped|reset the connection, closed by remote host,
      econnreset|econnrefused|econnaborted|enotfound|etimedout|ehostunreach|enetunreach|epipe,
      eai again, err socket|network|internet|connection|name, und err, unknown-host*,
      ${UNABLE} resolve|connect|reach|establish|fetch|download !${CODE_NOUN}, name resolution,
      could+not|failed+to look-up, name or service not known, no such host, nodename nor servname,
      dns .. fail*|error|timeout|lookup, getaddrinfo,
      network is? unreachable|error|timeout|failure|down|changed, no route to host,
      host is unreachable, no|poor internet, check your internet|network,
      tls|ssl handshake|connection|connect? timeout|error|failure|failed,
      unexpected eof !while|looking, ssl error|routines, i/o timeout,
      connect*|read|socket|dial|handshake|request|client time-out*|timed+out,
      newconnectionerror|connectionerror|apiconnectionerror|remotedisconnected|incompleteread,
      chunkedencodingerror|protocolerror|networkerror, client.timeout exceeded,
      max retries exceeded with url, fetch failed, failed to fetch, error sending request,
      error decoding response body, transport error, api error terminated, rpc failed, early eof,
      remote end hung up, unexpected disconnect, curl error? 6|7|18|28|35|52|55|56|92,
      transfer closed, http/2 stream, recv failure, spurious network,
      websocket|ws connection? closed|error|disconnected`,
    unless: /\bmcp\b|\bdocker daemon\b|\block\b.{0,30}\b(?:held|exists)|can't resolve ['"]/,
  },
  {
    id: "held-lock",
    means: "tool_transient",
    any: phrases`
      ${UNABLE} get|acquire|obtain|take|create .. lock, ${UNABLE} lock, .lock file exists,
      another @ process|command|instance, is another process|instance, already? locked|running by,
      held by another? process, is locked by, waiting for|to .. lock, lock is? already? held,
      error acquiring the state lock, database table? is locked, sqlite busy,
      ebusy|etxtbsy|eagain, file|resource|device|text busy, resource temporarily unavailable,
      deadlock found|detected, lock wait timeout, used by another process`,
  },
  {
    id: "tool-server",
    means: "tool_transient",
    any: phrases`
      mcp .. ${DIED}|not+connected|failed|timed+out|error|unavailable|unreachable|lost,
      failed+to|cannot|could+not|lost start|connect|connection .. mcp|${SERVER},
      ${SERVER} .. ${DIED}, tool execution|use|call failed|timed+out|aborted,
      tool execution|call error, tools/call after, pty .. failed|closed,
      target|page|browser|context has? been? closed,
      session was? closed|deleted|terminated unexpectedly|by, hash sum mismatch, eintegrity,
      checksum|integrity mismatch|failed, corrupt* cache|download|tarball|archive,
      zlib unexpected end`,
    unless: /\bdocker\b/,
  },
  {
    id: "time-out",
    means: "timeout",
    any: phrases`
      timed-out, deadline exceeded, exceed* .. ${LIMIT}|heartbeats,
      hit|reached|after|due+to the|a? @? time-out|time+limit,
      time-out|time-outerror expired|exceeded|reached|of|after|>|#, time-out .. exceeded,
      time-outerror|time-outexpired, time|wall-clock limit .. exceeded|reached,
      took|takes|taking|ran longer|more|for than|longer|more #|than|allowed,
      maximum execution time, maximum number of heartbeats, deterministic timeout,
      no progress|output|activity for|in|within the? last? #,
      did not finish|complete|respond|return within|in,
      ${/\bexceed\w* (?:a |the )?(?:limit of )?\d+(?:\.\d+)? ?(?:s|ms|m|min|sec\w*|minutes?|hours?)\b/},
      ${/\b(?:killed|terminated|cancell?ed|aborted|stopped) after \d+(?:\.\d+)? ?(?:s|sec\w*|m|min\w*|h|hours?)\b/}`,
  },
] as const satisfies readonly EndingRow[];

/** What the next session does by itself. */
export const UNFINISHED_ROWS = [
  {
    id: "phase-left-out",
    means: "phase_incomplete",
    any: phrases`
      max|maximum|error+max .. ${STEP} .. reached|exceeded|hit|limit|exhausted|#,
      reached|hit|exceeded|exhausted .. max*|turn|step|iteration|recursion @? ${STEP}|limit,
      error max turns, stopped after # ${STEP}, out of @? @? ${STEP},
      turn|turns|step|steps|iteration limit, exhausted @? turns, fatalturnlimit*,
      gate* .. not|never yet? run|ran|evaluated|completed|executed|started|reached,
      gate* were|was|have? skipped|unevaluated,
      evaluation|verification was? not|skipped|inconclusive !required,
      ${REPORT} file|json? was|is? not found|written|created|produced,
      ${REPORT} file? is|was? missing|absent|empty|truncated, ${REPORT} file .. does not exist,
      no final|state|task|structured|valid|result*|output? ${REPORT} file? was|were?
      written|found|produced|created|left|exists, no ${REPORT} file,
      ${REPORT} ..
      validation+failed|failed+validation|schema+mismatch|unparsable|missing+required,
      ${REPORT} .. not valid|match json|schema|the, ${REPORT} .. could not be parsed,
      missing required field*|key|property|section .. report|state|result|status,
      structured output .. retries|missing|never|invalid|failed, missing phase*,
      phase* # .. not|skipped|missing|incomplete|pending|outstanding|remain*,
      # of|/ # required? @? phase*|step*|task*|criteria|items|stages|checklist|invocations,
      remaining phase*|steps|work|tasks, step* were|was? skipped|omitted|left+out,
      session|turn|run|agent|work|response|output|task was|is|has|got|been?
      interrupted|truncated|aborted|incomplete|unfinished|cut+off|cut+short,
      session|turn|run|agent|work|task ended|stopped|exited|prematurely early|prematurely|before,
      ended|exited|finished|stopped|returned|completed without ..
      ${REPORT}|final|completing|writing|finishing,
      not|never|didn't|failed+to yet?
      written|write|wrote|leave|left|produce*|return*|deliver|create* .. ${REPORT},
      interrupted by user, request interrupted, max tokens .. reached|stop|truncat*|limit,
      reason|at max tokens, partial progress|result|work|completion|implementation,
      status partial, to be continued,
      not yet? fully? implemented|finished|complete|completed yet|because|due|within|in`,
    unless: /\b\d+ (?:of|\/) \d+ .{0,40}\b(?:pass|verified)/,
  },
] as const satisfies readonly EndingRow[];
