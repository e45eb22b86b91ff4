import { expect, test } from "vitest";

import { STALL_TABLE } from "../../src/core/model/policy.ts";
import type { Recorded } from "../../src/core/model/event.ts";
import type { InboxRequest, Question } from "../../src/core/model/question.ts";
import type { Task } from "../../src/core/model/task.ts";
import { fold } from "../../src/core/run/reduce.ts";
import type { AskedQuestion } from "../../src/core/model/session.ts";
import { step, task } from "../support/builders.ts";
import { asked, blocker, fault, HOUR, limits, read, stepId, taskId } from "../core/builders.ts";
import { begun, ends, eventsOf, reply, says, scenario, untilOver, works } from "./lives.ts";
import { asLines, world, type Scenario, type World } from "./ports-in-memory.ts";

/** What was on disk, and how the world stood, when orch died. */
interface Death {
  readonly log: readonly Recorded[];
  readonly world: World;
}

interface Story {
  readonly tasks: readonly Task[];
  readonly scenario: Scenario;
  readonly answers?: (question: Question) => InboxRequest | null;
  readonly folder?: boolean;
  readonly parallel?: number;
}

/**
 * Lives the story once, and returns every way in which orch could have died: right after each line
 * of the log, and right before the next one, when everything was done but the writing.
 */
async function deathsOf(story: Story) {
  const outer = world({ folder: story.folder === true ? [...story.tasks] : [] });
  const log = begunFor(story, outer);
  const deaths: Death[] = [];
  const end = await untilOver(outer, log, story.scenario, {
    ...story,
    onAppend: (events) => {
      const lines = asLines(events, log.length, outer.nowMs);
      for (let kept = 0; kept <= lines.length; kept++)
        deaths.push({ log: [...log, ...lines.slice(0, kept)], world: copyOf(outer) });
    },
  });
  return { deaths, end, outer, log };
}

function begunFor(story: Story, outer: World): Recorded[] {
  return story.folder === true
    ? begun(outer, story.tasks, { source: { kind: "folder", path: "tasks" } })
    : begun(outer, story.tasks, { parallel: story.parallel ?? 1 });
}

/** The same moment again, for another future. */
function copyOf(outer: World): World {
  return structuredClone(outer);
}

