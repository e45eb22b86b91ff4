// Which words tell that something is not given: a credential, a permission, memory or disk?

import { phrases } from "../match/phrases.ts";
import type { EndingRow } from "./ending-row.ts";

const REFUSED = "http|http/#|status|code|error|returned|e";
const SECRET =
  "api-key*|access-key*|secret-key|token*|credential*|password|passphrase|bearer|license-key";
const VOID = "invalid*|incorrect|missing|expired|revoked|wrong|bad|unknown|malformed|disabled";
const HELD = "session|certificate|signing+key|deploy+key*|ssh+key*|gpg+key";
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
      disk|space|volume|storage quota|file-system? is? exceeded|full|exhausted, not
      enough|insufficient free? disk? space|storage|memory|cpu, out-of-memory*|oom-kill*,
      unable+to|cannot|could+not|failed+to|can't allocate .. memory|array|bytes|#, heap|memory
      limit|space? .. reached|exceeded|exhausted|allocation+failed, too many open files, killed
      signal terminated, quota .. exceeded limit,
      ${/^(?:\S{1,80}: )?(?:line \d+: )?(?:\d+ )?killed(?:$| +\S)/m}`,
    unless: phrases`rate|token|tokens limit`,
  },
  {
    id: "execute-bit",
    means: "agent_usage_error",
    any: /(?:^|[\s:'"])(?:\.{1,2}\/[\w./ ]{1,200}|gradlew|mvnw|[\w. ]{1,60}\.(?:sh|py|pl|rb))['"]?(?:: (?:line \d+: )?permission denied| eacces)/m,
  },
  {
    id: "credential",
    means: "missing_credential",
    any: phrases`
      no|unauthorized|${VOID} @? @? ${SECRET}|login !of|at|position|is|was, ${VOID}
      username|auth*|signature, ${SECRET}|${HELD} .. ${VOID}|rejected, ${SECRET}|${HELD} ..
      not|never set|found|valid|configured|provided|available|defined|been, ${SECRET}|${HELD} ..
      is|are|must? required|needed|unset|be+set|be+provided, please|then|to|run|try @? ..
      login|sign+in|log+in|logging+in, not|need+to|must+be|have+to logged|signed|log|sign in,
      unauthenticated|eneedauth|e401, auth* failed|required|error|is+required|credentials|method,
      need auth|authorization, failed|unable to|could+not|cannot authenticate, requires
      authentication, access denied for user, permission denied publickey|password|keyboard*, host
      key verification failed, saml enforcement|sso, could not read username|password,
      no|unable|cannot|locate|find|load|valid .. credential*, organization .. disabled, account
      has|is|was? been? disabled|suspended|deactivated|banned|locked, missing|required|insufficient
      oauth? token? scope*, ${REFUSED} code? 401, 401 unauthorized|client|{, unauthorized
      !access|user*|request*|route*|call*,
      provide|supply|enter|need*|require*|without|lack*|passing|set|export .. ${SECRET}
      !count*|limit*, environment variable .. token|secret|password|key,
      ${/\b[a-z]\w{1,40}(?: \w{1,20}){0,2} (?:api ?key|token|secret|password|credentials)\b.{0,60}\b(?:not set|unset|is required|must be set|empty)\b/}`,
    unless:
      /\bsudo:|\binvalid token '|\bunexpected token\b|\bjson\b.{0,20}\btoken\b.{0,20}\bposition/,
  },
  {
    id: "configured-model",
    means: "invalid_specification",
    any: phrases`
      model .. not|no|may+not exist|found|supported|available|longer, selected model`,
    unless: /\bdata model\b|\bmodels\/\w+\.\w+/,
  },
  {
    id: "permission",
    means: "permission_policy",
    any: phrases`
      permission|access error|was|were|is? denied|forbidden, eacces|eperm|erofs|access-denied*|e403,
      permissionerror|gh006|gh013|unauthorizedoperation|host+not+allowed, operation not permitted,
      read only file-system, forbidden !word*|pattern*|import*, protected branch, hook|push
      declined, is|are|not not? authori* to, not allowed|permitted to|by|in|for, does|do|don't not?
      have .. permission*|access|right*|authorization|privilege*|required,
      insufficient|missing|lacks permission*|privilege*|rights|access, not in the sudoers,
      password|terminal is required, require|requires
      root|admin*|superuser|elevated|sudo|human|manual !cause|node,
      usage|content|safety|security|organi*|admin*|company|network|sandbox|egress|approval polic*,
      policy violation|denied|blocked|prevent*|forbid*, ${DENIED} by .. ${GUARD}, content
      filter*|policy*, safety .. block*|reject*|flag*, can't|cannot help|assist with this|that,
      not|haven't been|yet? granted, requires user? approval, not in|on the? allow-list, sandbox* ..
      deny|denie*|forbid*|block*|restrict*|prevent*, outside ..
      allowed|permitted|working|workspace|project path*|director*|root|scope|workspace, tool .. is
      disabled|not+permitted|not+allowed, ${REFUSED} error? code? 403|451, self signed certificate,
      unable to get|verify .. issuer|certificate, certificate verif* failed, not available|supported
      on|for|in the|your @? plan|region|country|subscription|location,
      ${/\bpermission to \S{1,200} denied\b/}`,
  },
] as const satisfies readonly EndingRow[];
