// Which examples passed and failed under RSpec?

import type { Check } from "../../core/model/checks.ts";
import { stateOfWord } from "./counts.ts";
import { textRunner } from "./text-runner.ts";
import { until } from "./tool.ts";
import { nested } from "./tree.ts";

export const rspec = textRunner({
  name: "rspec",
  recognises: / examples, | example, |Failure\/Error: /,
  closing: /^\d{1,9} examples?, \d{1,9} failures?(?:,.*)?$/gm,
  heading:
    /^(?<section>Failures|Pending|Finished)(?::| in ).*$|^ {2}\d{1,9}\) (?<name>.+)$|^An error occurred while loading (?<file>\S+?)\.?$/gm,
  end: /^\s*# |^(?:No examples found|Run options)/,
  said: (block) => block.map((line) => line.replace(/^\s*Failure\/Error: /, "")),
  list: documented,
});

/** `--format documentation`: an example stands below its groups, two more spaces in. */
function documented(lines: readonly string[]): readonly Check[] {
  const isEnd = (line: string): boolean => /^(?:Failures|Pending):|^Finished in /.test(line);
  const list = until(lines, 0, isEnd, lines.length);
  let isInside = false;
  const rows = list.flatMap((line, at) => {
    const [indent, inner] = [line.search(/\S/), (list[at + 1] ?? "").search(/\S/)];
    // At the margin stand groups, and what the tests print.
    const isStray = indent === 0 && (inner !== 2 || (at > 0 && list[at - 1] !== ""));
    isInside ||= indent === 0 && !isStray;
    if (isStray || indent < 0 || !isInside) return [];
    const [, name = "", mark = "passed"] =
      /^(.{0,1000}?)(?: \((FAILED|PENDING)\b.{0,1000}\))?$/.exec(line.trimStart()) ?? [];
    const isGroup = indent === 0 || inner === indent + 2;
    return [{ indent, name, state: isGroup ? null : stateOfWord(mark) }];
  });
  return [...nested(rows, " ").values()];
}
