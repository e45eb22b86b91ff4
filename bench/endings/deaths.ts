// The agent's program dies, is held up by a hook, goes in circles, or never speaks to a model.

import type { Families } from "./scenario.ts";
import { DONE, MEND, REPORTS, STOPS, SUCCEEDS, always, atBothLevels, bash } from "./scenario.ts";
import { asked, blocked, done, each, forever, givenUp, leaves } from "./scenario.ts";

/** In the agent's shell: its parent is Claude Code. */
const kills = (signal: string): string => `kill -${signal} $PPID; exec tail -f /dev/null`;
const dies = (signal: string) => always(bash("ls"), bash(kills(signal)));

const SAME = { never: /same failure|changed nothing|attempts are used up/ };
const NO_AGENT = { ...SAME, blameless: ["agent", "specification"] };

const SAYS = "echo 'No work on Fridays' >&2; exit 2";
const HOOK = /hook.*No work on Fridays/i;
const IN_REPOSITORY = JSON.stringify({
  hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command: SAYS }] }] },
});
/** 300 kB on one line. */
const TALKS = "head -c 300000 /dev/zero | tr '\\0' x";

const LOOKS = forever(bash("cat src/add.js"));
const THINKS = forever({ text: "I am thinking about it." });
const SAME_CALL = /loop|same call/i;
/** Another command in each round. */
const WANDERS = each(({ messages }) => bash(`sed -n ${messages.length}p src/add.js`));

const AT_ONCE = /exit(?:ed)?\b.*1|ended at once|never ran|did not run/i;
const FIVE = "warning: rate limit near; ENOSPC; context window is full; 401; out of memory";
const HEAP = "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory";
const THREE_TURNS = "budget: { turns: 3 },";

