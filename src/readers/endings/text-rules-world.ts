// Which words tell of time that ran out, of a lock, of a tool server, or of the network?

import { pattern } from "./pattern.ts";
import type { TextRule } from "./text-rule.ts";

/** The network's own time-outs come first: "connection timed out" is no slow command. */
export const WORLD_RULES = [
  {
    id: "stream-cut",
    type: "network_transient",
    class: null,
    any: [
      /\bstream (?:idle timeout|disconnected|closed|ended|error|interrupted|reset)\b/,
      /\bpartial response\b/,
      /\bsocket (?:connection )?(?:was )?(?:hang up|closed|timeout|hung up)\b/,
      /\bsocket hang up\b/,
      pattern`
        \bconnection (?:was |is |has been )?(?:unexpectedly )?(?:reset|refused|closed|
        broken|aborted|dropped|lost|interrupted|terminated|timed out|error)\b`,
      /\becon(?:nreset|nrefused|naborted)\b|\benotfound\b|\beai_again\b|\betimedout\b/,
      /\behostunreach\b|\benetunreach\b|\bepipe\b/,
      /\berr_(?:socket|network|internet|connection|name_not)\w*|\bund_err_\w+/,
      pattern`
        \b(?:could not|couldn't|cannot|can't|unable to|failed to) (?:resolve|connect|reach|
        establish|fetch|download)\b(?! (?:symbol|import|module|'?\.|reference|dependenc|
        dependency|entry|type|plugin|config|loader|peer|path|the name|extends))`,
      /\btemporary failure in name resolution|\bname or service not known/,
      /\bname resolution\b|\bno such host\b|\bnodename nor servname|\bcould not look ?up\b/,
      /\bdns\b.{0,40}\b(?:fail\w*|error|timeout|lookup)|\bgetaddrinfo\b/,
      /\bnetwork (?:is )?(?:unreachable|error|timeout|failure|down|changed)/,
      /\bno route to host|\bhost is unreachable|\bno internet\b/,
      /\bcheck your (?:internet|network)/,
      /\b(?:tls|ssl) (?:handshake|connection|connect)?\s?(?:timeout|error|failure|failed)\b/,
      /\bunexpected_eof|\bssl_error\w*|\bssl routines\b/,
      /\bi\/o timeout\b/,
      pattern`
        \b(?:connect(?:ion)?|read|socket|dial|handshake|request|client)[- ]?(?:time-?out|
        timed out)(?:error)?\b`,
      /\bnewconnectionerror\b|\bclient\.timeout exceeded/,
      /\bmax retries exceeded with url|\bincompleteread\b|\bchunkedencodingerror\b/,
      /\bremotedisconnected\b|\bread timed out\b|\bprotocolerror\b/,
      /\bfetch failed\b|\bfailed to fetch\b|\bnetworkerror\b|\berror sending request\b/,
      /\berror decoding response body\b|\btransport error\b|\bapi error: terminated\b/,
      /\bapiconnectionerror\b/,
      /\brpc failed\b|\bearly eof\b|\bremote end hung up unexpectedly/,
      /\bunexpected disconnect while reading/,
      /\bcurl ?(?:error)?:? ?\(?(?:6|7|18|28|35|52|55|56|92)\)|\btransfer closed with/,
      /\bhttp\/2 stream\b|\brecv failure\b|\bspurious network error\b/,
      /\b(?:websocket|ws) (?:connection )?(?:closed|error|disconnected)/,
    ],
    unless: /\bmcp\b|\bdocker daemon\b|\block\b.{0,30}\b(?:held|exists)/,
  },
  {
    id: "held-lock",
    type: "tool_transient",
    class: null,
    any: [
      pattern`
        \b(?:could not|cannot|can't|unable to|failed to|couldn't) (?:get|acquire|obtain|
        lock|take|create)\b.{0,120}\block\b`,
      /\.lock'?: file exists|\banother (?:git|\w+) process (?:seems|is|appears)/,
      /\bis another (?:process|instance)\b|\balready (?:locked|running) by\b/,
      /\bheld by (?:another )?process\b|\bis locked by\b/,
      /\bwaiting for (?:cache |file |state )?lock|\bblocking waiting for file lock/,
      /\block (?:is )?(?:already )?held\b|\berror acquiring the state lock/,
      /\bcould not acquire .{0,40}lock/,
      /\bdatabase (?:table )?is locked\b|\bsqlite_busy\b|\bebusy\b|\betxtbsy\b/,
      /\btext file busy\b|\bdevice or resource busy\b|\bresource temporarily unavailable\b/,
      /\beagain\b|\bdeadlock (?:found|detected)\b|\block wait timeout|\bresource busy\b/,
      /\bbeing used by another process\b|\bcannot lock ref\b/,
    ],
    unless: null,
  },
  {
    id: "tool-server",
    type: "tool_transient",
    class: null,
    any: [
      pattern`
        \bmcp\b.{0,120}\b(?:disconnected|not connected|failed|timed out|closed|crashed|
        error|unavailable|exited|unreachable|lost)\b`,
      pattern`
        \b(?:failed to (?:start|connect)|lost connection|cannot connect|
        could not connect)\b.{0,60}\b(?:mcp|language|lsp|tool|browser|debug|
        dev)\s?(?:server|daemon)?\b`,
      pattern`
        \b(?:language server|lsp|tool server|language service|tsserver|daemon|browser|
        watchman|sidecar|kernel|repl)\b.{0,60}\b(?:crashed|disconnected|disappeared|died|
        stopped|exited|hung|terminated|not responding|restarted|restarting|closed)\b`,
      /\btool call failed\b/,
      /\btool (?:execution|use|call) (?:failed|error|timed out|aborted)\b/,
      /\btools\/call after\b|\bpty\b.{0,30}\b(?:failed|closed)/,
      /\b(?:target|page|browser|context) (?:has been )?closed\b/,
      /\bsession (?:was )?(?:closed|deleted|terminated) (?:unexpectedly|by)\b/,
      /\bworker (?:process )?(?:crashed|exited|died|terminated)\b/,
      /\bdaemon disappeared unexpectedly/,
      /\bhash sum mismatch\b|\beintegrity\b|\bchecksum mismatch\b/,
      /\bcorrupt(?:ed)? (?:cache|download|tarball|archive)\b|\bzlib: unexpected end of file/,
    ],
    unless: null,
  },
  {
    id: "time-out",
    type: "timeout",
    class: null,
    any: [
      /\btimed[ -]?out\b|\bcontext deadline exceeded\b|\bdeadline exceeded\b/,
      pattern`
        \bexceed(?:ed|s|ing)? (?:the |its |a |an )?(?:\w+ ){0,3}(?:time-?out|time limit|
        time budget|execution time|run ?time|wall[- ]?(?:clock|time)|duration|deadline|
        heartbeats)\b`,
      /\bexceeded (?:a |the )?(?:limit of )?\d+(?:\.\d+)? ?(?:s|ms|m|min|sec\w*|minutes?|hours?)\b/,
      /\btime-?out (?:of )?\d+(?:\.\d+)? ?\w{0,12} (?:was )?exceeded/,
      /\btime-?out(?:error| expired| exceeded| reached| of \d| after \d)/,
      /\b(?:hit|reached|after) (?:the |a )?(?:\w+ ){0,2}(?:time-?out|time limit)\b/,
      /\b(?:took|takes|taking|ran for) (?:longer|more) than \d|\bmaximum execution time\b/,
      /\btime limit (?:exceeded|reached)\b/,
      pattern`
        \bno (?:progress|output|activity) (?:for|in|within) (?:the last )?\d+ ?(?:s|sec\w*|
        m|min\w*|hours?)\b`,
      /\bdid not (?:finish|complete|respond|return) (?:within|in)\b/,
      pattern`
        \b(?:killed|terminated|cancel+ed|aborted|stopped) after \d+(?:\.\d+)? ?(?:s|sec\w*|
        m|min\w*|h|hours?)\b`,
      /\bdue to time-?out\b|\bmaximum number of heartbeats\b/,
    ],
    unless: null,
  },
] as const satisfies readonly TextRule[];
