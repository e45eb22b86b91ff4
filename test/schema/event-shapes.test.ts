// Is each field of a line looked at before anything relies on it?

import { expect, test } from "vitest";

import { isObject } from "../../src/core/model/json.ts";
import { fold } from "../../src/core/run/reduce.ts";
import { projectRun } from "../../src/core/views/projection.ts";
import { eventLine, LINE_VERSION, parseEventLine } from "../../src/schema/event-line.ts";
import { EVENT_SHAPES } from "../../generated/event-shapes.ts";
import type { Fields, Shape } from "../../src/schema/shape.ts";
import { recorded, RUN } from "../support/builders.ts";
import { paused } from "../support/stories.ts";

const OTHERS = [null, true, 1.5, "no word of orch's", [], {}] as const;

/** Every place in a value, and the whole value with something else there. */
function* changed(
  value: unknown,
): Generator<readonly [place: string, as: (other: unknown) => unknown]> {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      const put = (other: unknown) => value.with(index, other);
      yield [`.${index}`, put];
      for (const [place, as] of changed(one))
        yield [`.${index}${place}`, (other) => put(as(other))];
    }
  } else if (isObject(value)) {
    for (const [name, one] of Object.entries(value)) {
      const put = (other: unknown) => ({ ...value, [name]: other });
      yield [`.${name}`, put];
      for (const [place, as] of changed(one)) yield [`.${name}${place}`, (other) => put(as(other))];
    }
  }
}

/** So many values that every variant of every union in the shape is one of them. */
function samplesOf(shape: Shape): readonly unknown[] {
  if (shape === "text") return ["text"];
  if (shape === "number") return [7];
  if (shape === "flag") return [false];
  if ("fields" in shape) return samplesOfFields(shape.fields);
  if ("by" in shape)
    return Object.entries(shape.of).flatMap(([tag, fields]) =>
      samplesOfFields(fields).map((sample) => ({ [shape.by]: tag, ...sample })),
    );
  if ("orNull" in shape) return samplesOf(shape.orNull);
  if ("orMissing" in shape) return samplesOf(shape.orMissing);
  if ("oneOf" in shape) return shape.oneOf.slice(0, 1);
  if ("map" in shape) return samplesOf(shape.map).map((one) => ({ key: one }));
  return [samplesOf(shape.list)];
}

function samplesOfFields(fields: Fields): readonly object[] {
  const each = Object.entries(fields).map(([name, shape]) => [name, samplesOf(shape)] as const);
  const most = Math.max(1, ...each.map(([, samples]) => samples.length));
  return Array.from({ length: most }, (_, n) =>
    Object.fromEntries(each.map(([name, samples]) => [name, samples[n % samples.length]])),
  );
}

const ENVELOPE = { v: LINE_VERSION, seq: 1, epoch: 1, at: "2026-11-20T12:00:02.000Z", run: RUN };

test.each(Object.entries(EVENT_SHAPES))(
  "%s: whatever stands in the wrong place is refused, and the place named",
  (type, fields) => {
    for (const sample of samplesOfFields(fields)) {
      expect(parseEventLine({ ...ENVELOPE, type, ...sample })).toMatchObject({ ok: true });
      for (const [place, as] of changed(sample)) {
        if (place === ".run") continue; // The envelope's own.
        const refused = OTHERS.flatMap((other) => {
          const line = parseEventLine({ ...ENVELOPE, type, ...Object(as(other)) });
          return line.ok === false ? line.problems : [];
        });
        const elsewhere = refused.filter(
          (why) => !`${place.slice(1)}.`.startsWith(why.split(/[.:]/, 1)[0] ?? ""),
        );
        // Of six kinds of values a place may hold its own, and null where it can be empty.
        expect([place, refused.length >= 4, elsewhere]).toEqual([place, true, []]);
      }
    }
  },
);

test("what is not refused does no harm when the log is folded and shown", () => {
  const harms: string[] = [];
  const lines = recorded(paused);
  for (const [index, one] of lines.entries()) {
    const written: unknown = JSON.parse(eventLine(RUN, one));
    for (const [place, as] of changed(written)) {
      for (const other of OTHERS) {
        const line = parseEventLine(as(other));
        if (line.ok !== true) continue;
        try {
          projectRun(fold(lines.with(index, line.value.recorded)));
        } catch (error) {
          harms.push(`${one.event.type}${place} as ${JSON.stringify(other)}: ${String(error)}`);
        }
      }
    }
  }
  // Each line is sound, and together they tell what cannot have been.
  expect(harms.filter((harm) => !harm.includes("Error: broken invariant"))).toEqual([]);
});
