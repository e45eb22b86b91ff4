// Which keys may a config file have, and what may stand behind each?

import { z } from "zod";

import { IRREVERSIBLE_ACTIONS } from "../core/model/irreversible.ts";
import { agent } from "./config-agents.ts";
import { gates, pipelines } from "./config-pipelines.ts";
import {
  budget,
  proof,
  stall,
  timeouts,
  uncertainty,
  waitForRateLimitReset,
  questions,
} from "./config-policy.ts";
import {
  agentNames,
  bestOf,
  count,
  httpUrl,
  level,
  line,
  list,
  model,
  name,
  parallel,
  pathInside,
  variableName,
} from "./fields.ts";
import { sandboxShape, worktreeShape } from "./config-trees.ts";
import { LANDINGS } from "../core/model/landing.ts";
import { NOTIFY_TARGETS } from "../core/model/settings.ts";
import { group, key, keyWith, needed, table } from "./key.ts";

const dollars = z.number().min(0);
const price = z.strictObject({
  input: dollars,
  output: dollars,
  cacheRead: dollars.optional(),
  cacheWrite: dollars.optional(),
});

/** Within git's rules for a ref: no "..", and no part that ends in ".lock". */
const branchPrefix = z
  .string()
  .regex(/^(?!.*(?:\.\.|\.lock\/))[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*[/-]$/, {
    error:
      'expected the beginning of a branch name that ends in "/" or "-", like "orch/", without ".." and ".lock"',
  })
  .max(60);

const git = z
  .strictObject({
    isolation: keyWith(z.enum(["worktree", "none"]), "worktree", [
      '`"worktree"`: each task works in its own worktree, outside your checkout, which is never touched. `"none"`: in your checkout, as it is.',
    ]),
    autoCommit: key(
      z.boolean(),
      "Commit each passed step. In your checkout nothing is committed.",
      '`true` with `isolation: "worktree"`, else `false`',
    ),
    branchPrefix: keyWith(branchPrefix, "orch/", [
      "How branches begin; ends in `/` or `-`, with no `..` and no part that ends in `.lock`.",
    ]),
    landing: keyWith(z.enum(LANDINGS), "leave", [
      'What becomes of finished work: it stays on the run\'s branch (`"leave"`), goes into the branch the run started from (`"merge"`), or becomes a `"pull-request"` by `gh`: [landing](landing.md).',
    ]),
  })
  // Nobody's own branch gets commits of orch's.
  .refine(({ isolation, autoCommit }) => isolation === "worktree" || autoCommit !== true, {
    path: ["autoCommit"],
    error: 'needs `isolation: "worktree"`: what stands in your checkout is yours to commit',
  });

const HEADER_WORDS = 'expected the name of a header, like "Authorization" or "X-Token"';
const headerName = z
  .string()
  .max(100, { error: HEADER_WORDS })
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: HEADER_WORDS });

const address = httpUrl.max(2_000, { error: "expected at most 2000 characters" });

const notify = z
  .strictObject({
    to: key(
      z.enum(NOTIFY_TARGETS),
      'Which [service](notify.md#services) the `url` is of: it gets a message instead of the record. `"desktop"`: this screen, without a `url`.',
      "none",
    ),
    command: key(line, "A line for the shell; the record is its standard input.", "none"),
    url: key(address, "An http or https address that gets the record as a POST.", "none"),
    chat: key(line, 'For `to: "telegram"`: the id of the chat.', "none"),
    header: group({
      name: needed(headerName, "A header of that request.", "none"),
      env: needed(variableName, "The environment variable that holds the header's value.", "none"),
    }),
  })
  // An address from a variable that is not set is a choice, and tells nobody.
  .refine((written) => written.header === undefined || "url" in written, {
    path: ["header"],
    error: "`header` needs a `url`",
  })
  .refine(({ to, ...rest }) => to === undefined || to === "desktop" || "url" in rest, {
    path: ["to"],
    error: "needs a `url`",
  })
  .refine(({ to, chat }) => (to === "telegram") === (chat !== undefined), {
    path: ["chat"],
    error: 'goes with `to: "telegram"`, which needs it',
  });

