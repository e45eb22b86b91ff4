// Which words tell that something is not given: a credential, a permission, memory or disk?

import { phrases } from "../match/phrases.ts";
import type { EndingRow } from "./ending-row.ts";

const REFUSED = "http|http/#|status|code|error|returned|e";
const SECRET =
  "api-key*|access-key*|secret-key|token*|credential*|password|passphrase|bearer|license-key";
const VOID = "invalid*|incorrect|missing|expired|revoked|wrong|bad|unknown|malformed|disabled";
const HELD = "session|certificate|signing+key|deploy+key*|ssh+key*|gpg+key";
const GIVEN = "set|found|valid|configured|provided|available|defined";
const DENIED = "blocked|denied|rejected|disallowed|prevented|refused|forbidden";
const GUARD =
  "sandbox|polic*|hook|user|admin*|firewall|proxy|filter*|safety*|permission*|rule|organi*|classifier";

/**
 * After all limits, because limit messages contain sign-in hints. A script without its execute bit
 * comes before permission: it says "permission denied" as well, and the agent can set the bit.
 */
export const ACCESS_ROWS = [
  {
    id: "disk-or-memory",
    means: "resource_exhausted",
    any: phrases`
      no space left on device, enospc|emfile|enfile|oomkilled|memoryerror|sigkill,
      disk|space|storage quota|volume? is? exceeded|full|exhausted,
      volume|file-system is? full|exhausted,
      not enough|insufficient free? disk? space|storage|memory|cpu|nvidia*,
      out-of-memory*|oom-kill*,
      unable+to|cannot|could+not|failed+to|can't allocate .. memory|array|bytes|#, bad alloc,
      heap|memory limit|space .. reached|exceeded|allocation+failed, reached heap limit,
      gc overhead limit, memory exhausted, memory allocation of # bytes failed,
      too many open files, number of file watchers, killed signal terminated, signal 9,
      cannot fork, fork retry? resource temporarily, quota .. exceeded limit,
      vcpu|instance|address|service limit-exceeded, limitexceeded*|exceeded-quota,
      ${/^(?:\S{1,80}: )?(?:line \d+: )?(?:\d+ )?killed(?:$| +\S)/m}`,
    unless: phrases`rate limit exceeded`,
  },
  {
    id: "execute-bit",
    means: "agent_usage_error",
    any: phrases`
      ${/(?:^|[\s:'"])\.{1,2}\/[\w./ ]{1,200}['"]?: (?:line \d+: )?permission denied/m},
      ${/^(?:\w{2,5}: )?(?:line )?(?:\d+: )?(?:gradlew|mvnw|[\w. ]{1,60}\.(?:sh|py|pl|rb))['"]?: permission denied/m},
      ${/\b(?:spawn|exec|execve) \.{1,2}\/[\w./ ]{1,200} eacces/}`,
  },
  {
    id: "credential",
    means: "missing_credential",
    any: phrases`
      no|unauthorized|${VOID} @? @? ${SECRET}|login !of|at|position|is|was,
      ${VOID} username|auth*|signature, ${SECRET}|${HELD} .. ${VOID}|rejected,
      ${SECRET}|${HELD} .. not|never ${GIVEN}|been,
      ${SECRET}|${HELD} .. is|are? required|needed|unset,
      ${SECRET} .. must be set|provided|passed|given,
      ${SECRET} .. could not be refreshed|found|read, please|then|to|run|try /login,
      please|then|run|try @? .. login|sign+in|log+in|signing+in|logging+in,
      run|configure @ auth|sso|configure, not|need+to|must+be|have+to logged|signed|log|sign in,
      need auth|authorization, eneedauth|e401|unauthenticated,
      auth* failed|required|error|is+required|credentials,
      failed|unable to|could+not|cannot authenticate, could not authenticate,
      login failed|required|incorrect, manual authorization, auth* method .. set|required,
      access denied for user, permission denied publickey|password|keyboard*, no such identity,
      host key verification failed, could not read username|password, terminal prompts disabled,
      requires authentication,
      no|unable|cannot|missing|loading|locate|find|load|valid .. credential*, default credentials,
      organization .. disabled,
      account has|is|was? been? disabled|suspended|deactivated|banned|locked,
      saml enforcement|sso, grant your oauth,
      oauth token|app|authentication .. scope*|not+allowed|restrictions|currently,
      scope requirement, missing|required|insufficient oauth? scope*, ${REFUSED} code? 401,
      401 unauthorized|client|{, unauthorized !access|user*|request*|route*|call*,
      invalid-client-token*|invalid-access-key*|unrecognizedclient*|expiredtoken*,
      signaturedoesnotmatch, security token .. invalid|expired,
      not found .. could not read from remote, proxy authentication, no basic auth,
      gpg failed to sign, signing failed, no secret key, support for password authentication,
      provide|supply|enter|need*|require*|without|lack*|passing|set|export .. ${SECRET}
      !count*|limit*, need*|require*|provide|supply @? @? service-account|deploy-key,
      environment variable .. token|secret|password|key, 403 .. invalid|expired token|key,
      ${/\b[a-z]\w{1,40}(?: \w{1,20}){0,2} (?:api ?key|token|secret|password|credentials)\b.{0,60}\b(?:not set|unset|is required|must be set|empty)\b/}`,
    unless:
      /\bsudo:|\binvalid token '|\bunexpected token\b|\bjson\b.{0,20}\btoken\b.{0,20}\bposition/,
  },
  {
    id: "configured-model",
    means: "invalid_specification",
    any: phrases`
      model .. not|no|may+not exist|found|supported|available|longer,
      model .. unknown|deprecated|retired, selected model, model not found`,
    unless: /\bdata model\b|\bmodels\/\w+\.\w+/,
  },
  {
    id: "permission",
    means: "permission_policy",
    any: phrases`
      permission* was|were|is? denied,
      eacces|eperm|erofs|permissionerror|access-denied*|e403|gh006|gh013, operation not permitted,
      read only file-system, access is|was? denied|forbidden, forbidden !word*|pattern*|import*,
      permission error|denied, unauthorizedoperation|authorizationfailed|host+not+allowed,
      protected branch, repository rule violation*, hook|push declined, required status check,
      is|are|not not? authori* to, not allowed|permitted to|by|in|for,
      changes must be made through, have|has @? permission*|privilege*,
      does|do|don't not? have .. permission*|access|right*|authorization|privilege*|required,
      not have access to, insufficient|missing|lacks permission*|privilege*|rights|access,
      must be an|a? admin*|owner|root|superuser|member,
      require|requires root|admin*|superuser|elevated|sudo|human|manual !cause|node,
      usage|content|safety|security|organi*|admin*|company|network|sandbox|egress|approval polic*,
      organi*'s polic*, policy violation|denied|blocked|prevent*|forbid*,
      violate* our|the|its .. polic*, ${DENIED} by .. ${GUARD}, content filter*|policy*,
      safeguard* flagged|blocked, safety .. block*|reject*|flag*,
      unable to respond to this request, can't|cannot help|assist with this|that,
      not|haven't been|yet? granted, granted it yet, requested permission*,
      requires explicit|user? approval, approval policy is never,
      not in|on the? allow-list|list+of+allowed,
      outside .. allowed|permitted|working|workspace|project|scope
      path*|director*|root|scope|workspace,
      sandbox* .. deny|denie*|forbid*|block*|restrict*|prevent*,
      tool .. is disabled|not+permitted|not+allowed, not inside a trusted,
      untrusted folder|directory|workspace, not trusted, password|terminal is required,
      not in the sudoers, are you root, cannot be run|used as|with root, root/sudo,
      ${REFUSED} error? code? 403|451, 403 client|forbidden, self signed certificate,
      unable to get|verify .. issuer|certificate, certificate verif* failed, unknown ca,
      x509 certificate, waf .. block*, public access is? not permitted,
      not available|supported with|on|for|in the|your @?
      plan|region|country|subscription|location, not supported when using,
      ${/\bpermission to \S{1,200} denied\b/}`,
  },
] as const satisfies readonly EndingRow[];