/** What must come out the same, however often orch dies in between; who was first may change. */
function outcomeOf(outer: World, log: readonly Recorded[]) {
  return {
    ends: eventsOf(log, "task-ended")
      .map(({ task: id, end }) => [id, end] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    trees: outer.trees,
    merged: outer.merged.split(" and ").sort(),
    commits: outer.commits.map(({ tree }) => tree).sort(),
    answers: eventsOf(log, "answered").map(({ answer }) => [answer.id, answer.text]),
    asked: eventsOf(log, "question-asked").map(({ question }) => question.question),
    inbox: outer.inbox,
  };
}

const level = (n: 0 | 1 | 3): Task => task("add-login", { steps: [step({ level: n })] });
const needsKey = works("bad", {
  report: read({ status: "blocked", blockers: [blocker("missing_credential")] }),
});
const named = (name: string, ...on: readonly string[]): Task =>
  task(name, { steps: [step({ level: 0 })], dependsOn: on.map(taskId) });

const apart = (name: string): Task =>
  task(name, { steps: [step({ level: 0 })], scope: [`${name}/**`] });

const asking = (name: string): Task => task(name, { steps: [step({ level: 3 })] });
const WHICH: AskedQuestion = {
  question: "Which port?",
  options: [],
  default: null,
  impact: "major",
  context: null,
  toolUseId: null,
};

const STORIES: readonly (readonly [string, Story])[] = [
  ["green at once", { tasks: [level(0)], scenario: scenario() }],
  [
    "red, then green",
    { tasks: [level(0)], scenario: scenario({ plays: [works("bad"), works("good")] }) },
  ],
  [
    "red until a new plan and beyond",
    { tasks: [level(0)], scenario: scenario({ plays: [works("bad")] }) },
  ],
  [
    "two steps",
    {
      tasks: [
        task("add-login", { steps: [step({ level: 0 }), step({ id: stepId("test"), level: 0 })] }),
      ],
      scenario: scenario({ plays: [works("good"), works("good and tested")] }),
    },
  ],
  [
    "a second step that fails again and again, and goes back to what the first one proved",
    {
      tasks: [
        task("add-login", {
          steps: [step({ level: 0 }), step({ id: stepId("test"), level: 0 })],
          stall: { ...STALL_TABLE, sameFailure: { demand: 2, replan: 4, stall: 5 } },
        }),
      ],
      scenario: scenario({
        plays: [works("good"), works("bad 1"), works("bad 2"), works("bad 3"), works(null)],
      }),
    },
  ],
  [
    "a question answered at the prompt",
    {
      tasks: [level(3)],
      scenario: scenario({
        plays: [ends(asked("major")), works("good")],
        human: says("answer", "8080"),
      }),
    },
  ],
  [
    "a question answered days later by another process",
    {
      tasks: [level(3)],
      scenario: scenario({ plays: [ends(asked("major")), works("good")] }),
      answers: (q) => reply(q, "answer", "8080"),
    },
  ],
  [
    "a question that nobody is asked",
    {
      tasks: [level(0)],
      scenario: scenario({ plays: [ends(asked("major")), works("good")] }),
    },
  ],
  [
    "a blocker, guidance, and green",
    {
      tasks: [level(1)],
      scenario: scenario({
        plays: [needsKey, works("good")],
        human: says("guidance", "It is in the vault."),
      }),
    },
  ],
  [
    "a blocked task, a dependent one and an independent one",
    {
      tasks: [named("schema"), named("login", "schema"), named("docs")],
      scenario: scenario({
        plays: { schema: [needsKey], login: [works("good")], docs: [works("good docs")] },
      }),
    },
  ],
  [
    "two tasks that wait, answered by another process",
    {
      tasks: [asking("login"), asking("docs"), named("schema")],
      scenario: scenario({
        plays: {
          login: [ends(asked("major")), works("good")],
          docs: [ends(asked("major")), works("good docs")],
          schema: [works("good schema")],
        },
      }),
      answers: (q) => reply(q, "answer", "8080", `r-${q.id}`),
    },
  ],
  [
    "three tasks at once, which are merged one after the other",
    {
      tasks: [apart("a"), apart("b"), apart("c")],
      parallel: 3,
      scenario: scenario({
        plays: { a: [works("good a")], b: [works("good b")], c: [works("good c")] },
      }),
    },
  ],
  [
    "a conflict that the agent resolves",
    {
      tasks: [apart("a"), apart("b")],
      parallel: 2,
      scenario: scenario({
        plays: {
          a: [works("good a"), works("good for both")],
          b: [works("good b"), works("good for both")],
        },
        join: () => ({ kind: "conflict", tree: "marks", paths: ["shared"] }),
      }),
    },
  ],
  [
    "work that is red for what another task repairs meanwhile",
    {
      tasks: [apart("a"), apart("b")],
      parallel: 2,
      scenario: scenario({
        plays: {
          a: [works("good a")],
          b: [ends(fault("overloaded")), ends(fault("overloaded")), works("bad")],
        },
        base: "bad",
      }),
    },
  ],
  [
    "a question of a running agent",
    {
      tasks: [level(3)],
      scenario: scenario({
        plays: [works("good", { askedBeside: [WHICH] })],
        human: says("answer", "8080"),
      }),
    },
  ],
  [
    "a limit that a person extends",
    {
      tasks: [task("add-login", { steps: [step({ limits: limits({ sessions: 1 }) })] })],
      scenario: scenario({ plays: [works("bad"), works("good")], human: says("extend", "3") }),
    },
  ],
  [
    "a plan that a person accepts",
    {
      tasks: [task("add-login", { steps: [step({ level: 3, confirms: true })] })],
      scenario: scenario({
        plays: [works(null, { report: read({ nextSteps: "Do it." }) }), works("good")],
        human: says("accept"),
      }),
    },
  ],
  [
    "a provider that fails twice",
    {
      tasks: [level(0)],
      scenario: scenario({
        plays: [ends(fault("overloaded")), ends(fault("overloaded")), works("good")],
      }),
    },
  ],
  [
    "a plan limit that defers the run",
    {
      tasks: [level(0)],
      scenario: scenario({
        plays: [ends(fault("usage-limit", { resetAtMs: 9e15 + 9 * HOUR })), works("good")],
      }),
    },
  ],
  [
    "a task that writes its successor",
    {
      tasks: [named("first")],
      folder: true,
      scenario: scenario({
        plays: {
          first: [works("good", { also: (w) => void w.folder.splice(1, 9, named("second")) })],
          second: [works("good again")],
        },
      }),
    },
  ],
];

test.each(STORIES)(
  "%s: killed after any line, or before the next, the run comes to the same end, and pays for no session twice but the one that was cut short",
  async (_name, story) => {
    const { deaths, end, outer, log } = await deathsOf(story);
    const expected = outcomeOf(outer, log);
    const paid = outer.sessions.length;
    expect(eventsOf(log, "session-started")).toHaveLength(paid);
    expect(deaths.length).toBeGreaterThan(10);
    for (const death of deaths) {
      const [again, lines] = [copyOf(death.world), [...death.log]];
      const { code } = await untilOver(again, lines, story.scenario, story);
      const where = `killed after ${lines[death.log.length - 1]?.event.type} (line ${death.log.length})`;
      expect([where, code, outcomeOf(again, lines)]).toEqual([where, end.code, expected]);
      const inSession = fold(death.log).tasks.some(({ cursor }) => cursor.at === "session");
      expect(again.sessions.length).toBeLessThanOrEqual(paid + (inSession ? 1 : 0));
    }
  },
);
