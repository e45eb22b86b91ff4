// Reports that are not quite in order, claims that are not true, and work that does not get on.

import type { Families } from "./scenario.ts";
import { DONE, MEND, STOPS, always, asked, bash, done, givenUp, leaves } from "./scenario.ts";

const WORDS = JSON.stringify(DONE);
const FENCED = leaves(`\`\`\`json\n${WORDS}\n\`\`\``);
const WRITES_UTF_16 =
  'require("fs").writeFileSync(process.env.ORCH_REPORT, "\\ufeff" + process.argv[1], "utf16le")';

/** Beside the claim, a plan for the session that is to make one. */
const PLANS = `printf 'Approach: try %s\\n\\n1. Edit \`src/add.js\`.\\n' "$(date +%N)" > "$(dirname "$ORCH_REPORT")/plan.md"`;
/** Another wrong text each time, and a file that the task does not name. */
const EDITS = 'echo "// try $(date +%N)" | tee -a src/add.js > src/try.js';
const CLAIMS = leaves(DONE);
const FAILS = leaves({ ...DONE, status: "failed", summary: "It still fails." });

const LIES = always(bash(`${EDITS}; ${PLANS}; ${CLAIMS}`), STOPS);
const STUCK = always(bash(`${EDITS}; ${PLANS}; ${FAILS}`), STOPS);
const LIE = /claim|complete|same failure|adds two numbers/i;
const FAILURE = /same failure|adds two numbers/i;
/** The task names what is red before it. */
const NAMED = { "tasks/add.md": "# Add\n\nThe test `adds two numbers` passes.\n" };

export const REPORTS: Families = {
  "report-form": {
    "the report stands in a code fence (Claude Code)": [
      { model: always(bash(`${MEND}; ${FENCED}`), STOPS) },
      done(1),
    ],
    "the report stands in a code fence": [{ program: `${MEND}; ${FENCED}` }, done(1)],
    "the report has a comma after its last field": [
      { program: `${MEND}; ${leaves(WORDS.replace("}", ",}"))}` },
      done(1),
    ],
    "the report is UTF-16": [
      { program: `${MEND}; node -e '${WRITES_UTF_16}' '${WORDS}'` },
      done(1),
    ],
    "the report is no JSON at all": [
      { program: `${MEND}; ${leaves("All is done!")}` },
      givenUp(/report/i, 5),
    ],
  },
  liar: {
    "unfinished work is claimed, with edits": [{ model: LIES, files: NAMED }, givenUp(LIE, 5)],
    "unfinished work is claimed, with edits (level 2)": [
      { model: LIES, files: NAMED, level: 2 },
      asked(LIE, 5),
    ],
    "unfinished work is claimed, with edits of the file that the task names alone": [
      { program: `echo "// $(date +%N)" >> src/add.js; ${PLANS}; ${CLAIMS}` },
      // Nothing but what the task names was changed, and it is as red as before: done, and never verified.
      {
        ends: ["done"],
        exits: [0],
        says: /not verified: 1 check fails as before/,
        sessionsMost: 1,
      },
    ],
    "unfinished work is claimed, and nothing is done": [
      { model: always(bash(`${PLANS}; ${CLAIMS}`), STOPS), files: NAMED },
      givenUp(/nothing|claim|adds two numbers/i, 3),
    ],
  },
  stuck: {
    "the same check fails after every session": [{ model: STUCK }, givenUp(FAILURE, 5)],
    "the same check fails after every session (level 2)": [
      { model: STUCK, level: 2 },
      asked(FAILURE, 5),
    ],
    "the same check fails after every session, and no plan is written": [
      { program: `${EDITS}; ${FAILS}` },
      givenUp(FAILURE, 5),
    ],
  },
};
