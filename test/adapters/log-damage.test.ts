import { expect, test } from "vitest";

import { LogLines } from "../../src/adapters/log/log-lines.ts";
import { sealed } from "../../src/adapters/log/run-view-file.ts";
import { eventLine } from "../../src/schema/event-line.ts";
import { flipBits } from "../support/bit-flips.ts";
import { recorded, RUN } from "../support/builders.ts";
import { finished, paused } from "../support/stories.ts";

const LINES = recorded([...paused, ...finished.slice(1)]).map((one) =>
  Buffer.from(`${sealed(eventLine(RUN, one))}\n`),
);

test("a flipped bit anywhere in a log is noticed, or the last line counts as not written", () => {
  const { tried, noticed, torn } = flipBits(Buffer.concat(LINES), 7);
  expect(noticed + torn).toBe(tried);
  expect(noticed / tried).toBeGreaterThan(0.999);
});

test("a whole line that is gone, stands elsewhere or stands twice is noticed", () => {
  const refused = (lines: readonly Buffer[]): boolean => {
    const reader = new LogLines(null, [], () => undefined);
    reader.take(Buffer.concat(lines));
    return reader.refusal()?.kind === "damaged";
  };
  const believed = LINES.flatMap((line, index) => {
    const [before, after] = [LINES.slice(0, index), LINES.slice(index + 1)];
    const changed = {
      gone: [...before, ...after],
      twice: [...before, line, line, ...after],
      later: [...before, ...after.slice(0, 1), line, ...after.slice(1)],
    };
    return Object.entries(changed).flatMap(([how, lines]) =>
      refused(lines) ? [] : [`${how}: line ${index + 1}`],
    );
  });
  // Nothing follows the last line that could miss it.
  expect(believed).toEqual([`gone: line ${LINES.length}`, `later: line ${LINES.length}`]);
  expect(refused(LINES)).toBe(false);
});