export const DEATHS: Families = {
  killed: {
    ...atBothLevels("Claude Code is killed by SIGKILL in every session", { model: dies("KILL") }, [
      /killed \(SIGKILL\)/,
      3,
      NO_AGENT,
    ]),
    ...atBothLevels("Claude Code is ended by SIGTERM in every session", { model: dies("TERM") }, [
      /SIGTERM/,
      3,
      NO_AGENT,
    ]),
    "a command agent is killed by SIGKILL in every session": [
      { program: "echo begins; kill -KILL $$" },
      blocked(/SIGKILL/, 3, NO_AGENT),
    ],
    "a command agent is ended by SIGTERM in every session": [
      { program: "echo begins; kill -TERM $$" },
      blocked(/SIGTERM/, 3, NO_AGENT),
    ],
    "Claude Code is killed once, and then does the work": [
      { model: [bash(kills("KILL")), ...SUCCEEDS] },
      done(2),
    ],
  },
  memory: {
    "a shell around the agent ends with 137, as where the kernel took its memory": [
      { program: "echo begins; exit 137" },
      blocked(/killed|SIGKILL|memory/, 3, NO_AGENT),
    ],
    "Node runs out of heap in every session": [
      { program: `echo '${HEAP}' >&2; kill -ABRT $$` },
      blocked(/memory/i, 3, NO_AGENT),
    ],
  },
  "prompt-hook": {
    ...atBothLevels(
      "a prompt hook of the user's blocks every prompt",
      { model: always(...SUCCEEDS), hooks: { UserPromptSubmit: SAYS } },
      [HOOK, 2, NO_AGENT],
    ),
    "a prompt hook of the repository's blocks every prompt": [
      { model: always(...SUCCEEDS), files: { ".claude/settings.json": IN_REPOSITORY } },
      blocked(HOOK, 2, NO_AGENT),
    ],
    "a prompt hook blocks every prompt with 300 kB of words": [
      { hooks: { UserPromptSubmit: `{ echo 'No work on Fridays'; ${TALKS}; } >&2; exit 2` } },
      blocked(HOOK, 2, NO_AGENT),
    ],
  },
  "tool-hook": atBothLevels(
    "a hook of the user's refuses every call of a tool",
    {
      model: always(bash(MEND), bash("ls"), { text: "I cannot work: every call is refused." }),
      hooks: { PreToolUse: SAYS },
    },
    [HOOK, 3, NO_AGENT],
  ),
  "stop-hook": {
    "a stop hook of the user's talks for ever, and there is no report": [
      { model: always(bash(MEND), { text: "I am finished." }), hooks: { Stop: SAYS } },
      blocked(HOOK, 3, SAME),
    ],
    "a stop hook of the user's talks for ever after a valid report": [
      { model: always(...SUCCEEDS), hooks: { Stop: SAYS } },
      done(1),
    ],
  },
  "long-hook": {
    "a hook prints 300 kB at the start, and the work is done": [
      { model: always(...SUCCEEDS), hooks: { SessionStart: TALKS } },
      done(1),
    ],
    "a hook prints 300 kB after each call, and the work is done": [
      { model: always(...SUCCEEDS), hooks: { PostToolUse: `${TALKS} >&2; exit 2` } },
      done(1),
    ],
  },
  loop: {
    "the same call again and again": [{ model: LOOKS }, givenUp(SAME_CALL, 5, SAME)],
    "the same call again and again (level 2)": [
      { model: LOOKS, level: 2 },
      asked(SAME_CALL, 5, SAME),
    ],
    "the same words again and again, whatever is said": [
      { model: THINKS },
      givenUp(/loop|same message|said the same/i, 5, SAME),
    ],
  },
  refusal: atBothLevels(
    "the model refuses in every session",
    { model: forever({ text: "I cannot help with that.", stopReason: "refusal" }) },
    [/refus/i, 3, { never: /same failure|changed nothing|died/ }],
  ),
  turns: {
    "every session runs out of its turns": [
      { model: WANDERS, config: THREE_TURNS },
      givenUp(/turns/, 5, { never: /same failure|partial/, blameless: ["agent"] }),
    ],
  },
  "no-call": {
    ...atBothLevels("the program exits at once without a word", { program: "exit 1" }, [
      AT_ONCE,
      2,
      NO_AGENT,
    ]),
    "the program exits at once with words of its own": [
      { program: "echo 'agent: cannot read ~/.agentrc' >&2; exit 3" },
      blocked(/cannot read ~\/\.agentrc/, 2, NO_AGENT),
    ],
    "the program names five causes as it dies": [
      { program: `echo '${FIVE}' >&2; exit 1` },
      blocked(/rate limit near/, 2, NO_AGENT),
    ],
    "the program ends well and does nothing": [
      { program: "exit 0" },
      givenUp(/no report|nothing/i, 3, { never: /same failure/ }),
    ],
    "Claude Code's program ends with 1 at once": [
      { env: { ORCH_CLAUDE_BIN: "/bin/false" } },
      blocked(/could not be started|exit(?:ed)?\b.*1/, 2, {
        ...NO_AGENT,
        never: /\(refused\): ·|same failure/,
      }),
    ],
  },
  "after-report": {
    "the agent loops after a valid report": [
      { model: [bash(MEND), REPORTS, { ...bash("cat src/add.js"), repeat: true }] },
      done(2),
    ],
    "Claude Code is killed after a valid report": [
      { model: always(bash(`${MEND}; ${leaves(DONE)}${kills("KILL")}`)) },
      done(1),
    ],
    "a command agent crashes at its exit, after a valid report": [
      { program: `${MEND}; ${leaves(DONE)}kill -SEGV $$` },
      done(1),
    ],
    "the turns run out after a valid report": [
      {
        model: always(bash(MEND), REPORTS, bash("ls"), bash("ls src"), STOPS),
        config: THREE_TURNS,
      },
      done(1),
    ],
    "the provider fails after a valid report": [
      { model: [bash(MEND), REPORTS, { status: 500, repeat: true }] },
      done(1),
    ],
  },
};
