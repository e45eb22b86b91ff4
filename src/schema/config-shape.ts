// Which keys may a config file have, and what may stand behind each?

import { z } from "zod";

import { IRREVERSIBLE_ACTIONS } from "../core/model/irreversible.ts";
import { agent } from "./config-agents.ts";
import { notifyShape } from "./config-notify.ts";
import { gates, pipelines } from "./config-pipelines.ts";
import {
  budget,
  judge,
  proof,
  stall,
  timeouts,
  uncertainty,
  waitForRateLimitReset,
} from "./config-policy.ts";
import { questionsShape } from "./config-questions.ts";
import { count, level, list, model, name, parallel, pathInside } from "./fields.ts";
import { sandboxShape } from "./config-sandbox.ts";
import { worktreeShape } from "./config-worktree.ts";
import { LANDINGS } from "../core/model/landing.ts";
import { group, key, keyWith, needed } from "./key.ts";

/** Within git's rules for a ref: no "..", and no part that ends in ".lock". */
const branchPrefix = z
  .string()
  .regex(/^(?!.*(?:\.\.|\.lock\/))[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*[/-]$/, {
    error:
      'expected the beginning of a branch name that ends in "/" or "-", like "orch/", without ".." and ".lock"',
  })
  .max(60);

const git = z.strictObject({
  isolation: keyWith(z.enum(["worktree", "none"]), "worktree", [
    '`"worktree"`: each task in a tree of its own, outside yours; your checkout is never touched. `"none"`: in what is checked out, as it is.',
  ]),
  // Nobody's own branch gets commits they did not ask for.
  autoCommit: key(
    z.boolean(),
    "Commit each passed step. The flag `--isolation` brings its own default along.",
    { otherwise: '`true` with `isolation: "worktree"`, else `false`', example: true },
  ),
  branchPrefix: keyWith(branchPrefix, "orch/", [
    "How branches begin; ends in `/` or `-`, with no `..` and no part that ends in `.lock`.",
  ]),
  landing: keyWith(z.enum(LANDINGS), "leave", [
    'What becomes of finished work: it stays on the run\'s branch (`"leave"`), goes into the branch the run started from (`"merge"`), or becomes a `"pull-request"` by `gh`: [landing](landing.md).',
  ]),
});

/** In the order in which people look for them. */
export const configSchema = z
  .strictObject({
    interactionThreshold: key(
      level,
      "How readily a person is asked: [levels](questions.md). `orch init` writes 2.",
      {
        policy: "level",
        comment: `How readily orch asks a person, 0 to 5:
- 0 never waits: nobody is asked, and the exit code tells what happened (for CI)
- 1 asks when the agent cannot continue
- 2 also when the task contradicts itself
- 3 also about behaviour or data that is costly to reverse
- 4 also about visible choices
- 5 about everything
Stronger than this: --interaction-threshold, ORCH_INTERACTION_THRESHOLD, the task, the step.`,
      },
    ),
    gates: key(gates, '[What proves the work](#gates), by name; or `"none"`.', {
      otherwise: "none, which is an error",
      comment: `What proves the work. orch runs these itself; an agent's word is never enough.
A gate can also look for a file: changelog: { fileExists: "CHANGELOG.md" }
More keys of a gate, with their defaults:`,
    }),
    agent: key(name, "Who works where neither task nor step says.", {
      otherwise: 'the only one in `agents`, else `"claude-code"`',
      comment: 'Who does the work. "claude-code" needs no entry.',
      example: "claude-code",
    }),
    model: key(model, "The model where nothing closer names one.", {
      otherwise: "the agent's own choice",
      example: "opus",
    }),
    agents: key(z.record(name, agent), "[Agents by name](#agents).", {
      otherwise: "`claude-code`, always there",
      example: {
        "claude-code": { driver: "claude-code", command: "claude", env: {} },
        mine: { driver: "command", command: "my-agent --headless", promptVia: "stdin" },
        rehearsal: { driver: "script", script: "rehearsal.json" },
      },
    }),
    taskFolder: keyWith(pathInside, "tasks", [
      "Where task files are looked for by bare name and by `orch validate`.",
    ]),
    defaultPipeline: key(name, "Which one a task goes through.", {
      otherwise: 'the only one in `pipelines`, else `"default"`',
      comment: `The stages a task goes through. A prompt is the name of a file in prompts/, or "self": the
task's own text. Built in: "default" and "plan-implement-review".`,
      example: "default",
    }),
    pipelines: key(pipelines, "[Steps by name of the pipeline](#pipelines).", {
      otherwise: "two built-in ones",
      comment: "Where a step says `confirm`, a person says yes to its plan first.",
      example: {
        "test-first": [
          {
            name: "red",
            prompt: "test",
            gates: [{ name: "red", run: "npm test", expect: "fail" }],
            fileAccess: { allowWrite: ["test/**"] },
          },
          { name: "green", prompt: "implement", attempts: 4 },
          { name: "review", prompt: "review", model: "opus", interactionThreshold: 3 },
        ],
        planned: [{ name: "do", prompt: "self", confirm: true }],
      },
    }),
    parallel: keyWith(parallel, 1, [
      "How many tasks may run at once, 1 to 64. Those run together whose `scope` is disjoint; a task without one runs alone. `orch init` writes 2.",
      {
        comment: `How many tasks may run at once, 1 to 64. Those run together that say in \`scope\` what they touch, and
touch different files; a task without a scope runs alone. \`orch run <tasks> --plan\` shows it.`,
      },
    ]),
    budget: key(budget, "Limits.", {
      otherwise: "see [there](#budget)",
      comment:
        "Limits. null means no limit, where it is allowed. `attempts` alone is not extended for progress.",
    }),
    replans: key(count(0), "New plans a task may get; the same as `budget.replans`.", {
      policy: "limits.replans",
    }),
    timeouts: key(timeouts, "Limits of one session.", "see [there](#timeouts)"),
    stall: key(stall, "When the same trouble changes the decision.", {
      otherwise: "see [there](#stall)",
      comment:
        "When the same trouble, seen this often in a row, changes what orch does. The last two are not in a row.",
    }),
    uncertainty: key(uncertainty, "When a task is too unclear to go on as it is.", {
      otherwise: "see [there](#uncertainty)",
      comment: `When a task is too unclear to go on as it is. A person is asked from a score of 10, 8, 5, 4, 3 at the
levels 1 to 5, or from \`threshold\`, which has no default. With nobody to ask it is skipped from
\`autoSkipThreshold\`. \`weights\` say what each sign adds; here are two of them.`,
    }),
    proof: key(proof, "What finished work must have been proven by.", {
      otherwise: "see [there](#proof)",
    }),
    questions: key(questionsShape, "How long questions wait, and what then.", {
      otherwise: "see [there](#questions)",
      comment: `How long questions wait for a person, and what happens then: "default" (go on with the default),
"skip" or "stall" (end the task), "wait". Without expiresIn they wait for ever.`,
    }),
    irreversible: needed(
      group({
        allow: needed(
          list(z.enum(IRREVERSIBLE_ACTIONS)),
          'What [cannot be undone](questions.md#irreversible), and agents may do without asking: `["push"]`.',
          { fallback: [], example: ["push"] },
        ),
      }),
      "",
      {
        otherwise: "`{ allow: [] }`",
        comment: `What cannot be undone waits for a person before Claude Code does it, and is refused at threshold 0. Not so:
${IRREVERSIBLE_ACTIONS.map((one) => `"${one}"`).join(", ")}.`,
      },
    ),
    notify: needed(
      notifyShape.prefault({}),
      "Who is told that a question waits, or that the run is over.",
      "nobody, see [there](#notify)",
    ),
    judge: needed(judge.prefault({}), "A second model that may be asked.", {
      otherwise: "off, see [there](#judge)",
      comment: `A second model that may be asked where no rule speaks; it can ask for a new plan or a person, and
complete nothing. It is sent the task's text, failing checks and feedback.`,
    }),
    waitForRateLimitReset: key(
      waitForRateLimitReset,
      "At a plan limit of the provider: `true` waits for the reset, `false` ends with exit code 75.",
      {
        policy: { at: "reset.waits", brings: ["reset.maxWaitMs"] },
        comment:
          "At a plan limit of the agent's provider: wait this long for the reset; false: exit code 75.",
        example: { maxWait: "6h" },
      },
    ),
    git: needed(git.prefault({}), "Branches and commits.", {
      otherwise: "see [there](#git)",
      comment:
        "Each task has a tree and a branch of its own; the finished work of a run is merged into one.",
    }),
    sandbox: key(
      sandboxShape,
      '`"bwrap"`: agents, gates and set-up run [confined](sandbox.md) (Linux); `{ use, network, read, write }` says more.',
      {
        otherwise: '`"none"`',
        comment: `"bwrap" confines agents, gates and set-up on Linux: the task's tree can be written, and neither your
home folder nor orch's own files are seen.`,
        example: "bwrap",
      },
    ),
    worktree: needed(worktreeShape.prefault({}), "The working trees of tasks.", {
      otherwise: "see [there](#worktree)",
      comment: `Where the working trees of tasks lie, which ignored files are copied there, and what makes them ready.`,
    }),
  })
  .refine(({ replans, budget: { replans: same = replans } = {} }) => (replans ?? same) === same, {
    path: ["budget", "replans"],
    error: "expected the same as `replans`, or only one of them",
  })
  .meta({ title: "Configuration of orch (.orchestrator.config.js)" });

/** What is left of a config once its shape is known to be right. */
export type ConfigShape = z.infer<typeof configSchema>;
