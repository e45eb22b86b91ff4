import { describe, expect, test } from "vitest";

import { resolveTask } from "../../src/core/run/resolve.ts";
import { NO_OVERRIDES, NO_TASK_SETTINGS } from "../../src/core/model/settings.ts";
import { DEFAULT_ASKING } from "../../src/core/model/question.ts";
import { task } from "../support/builders.ts";
import { problems, settings } from "./read-config.ts";

const HOUR = 3_600_000;

/** What the steps of a task come to under a config. */
function stepsOf(config: object) {
  const draft = { ...task(), settings: NO_TASK_SETTINGS };
  const layers = {
    flags: NO_OVERRIDES,
    environmentLevel: null,
    settings: settings({ gates: "none", ...config }),
  };
  const resolved = resolveTask(draft, layers);
  if (!resolved.ok) throw new Error("the config is expected to resolve");
  return resolved.task.steps;
}

const plan = { name: "plan", prompt: "plan" };
const work = { name: "work", prompt: "self" };
const review = { name: "review", prompt: "review" };

describe("the deadline of a question", () => {
  test.each<[string, object, object]>([
    ["is none by default", {}, DEFAULT_ASKING],
    [
      "is the general one",
      { interactionThreshold: 3, questions: { expiresIn: "1h", whenExpired: "skip" } },
      { ...DEFAULT_ASKING, expiresInMs: HOUR, whenExpired: "skip" },
    ],
    [
      "may hold calls for another time",
      { questions: { hold: "30s" } },
      { ...DEFAULT_ASKING, holdMs: 30_000 },
    ],
  ])("%s", (_name, config, asking) => {
    expect(stepsOf(config)[0]?.asking).toEqual(asking);
  });

  test.each<[string, object, RegExp]>([
    ["a word that is no policy", { whenExpired: "ignore" }, /whenExpired/],
    ["a time without a unit", { expiresIn: "20" }, /expiresIn/],
    ["an unknown key", { expires: "1h" }, /expires/],
  ])("%s is refused", (_name, questions, place) => {
    expect(problems({ questions })[0]).toMatch(place);
  });
});

describe("the step whose plan is confirmed", () => {
  const confirmed = (config: object): readonly string[] =>
    stepsOf(config).flatMap(({ id, confirms }) => (confirms ? [id] : []));
  const pipeline = (...steps: readonly object[]) => ({ pipelines: { mine: steps } });

  test.each<[string, object, readonly string[]]>([
    ["is none below level 5", { interactionThreshold: 4, ...pipeline(work) }, []],
    ["is the first at level 5", { interactionThreshold: 5, ...pipeline(work, review) }, ["work"]],
    [
      "is the one that plans, where one does",
      { interactionThreshold: 5, ...pipeline(work, plan, review) },
      ["plan"],
    ],
    [
      "is whatever says so, at any level",
      { interactionThreshold: 1, ...pipeline(work, { ...review, confirm: true }) },
      ["review"],
    ],
    [
      "is not what says no",
      { interactionThreshold: 5, ...pipeline({ ...work, confirm: false }, review) },
      [],
    ],
  ])("%s", (_name, config, ids) => {
    expect(confirmed(config)).toEqual(ids);
  });
});
