// Which words tell that something is not given: a credential, a permission, memory or disk?

import { linePattern, pattern } from "./pattern.ts";
import type { TextRule } from "./text-rule.ts";

/**
 * After all limits, because limit messages contain sign-in hints. A script without its execute bit comes before
 * permission: it says "permission denied" as well, and the agent can set the bit.
 */
export const ACCESS_RULES = [
  {
    id: "disk-or-memory",
    type: "resource_exhausted",
    class: null,
    any: [
      /\bno space left on device\b|\benospc\b|\bdisk quota exceeded\b/,
      /\bnot enough (?:free )?(?:disk )?space\b/,
      /\b(?:disk|volume|filesystem|file system|storage) (?:is )?(?:full|exhausted)\b/,
      /\binsufficient (?:disk )?space\b|\binsufficient storage\b/,
      /\b(?:heap|gc|java|cuda|gpu|system|container|process|worker|runner)?\W{0,2}out of memory\b/,
      /\boutofmemory(?:error|exception)?\b|\boom[- ]?killed\b|\boom-kill/,
      pattern`
        \b(?:cannot|could not|unable to|failed to) allocate (?:\d+ (?:bytes|
        \w?ib) (?:of )?)?(?:memory|shared memory|\d)`,
      /\bstd::bad_alloc\b|^memoryerror\b|\bmemoryerror(?:$|:| )/m,
      /\breached heap limit|\bgc overhead limit exceeded/,
      /\bmemory limit (?:exceeded|reached)/,
      /\bmemory (?:exhausted|allocation of \d+ bytes failed)/,
      /\btoo many open files\b|\bemfile\b|\benfile\b/,
      /\bsystem limit for number of file watchers/,
      /^(?:\S{1,80}: )?(?:line \d+: )?(?:\d+ )?killed(?:$| +\S)/m,
      /\bkilled signal terminated program\b|\bsignal: 9\b|\bsigkill\b|\bcannot fork\b/,
      /\bfork: (?:retry: )?resource temporarily unavailable/,
      /\bquota '?[\w ]{1,60}'? exceeded\. limit/,
      /\b(?:vcpu|instance|address|service)\s?limit ?exceeded/,
      /\blimitexceeded(?:exception)?\b|\bexceededquota\b|\bexceeded quota: /,
      /\binsufficient (?:cpu|memory|nvidia)/,
    ],
    unless: null,
  },
  {
    id: "execute-bit",
    type: "agent_usage_error",
    class: null,
    any: [
      /(?:^|[\s:'"])(?:\.{1,2}\/)[\w./-]{1,200}['"]?: (?:line \d+: )?permission denied/,
      linePattern`
        ^(?:(?:bash|sh|zsh|dash|fish|env): (?:line )?(?:\d+: )?)?(?:gradlew|mvnw|
        [\w-]{1,60}\.(?:sh|py|pl|rb|bash))['"]?: permission denied`,
      /\b(?:spawn|exec|execve)\b.{0,5}\.{1,2}\/[\w./-]{1,200} eacces/,
    ],
    unless: null,
  },
  {
    id: "credential",
    type: "missing_credential",
    class: null,
    any: [
      pattern`
        \b(?:invalid|incorrect|missing|no|expired|revoked|wrong|bad|unknown|malformed|
        disabled|unauthorized)[_ ](?:\w+ ){0,2}(?:api[_ -]?keys?|access[_ ]keys?|tokens?|
        credentials?|auth(?:entication|orization)?(?: token| method| header)?|password|
        login|bearer)\b(?! (?:of|at|in json|in line|are (?:refreshed|handled|rejected|
        accepted|renewed)|\W))`,
      pattern`
        \b(?:api[_ -]?key|(?:access|auth|oauth|refresh|bearer|session|security|
        id) ?tokens?|credentials?|(?:deploy|ssh|signing|gpg) keys?|(?:(?:oauth|sso) )?session|sign-in|login|
        certificate)\b.{0,60}\b(?:invalid|expired|revoked|missing|required|not (?:set|
        found|valid|configured|provided|available)|rejected|could not be (?:refreshed|
        found|read))\b`,
      /\b(?:please|try|then) (?:run )?['"`]?(?:\/login|\w+ (?:auth )?login|\w+ login)/,
      pattern`
        \brun ['"\`]?(?:/login|(?:gh|gcloud|az|aws|codex|claude|npm|docker|vercel|heroku|
        firebase|fly|railway|supabase) (?:auth |sso |configure |
        application-default )?(?:login|configure|auth))`,
      /\bnot (?:logged|signed) in\b|\b(?:need|must|have) to (?:log|sign) in\b/,
      /\bneed(?:s)? (?:auth|authorization)\b|\bneed auth\b|\beneedauth\b|\be401\b/,
      /\bfailed to authenticate\b/,
      /\bauthentication (?:failed|required|error|is required|token|credentials)\b/,
      /\bauthentication_(?:error|failed)\b|\bcould not authenticate\b|\bunauthenticated\b/,
      /\blogin (?:failed|required|incorrect)\b|\bmanual authorization is required\b/,
      /\bplease set an auth method\b/,
      /\bauth(?:entication)? method\b.{0,40}\b(?:set|required)/,
      /\bpassword authentication failed\b|\baccess denied for user\b/,
      /\bpermission denied \(\w*(?:publickey|password|keyboard)|\bno such identity\b/,
      /\bhost key verification failed/,
      /\bcould not read (?:username|password)\b|\bterminal prompts disabled\b/,
      /\bbad credentials\b|\brequires authentication\b/,
      /\bsupport for password authentication was removed/,
      pattern`
        \b(?:unable to (?:locate|load|find|get)|could not (?:find|load|locate)|no valid|
        cannot find|missing|loading)\b.{0,30}\bcredentials?\b`,
      /\bcredentials? .{0,20}(?:expired|invalid)/,
      /\b(?:default|application default) credentials\b/,
      /\borganization has been disabled\b|\bdisabled organization\b/,
      /\baccount (?:has been |is |was )?(?:disabled|suspended|deactivated|banned|locked)\b/,
      /\baccount_deactivated\b/,
      /\bsaml (?:enforcement|sso)\b|\bgrant your oauth token\b/,
      pattern`
        \boauth (?:token|app|authentication) .{0,60}\b(?:scope|not allowed|restrictions|
        currently)\b`,
      /\bscope requirement\b|\b(?:missing|required|insufficient) (?:oauth )?scopes?\b/,
      /\bhttp error 401\b|\b401 (?:unauthorized|client error|\{)/,
      /\b(?:http(?:\/[\d.]{1,3})?|status(?: code)?|code|error|returned)\W{0,3}401\b/,
      /\bunauthorized\b(?! (?:access|users?|requests?|routes?|calls?) (?:is|are|get|see))/,
      pattern`
        \b[a-z][a-z0-9_]{1,40}(?:_api_?key|_token|_secret(?:_key)?|_password|
        _credentials)\b.{0,60}\b(?:not set|unset|missing|is required|required|not (?:found|
        defined|provided|configured)|must be set|empty)\b`,
      pattern`
        \b(?:set|export|provide|define|missing|
        need)\b.{0,40}\b[a-z][a-z0-9_]{1,40}(?:_api_?key|_token|_secret(?:_key)?|
        _password)\b`,
      pattern`
        \b(?:provide|supply|enter|set|need|needs|requires?|without|lacks?|
        passing) (?:(?:an?|your|the|valid|some) )?(?:\w+ ){0,2}(?:api[ _-]?key|
        access token|password|passphrase|credentials?|secret key|service account|
        deploy key|oauth token)\b`,
      /\bapi[_ -]?key\b.{0,60}\bmust be (?:set|provided|passed|given)\b/,
      /\bunrecognizedclient(?:exception)?\b|\bexpiredtoken(?:exception)?\b/,
      /\binvalidclienttokenid\b|\bsignaturedoesnotmatch\b|\binvalidaccesskeyid\b/,
      /\bsecurity token included in the request is (?:invalid|expired)/,
      /\brepository .{0,200}not found\b.{0,200}\bcould not read from remote/,
      /\bproxy authentication required\b|\bno basic auth credentials\b/,
      /\bgpg failed to sign\b|\bno secret key\b|\bmissing bearer\b/,
      /\berror: 401\b|\b403 .{0,40}(?:invalid|expired) (?:token|key)\b/,
    ],
    unless: /\binvalid token '|\bunexpected token\b|\bjson\b.{0,20}\btoken\b.{0,20}\bposition/,
  },
  {
    id: "configured-model",
    type: "invalid_specification",
    class: null,
    any: [
      pattern`
        \bmodel\b.{0,80}\b(?:does not exist|not found|is not supported|unknown|
        is not available|was not found|no longer available|has been (?:deprecated|
        retired))\b`,
      /\bmodel_not_found\b|\bselected model\b/,
    ],
    unless: /\bdata model\b|\bmodels\/\w+\.\w+/,
  },
  {
    id: "permission",
    type: "permission_policy",
    class: null,
    any: [
      /\bpermission(?:s)? (?:to \S{1,200} )?(?:was |were |is )?denied\b|\beacces\b/,
      /\beperm\b|\boperation not permitted\b|\bread-only file ?system\b|\berofs\b/,
      /\bpermissionerror\b/,
      /\baccess (?:is |was )?(?:denied|forbidden)\b|\baccessdenied(?:exception)?\b/,
      /\bforbidden\b(?! (?:words?|patterns?|imports?))|\bpermission_(?:error|denied)\b/,
      /\bunauthorizedoperation\b|\bauthorizationfailed\b/,
      /\bprotected branch\b|\bgh0(?:06|13)\b|\brepository rule violations?\b/,
      /\bpre-receive hook declined\b|\bpush declined\b|\brequired status check/,
      /\bnot allowed to push\b|\bchanges must be made through a pull request/,
      /\b(?:is |are )?not authori[sz]ed to\b/,
      /\bdoes not have (?:\S{1,40} )?(?:permissions?|access|authorization|the required)\b/,
      /\b(?:don't|do not) have (?:the )?(?:permissions?|access|rights?|authorization)\b/,
      /\binsufficient (?:permissions?|privileges|rights|access)\b|\bnot have access to\b/,
      /\bmust be (?:an? )?(?:admin|owner|root|superuser|member)\b/,
      pattern`
        \brequires? (?:root|admin\w*|superuser|elevated|sudo|human|manual) ?(?:access|
        privileges|rights|approval|permissions?|permission)?\b`,
      pattern`
        \b(?:usage|content|safety|security|organi[sz]ation(?:'s|al)?|admin(?:istrator)?|
        company|network|sandbox|egress|approval) polic(?:y|ies)\b`,
      /\bpolicy (?:violation|denied|blocked|prevents?|forbids?)\b/,
      /\bviolates? (?:our|the|its)\b.{0,40}\bpolic/,
      pattern`
        \b(?:blocked|denied|rejected|disallowed|prevented|refused|forbidden) by (?:the |
        your |an? |our )?(?:\w+ ){0,3}(?:sandbox|polic(?:y|ies)|hook|user|admin\w*|
        firewall|proxy|content filter\w*|safety\w*|permission\w*|allow-?list|rule|
        organi[sz]ation|classifier|seccomp|selinux|apparmor)\b`,
      /\bcontent[_ ](?:filter|policy)\w*|\bsafeguards? (?:flagged|blocked)/,
      /\bsafety (?:system|filter|settings)\b.{0,40}\b(?:block|reject|flag)/,
      /\bunable to respond to this request\b/,
      /\bi can(?:not|'t) (?:help|assist) with (?:that|this)/,
      /\b(?:haven't|has not|have not|not) (?:been )?granted\b|\brequested permissions? to\b/,
      /\brequires (?:explicit )?(?:user )?approval\b|\bapproval policy is never\b/,
      /\bnot allowed (?:by|in|to|for)\b|\bhost_not_allowed\b/,
      /\bnot (?:in|on) the (?:allow-?list|list of allowed)/,
      pattern`
        \boutside (?:of )?(?:the )?(?:allowed|permitted|working|workspace|
        project) (?:paths?|director(?:y|ies)|root|scope|workspace)\b`,
      /\bsandbox(?:ed)? .{0,40}\b(?:denied|denies|forbid\w*|block\w*|restrict\w*|prevent\w*)/,
      /\btool .{0,60}\bis (?:disabled|not permitted|not allowed)\b/,
      /\bnot inside a trusted directory\b|\buntrusted (?:folder|directory|workspace)/,
      /\bnot trusted\b/,
      /\b(?:sudo: |a )(?:password is required|terminal is required)|\bnot in the sudoers\b/,
      /\bare you root\b|\bcannot be (?:run|used) (?:as|with) root\b/,
      /\broot\/sudo privileges\b/,
      pattern`
        \b(?:http error|status(?: code)?|code|error|returned error:?|
        http(?:/[\d.]{1,3})?)\W{0,3}(?:403|451)\b`,
      /\b403 client error\b|\be403\b/,
      /\bself[- ]signed certificate/,
      /\bunable to (?:get|verify) (?:local issuer|the first) certificate/,
      /\bcertificate[_ ]verif(?:y|ication)[_ ]failed|\bunknown ca\b|\bx509: certificate/,
      /\bwaf\b.{0,30}block|\bpublic ?access ?(?:is )?not permitted\b/,
      pattern`
        \bnot available (?:with|on|for|in) (?:the|your) (?:\w+ )?(?:plan|region|country|
        subscription|location)\b`,
      /\bnot supported (?:when using|in your (?:country|region))/,
    ],
    unless: null,
  },
] as const satisfies readonly TextRule[];