/** In the order in which people look for them. */
export const configSchema = z
  .strictObject({
    interactionThreshold: key(
      level,
      "How readily a person is asked: the [interaction level](questions.md). `orch init` writes 2.",
      { policy: "level" },
    ),
    gates: key(
      gates,
      '[What proves the work](#gates), by name; or `"none"`.',
      "none, which is an error",
    ),
    agent: key(
      agentNames,
      "The agent, if neither task nor step names one; of a list the others [take over](#agents).",
      'the only one in `agents`, else `"claude-code"`',
    ),
    model: key(
      model,
      "The model, if neither task, step nor agent names one.",
      "the agent's own choice",
    ),
    prices: key(
      z.record(line, price),
      '[What tokens cost](agents.md#cost), in dollars for a million: `{ "my-model": { input: 2, output: 10, cacheRead: 0.2 } }`.',
      "list prices of some models",
    ),
    bestOf: key(
      bestOf,
      "So many [candidates](agents.md#best-of) for each task, or the agent of each; the best one is merged.",
      "1",
    ),
    agents: key(
      z.record(name, agent),
      "[Agents by name](#agents).",
      "those that `orch agents` lists, always there",
    ),
    taskFolder: keyWith(pathInside, "tasks", [
      "Where task files are looked for by bare name and by `orch validate`.",
    ]),
    defaultPipeline: key(
      name,
      "Which pipeline a task goes through.",
      'the only one in `pipelines`, else `"default"`',
    ),
    pipelines: key(pipelines, "[Steps by name of the pipeline](#pipelines).", "two built-in ones"),
    parallel: keyWith(parallel, 1, [
      "How many tasks may run at once, 1 to 64. Tasks run together if their `scope`s do not overlap; a task without one runs alone. `orch init` writes 2.",
    ]),
    budget: table("budget", budget, "Limits."),
    replans: key(count(0), "New plans a task may get; the same as `budget.replans`.", {
      policy: "limits.replans",
    }),
    timeouts: table("timeouts", timeouts, "Limits of one session."),
    stall: table("stall", stall, "How often the same trouble must come to change the decision."),
    uncertainty: table(
      "uncertainty",
      uncertainty,
      "When a task is too uncertain to continue as it is.",
    ),
    proof: table("proof", proof, "What must prove finished work."),
    questions: table("questions", questions, "How long questions wait, and what happens then."),
    irreversible: needed(
      group({
        allow: needed(
          list(z.enum(IRREVERSIBLE_ACTIONS)),
          'What [cannot be undone](questions.md#irreversible), and agents may do without asking: `["push"]`.',
          { fallback: [] },
        ),
      }),
      "",
      "`{ allow: [] }`",
    ),
    notify: needed(
      notify.prefault({}),
      "Who is notified that a question waits, or that the run is over.",
      "nobody, see [there](#notify)",
    ),
    waitForRateLimitReset: key(
      waitForRateLimitReset,
      "At a plan limit of the provider: `true` waits for the reset, `false` ends with exit code 75.",
      { policy: { at: "reset.waits", brings: ["reset.maxWaitMs"] } },
    ),
    git: needed(git.prefault({}), "Branches and commits.", "see [there](#git)"),
    sandbox: key(
      sandboxShape,
      '`"bwrap"`: agents, gates, setup and git run [confined](sandbox.md) (Linux); `{ use, network, read, write, userns }` says more.',
      '`"none"`',
    ),
    worktree: needed(
      worktreeShape.prefault({}),
      "The worktrees of tasks.",
      "see [there](#worktree)",
    ),
  })
  .refine(({ replans, budget: { replans: same = replans } = {} }) => (replans ?? same) === same, {
    path: ["budget", "replans"],
    error: "expected the same as `replans`, or only one of them",
  })
  .meta({ title: "Configuration of orch (.orchestrator.config.js)" });

/** What is left of a config once its shape is known to be right. */
export type ConfigShape = z.infer<typeof configSchema>;
