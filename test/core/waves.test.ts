import { array, assert, integer, property, record, subarray } from "fast-check";
import { describe, expect, test } from "vitest";

import { mayRunBeside } from "../../src/core/run/scopes.ts";
import { waves } from "../../src/core/run/scopes.ts";
import { idOf, type TaskId } from "../../src/core/model/ids.ts";

const task = (
  name: string,
  scope: readonly string[] = [name],
  ...dependsOn: readonly string[]
) => ({
  id: idOf<TaskId>(name),
  contest: null,
  scope,
  dependsOn: dependsOn.map((id) => idOf<TaskId>(id)),
});
type Tasks = readonly ReturnType<typeof task>[];

function planned(tasks: Tasks, parallel: number): readonly string[] {
  return waves(tasks, parallel).map((wave) => wave.map(({ id }) => id).join(", "));
}

describe("the waves of a run", () => {
  test.each<[string, Tasks, number, readonly string[]]>([
    ["are none where there is no task", [], 2, []],
    ["hold tasks that touch different files together", [task("a"), task("b")], 2, ["a, b"]],
    [
      "hold no more than may run at once, in the order of definition",
      [task("a"), task("b"), task("c")],
      2,
      ["a, b", "c"],
    ],
    ["hold one where one may run at once", [task("a"), task("b")], 1, ["a", "b"]],
    [
      "let a task wait until what it depends on is done",
      [task("a", ["a"], "b"), task("b"), task("c", ["c"], "a")],
      3,
      ["b", "a", "c"],
    ],
    [
      "keep tasks apart that may touch the same file, and let another one in",
      [task("a", ["src/**"]), task("b", ["docs", "**/*.ts"]), task("c", ["test"])],
      2,
      ["a, c", "b"],
    ],
    [
      "give a task without a scope a wave of its own",
      [task("a"), task("b", []), task("c")],
      3,
      ["a, c", "b"],
    ],
    ["take what is not among the tasks as done", [task("a", ["a"], "elsewhere")], 1, ["a"]],
    [
      "leave out tasks that wait for each other, which is refused before",
      [task("a", ["a"], "b"), task("b", ["b"], "a"), task("c")],
      2,
      ["c"],
    ],
  ])("%s", (_sentence, tasks, parallel, expected) => {
    expect(planned(tasks, parallel)).toEqual(expected);
  });

  test("lose no task, keep to the slots, and hold nothing that overlaps or depends on each other", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const drawn = record({
      scope: subarray(["src/a", "src/*", "src/b/**", "test", "**/x"]),
      needs: subarray(names),
    });
    assert(
      property(array(drawn, { maxLength: 7 }), integer({ min: 1, max: 4 }), (all, parallel) => {
        // Only on tasks before it, so that there is no circle.
        const tasks = all.map(({ scope, needs }, at) =>
          task(names[at] ?? "", scope, ...needs.filter((name) => names.indexOf(name) < at)),
        );
        const rounds = waves(tasks, parallel);
        expect(rounds.flat().length).toBe(tasks.length);
        rounds.forEach((wave, at) => {
          const before = new Set(
            rounds
              .slice(0, at)
              .flat()
              .map(({ id }) => id),
          );
          expect(wave.length).toBeLessThanOrEqual(parallel);
          expect(wave.every(({ dependsOn }) => dependsOn.every((id) => before.has(id)))).toBe(true);
          for (const one of wave)
            for (const other of wave)
              expect(one === other || mayRunBeside(one, [other])).toBe(true);
        });
      }),
    );
  });
});
