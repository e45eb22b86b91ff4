// The provider says no: the account, the model, a limit, or a conversation that is full.

import { usedUpUntil } from "../../test/support/messages-server.mjs";
import type { Turn } from "../../test/support/messages-server.mjs";
import type { Families } from "./scenario.ts";
import { MEND, STOPS, SUCCEEDS, always, atBothLevels, bash, deferred, done } from "./scenario.ts";
import { forever, givenUp, leaves } from "./scenario.ts";

/** At level 0 the advice in the summary; to a person the first line to paste. */
const advises = (advice: RegExp) =>
  [
    { shows: [advice], blameless: ["agent", "specification"] },
    { shows: [advice, /next orch answer --retry/] },
  ] as const;

/** Longer delays are not waited for. */
const NO_WAIT = 'waitForRateLimitReset: { maxWait: "1s" },';
const SUBSCRIPTION = {
  env: { CLAUDE_CODE_OAUTH_TOKEN: "scripted" },
  without: ["ANTHROPIC_API_KEY"],
};
const usedUp = (afterS: number): Turn => ({
  status: 429,
  type: "rate_limit_error",
  headers: usedUpUntil(Math.floor(Date.now() / 1000) + afterS),
});
const fault = (status: number, type: string, message: string): Turn => ({ status, type, message });

const REFUSED = fault(401, "authentication_error", "invalid x-api-key");
const LOW = fault(
  400,
  "invalid_request_error",
  "Your credit balance is too low to access the API.",
);
const NO_MODEL = fault(404, "not_found_error", "model: claude-sonnet-5");
const OVERLOADED = fault(529, "overloaded_error", "Overloaded");
const FULL = fault(
  400,
  "invalid_request_error",
  "prompt is too long: 250000 tokens > 200000 maximum",
);

const partial = (details: string): string =>
  leaves({
    version: 1,
    status: "partial",
    summary: "A part is done.",
    partial_progress: { stage: "first", details, handoff_path: "NOTES.md" },
  });
const HALF = leaves({ version: 1, status: "partial", summary: "Half." });
/** As many sessions hand over as may, each at another place. */
const MOVES = `n=$(cat n 2>/dev/null || echo 0); n=$((n + 1)); echo $n > n; echo "part $n" > NOTES.md
sed "s/PART/part $n/" <<'END' > "$ORCH_REPORT"
{"version":1,"status":"partial","summary":"PART","partial_progress":{"stage":"PART","details":"PART","handoff_path":"NOTES.md"}}
END`;

const UNLIKE_CONTEXT = { never: /context|used up/, blameless: ["context-pollution"] };

export const ACCOUNTS: Families = {
  account: {
    ...atBothLevels("nobody is signed in", { without: ["ANTHROPIC_API_KEY"] }, [
      /log(?:ged)? in|sign(?:ed)? in/i,
      1,
      ...advises(/sign in|log in|\/login/i),
    ]),
    ...atBothLevels("the key is refused (401)", { model: forever(REFUSED) }, [
      /key/i,
      1,
      ...advises(/sign in|log in|sign-in|another key|valid key/i),
    ]),
    ...atBothLevels("there is no credit", { model: forever(LOW) }, [
      /credit/i,
      1,
      ...advises(/\bpay|add credit|buy credit|top up/i),
    ]),
    ...atBothLevels("there is no model of that name (404)", { model: forever(NO_MODEL) }, [
      /model/i,
      1,
      ...advises(/name (?:a|another) model|`model`|another model/i),
    ]),
    "the key is refused, a person signs in and says retry": [
      { level: 2, model: [REFUSED, ...SUCCEEDS], typed: [["answer", "--retry"], ["resume"]] },
      done(2),
    ],
  },
  provider: {
    "the provider is overloaded (529) for longer than may be waited": [
      { model: forever(OVERLOADED), config: NO_WAIT },
      deferred(/overloaded/i, 2),
    ],
    "a plan's limit resets in a moment, is waited for, and the work is done": [
      { model: [bash("echo begun"), () => usedUp(2), ...SUCCEEDS], ...SUBSCRIPTION },
      done(2),
    ],
    "a plan's limit resets later than may be waited": [
      { model: [bash("echo begun"), () => usedUp(3_600)], config: NO_WAIT, ...SUBSCRIPTION },
      deferred(/limit.*reset/i, 1, { never: /fail/i }),
    ],
    "the network is dead for longer than may be waited": [
      { model: [{ drop: true, repeat: true }], config: NO_WAIT },
      deferred(/network|connect/i, 4),
    ],
  },
  context: {
    "every conversation is full at once": [
      { model: forever(FULL) },
      givenUp(/context/i, 5, { never: /same failure|resume point/, blameless: ["agent"] }),
    ],
    "one conversation is full, and the work is done all the same": [
      { model: [bash("ls"), FULL, ...SUCCEEDS] },
      done(2),
    ],
  },
  handoff: {
    "a part is done and handed over, and the next session does the rest": [
      { model: [bash(`echo one > NOTES.md; ${partial("one")}`), STOPS, ...SUCCEEDS] },
      done(2),
    ],
    "every session hands over the same resume point": [
      { model: always(bash(`date +%N > NOTES.md; ${partial("the same place")}`), STOPS) },
      givenUp(/resume point did not move/, 6, UNLIKE_CONTEXT),
    ],
    "every session hands over at another place, until no handoff is left": [
      { program: MOVES, config: "budget: { handoffs: 2, replans: 0 }," },
      givenUp(/2 handoffs are used up/, 3, { ...UNLIKE_CONTEXT, never: /did not move|context/ }),
    ],
    "half of the work is reported, for ever, without a resume point": [
      { model: always(bash(`${MEND.replace("a + b", "a  - b")}; ${HALF}`), STOPS) },
      givenUp(/partial|unfinished|same failure/i, 5, { never: /context|handoff/ }),
    ],
  },
};
