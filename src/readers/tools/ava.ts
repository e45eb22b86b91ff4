// What did AVA say?

import type { Check } from "../../core/model/checks.ts";
import { countsIn } from "./counts.ts";
import { check, countsOf, namedReading } from "./inventory.ts";
import { failedTest, testName } from "./test-words.ts";
import { blocksBelow, NO_TESTS, reading, until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";
import { stateOf } from "./tree.ts";

/** Its list of checks ends in a rule; the failures follow, a second rule, and the numbers. */
export const ava: Tool = {
  name: "ava",
  recognises: /─\n|Couldn’t find any files to test/,
  parse: (lines) => {
    const rule = lines.indexOf(RULE);
    if (rule === -1) {
      const at = lines.indexOf("  ✘ Couldn’t find any files to test");
      return at === -1 ? null : reading("ava", { summaries: [{ ...NO_TESTS, line: at }] });
    }
    const list = lines.slice(0, rule);
    const marks = list.flatMap(markOf);
    const told = failuresIn(lines.slice(rule), marks);
    const names = told.map((failure) => failure.check).values();
    const checks = marks.map(({ name, state }) =>
      check((state === "failed" ? names.next().value : null) ?? name, state),
    );
    const lost = blocksBelow(list, UNLOADED).map(({ at, said, block }) => {
      const line = lines[at] ?? "";
      return failedTest(said, line.includes("✘") ? () => [line] : block, { unloaded: true });
    });
    const summaries = summariesOf(lines, checks);
    return namedReading("ava", { summaries, failures: [...told, ...lost], checks });
  },
};

const RULE = "  ─";
const UNLOADED =
  /^ {2}(?:(?:Uncaught exception|Unhandled rejection) in (.+)|✘ No tests found in (.+?), make sure [^]+)$/;

/** Behind the name of a failed check its message goes on, with nothing between. */
function markOf(line: string): readonly Check[] {
  const [, mark = "", tag, name = ""] =
    /^ {2}([✔✘✖-]) (?:\[([a-z ]{4,13})\]:? )?(.+)$/.exec(line) ?? [];
  const state = stateOf(mark);
  // What AVA says of files bears the mark alone.
  if (state === null || (mark === "✘" && tag === undefined)) return [];
  return [{ name: state === "failed" ? name : testName(name), state }];
}

/** The failures stand in the order of the marks, each below its name alone. */
function failuresIn(lines: readonly string[], marks: readonly Check[]): readonly Failure[] {
  const failed = marks.filter(({ state }) => state === "failed");
  const heads: number[] = [];
  for (const [at, line] of lines.entries()) {
    const mark = failed[heads.length]?.name ?? "";
    const isName = line.startsWith("  ") && `${mark} `.startsWith(`${line.slice(2)} `);
    if (isName && lines[at - 1] === "" && lines[at + 1] === "") heads.push(at);
  }
  return heads.map((at, index) =>
    failedTest(lines[at] ?? "", () => decisive(lines.slice(at + 1, heads[index + 1]))),
  );
}

/** Without where it happened, and the source around it; a thrown error is shown as an object first. */
function decisive(block: readonly string[]): readonly string[] {
  const said = block.filter((line) => !/^ {2}(?:\S+:\d+$| *\d+: |› )/.test(line));
  const isThrown = said.includes("  Error thrown in test:");
  return isThrown
    ? said.slice(said.findLastIndex((line) => /^ {2}\w+: \S|^ {4}message: /.test(line)))
    : said;
}

/** Where something failed it does not say how many passed. */
function summariesOf(lines: readonly string[], checks: readonly Check[]): readonly Summary[] {
  const from = lines.lastIndexOf(RULE) + 1;
  const counts = until(lines, from, (line) => !/^(?: {2}\d{1,9} .+)?$/.test(line));
  const isSilent = counts.every((line) => line === "");
  if (isSilent && !lines.some((line) => line.startsWith("  ✘ No tests found in "))) return [];
  const { passed, failed, skipped } = countsIn(counts.join("\n").replace(/ tests?\b/g, ""));
  const most = Math.max(passed, countsOf(checks).passed);
  return [{ passed: most, failed, skipped, line: from + counts.length - 1 }];
}
