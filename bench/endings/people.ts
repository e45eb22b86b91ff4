// What is put to a person, in which words, and what their answer costs.

import type { Families, Model } from "./scenario.ts";
import { DONE, MEND, STOPS, SUCCEEDS, always, asked, bash, call, done, each } from "./scenario.ts";
import { leaves, until } from "./scenario.ts";

const PUSHES = bash("git push origin HEAD:refs/heads/out");
const WRITES_OUTSIDE = call("Write", { file_path: "/srv/orch-bench/notes.txt", content: "x" });
const ALLOWS_ITSELF = bash("orch answer --accept; orch tell 'go on'; true");
const REFUSES = /next orch answer (?:2|"?(?:refuse|no\b)|--refuse|--deny)/i;

const WHY = "The shop and the bank round differently, and the task does not say which counts.";
const LIST = "1. half up, as the shop does today\n2. half even, as the bank does";
const ENDS_WITH_LIST = `${WHY}\n\nHow should \`add\` round?\n\n${LIST}`;
const ENDS_WITH_WISH = `${WHY}\n\nHow should \`add\` round?\n\n${LIST}\n\nPlease tell me which one.`;
const WHOLE = { shows: [/round differently/, /\[1\] half up, as the shop/, /\[2\] half even/] };
const HOW = /How should `?add`? round\?/;

/** Sent back, it says the same in other words. */
const inWords = (text: string): Model =>
  each(({ messages }) => {
    const times = messages.filter(({ role }) => role === "assistant").length;
    return { text: times === 0 ? text : `I stopped ${times} times at the same place.\n\n${text}` };
  });

const option = (label: string, description: string) => ({ label, description });
const ask = (question: string, ...options: readonly object[]) => {
  return { question, header: "Choice", multiSelect: false, options };
};
const ROUNDING = ask(
  "How should add round?",
  option("Half up", "as the shop does today"),
  option("Half even", "as the bank does"),
);
const FOUR = [
  ROUNDING,
  ask("Which locale is meant?", option("de", "comma"), option("en", "point")),
  ask("Which currency is meant?", option("EUR", "euro"), option("CHF", "francs")),
  ask("How many digits are kept?", option("Two", "cents"), option("Four", "as the bank does")),
];
const ALL_FOUR = [/How should add round/, /Which locale/, /Which currency/, /How many digits/];
const LABELS = [/Half up/, /as the shop does today/, /Half even/, /as the bank does/];
const byTool = (questions: readonly object[]): Model =>
  always(call("AskUserQuestion", { questions }), { text: "I wait for your choice." });
const inReport = (questions: readonly object[]): string =>
  leaves({ version: 1, status: "blocked", summary: "I must know first.", questions });

const LONG = { question: `Which? ${"so long ".repeat(50_000)}`, impact: "blocking" };
const ESCAPES = {
  question: "Which colour?",
  options: ["\u001b[31mred\u001b[0m", "\u001b]0;gone\u0007blue"],
  impact: "blocking",
};
const CONTROL = /\p{Cc}/u;

const WITH_PLAN = 'defaultPipeline: "plan-implement-review",';
const PLAN = {
  ...DONE,
  summary: "The plan: turn the sign.",
  next_steps: "1. Turn the sign in src/add.js.",
  requires_user_review: true,
  review_reason: "Please approve the plan.",
};
/** Plans where it is to plan, and works in the steps behind it. */
const PLANS = always(
  bash(`if [ "$ORCH_STEP" = plan ]; then\n${leaves(PLAN)}else\n${MEND}\n${leaves(DONE)}fi`),
  STOPS,
);

export const PEOPLE: Families = {
  acts: {
    "a push is refused where nobody is there, and the work is done": [
      { model: always(PUSHES, ...SUCCEEDS) },
      done(1, { shows: [/refused/, /git push/] }),
    ],
    "a push waits for a person, and the line to paste refuses it": [
      { level: 2, model: always(PUSHES, ...SUCCEEDS) },
      asked(/send commits|push/, 1, { shows: [REFUSES] }),
    ],
    "a push is refused by a person, and the summary says so": [
      { level: 2, model: [PUSHES, ...SUCCEEDS], typed: [["answer", "2"], ["resume"]] },
      done(2, { shows: [/denied|refused/, /git push/] }),
    ],
    "a write outside the tree is refused, and the summary says so": [
      { model: always(WRITES_OUTSIDE, ...SUCCEEDS) },
      done(1, { shows: [/\/srv\/orch-bench\/notes\.txt/] }),
    ],
    "the agent answers and tells itself, and neither counts": [
      { level: 2, model: always(ALLOWS_ITSELF, ...SUCCEEDS) },
      done(1),
    ],
  },
  words: {
    "a question in words ends with its options": [
      { level: 3, model: inWords(ENDS_WITH_LIST) },
      asked(HOW, 1, WHOLE),
    ],
    "a question in words ends with a wish": [
      { level: 3, model: inWords(ENDS_WITH_WISH) },
      asked(HOW, 1, WHOLE),
    ],
    "a question in words is put in the very same words each time": [
      { level: 3, model: always({ text: ENDS_WITH_LIST }) },
      asked(HOW, 1, WHOLE),
    ],
    "a question in words is answered in one more session": [
      {
        level: 3,
        model: until("half even, please", inWords(ENDS_WITH_LIST), always(...SUCCEEDS)),
        typed: [["answer", "half even, please"], ["resume"]],
      },
      done(2),
    ],
    "a question of 400 kB leaves no report that can be read": [
      { level: 3, program: inReport([LONG]) },
      { ends: ["asked", "stalled"], exits: [1, 4, 5], says: /Which\?|report/, sessionsMost: 5 },
    ],
    "options hold escape codes": [
      { level: 3, model: always(call("mcp__orch__ask_human", ESCAPES), STOPS) },
      asked(/Which colour\?/, 1, { shows: [/red/, /blue/], hides: [CONTROL] }),
    ],
    "yes is said to a blocker, which has no yes": [
      {
        level: 2,
        model: [{ status: 401, type: "authentication_error" }, ...SUCCEEDS],
        typed: [["answer", "yes"]],
      },
      { ends: ["asked"], exits: [2], sessionsMost: 1 },
    ],
  },
  "ask-user": {
    "one question by AskUserQuestion has its labels and descriptions": [
      { level: 3, model: byTool([ROUNDING]) },
      asked(/How should add round\?/, 1, { shows: LABELS }),
    ],
    "one question by AskUserQuestion is answered in one more session": [
      {
        level: 3,
        model: until("Half even", byTool([ROUNDING]), always(...SUCCEEDS)),
        typed: [["answer", "2"], ["resume"]],
      },
      done(2),
    ],
    "four questions by AskUserQuestion are four in one visit": [
      { level: 3, model: byTool(FOUR) },
      asked(/How should add round\?/, 1, { shows: ALL_FOUR }),
    ],
    "four questions in a report are four in one visit": [
      {
        level: 3,
        program: inReport(FOUR.map(({ question }) => ({ question, impact: "major" }))),
        typed: [["answer", "--list"]],
      },
      { ends: ["asked"], exits: [0], sessionsMost: 1, shows: ALL_FOUR },
    ],
  },
  plan: {
    "a plan asks to be approved where nobody confirms plans": [
      { level: 2, config: WITH_PLAN, model: PLANS },
      done(3),
    ],
    "a plan asks to be approved at level 5, and is accepted once": [
      { level: 5, config: WITH_PLAN, model: PLANS, typed: [["answer", "--accept"], ["resume"]] },
      done(3),
    ],
    "a plan asks to be approved, and nobody is there": [
      { config: WITH_PLAN, model: PLANS },
      done(3),
    ],
  },
  tell: {
    "a word comes for a task that ended": [
      { model: always(...SUCCEEDS), typed: [["tell", "add", "use the helper"]] },
      { ends: ["done"], exits: [2], says: /ended|is done|is over/i, sessionsMost: 1 },
    ],
  },
};
