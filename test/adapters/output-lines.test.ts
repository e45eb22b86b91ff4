import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { readJsonLines, splitLines } from "../../src/adapters/process/output-lines.ts";

/** The lines that come out when the bytes arrive in these pieces. */
function lines(pieces: readonly Uint8Array[], bytesMax?: number): readonly string[] {
  const seen: string[] = [];
  const sink = splitLines((line) => void seen.push(line), bytesMax);
  for (const piece of pieces) sink.write(Buffer.from(piece));
  sink.end();
  return seen;
}

const text = (value: string): Uint8Array => Buffer.from(value);

describe("lines", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["one per line break", ["a\nb\n"], ["a", "b"]],
    ["the last needs no line break", ["a\nb"], ["a", "b"]],
    ["in pieces they are put together", ["a", "b", "c\nd", "e\n"], ["abc", "de"]],
    ["empty ones count", ["\n\na\n"], ["", "", "a"]],
    ["carriage returns belong to the line break", ["a\r\nb\r", "\n"], ["a", "b"]],
    ["nothing gives none", [""], []],
  ])("%s", (_name, pieces, expected) => {
    expect(lines(pieces.map(text))).toEqual(expected);
  });

  test("no character is ever cut, wherever the pieces begin", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary" }).map((s) => s.replace(/[\r\n\ud800-\udfff]/g, "é"))),
        fc.array(fc.nat(200), { maxLength: 20 }),
        (wanted, cuts) => {
          const whole = Buffer.from(wanted.map((line) => `${line}\n`).join(""));
          const at = cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b);
          const pieces = [0, ...at].map((from, i) => whole.subarray(from, at[i] ?? whole.length));
          expect(lines(pieces)).toEqual(wanted);
        },
      ),
    );
  });

  test.each<[string, number, string]>([
    ["at the limit a line is whole", 10, "x".repeat(10)],
    [
      "above it the line is cut, and says how long it was",
      11,
      `${"x".repeat(11)}… (a line of 11 bytes, cut)`,
    ],
  ])("%s", (_name, length, expected) => {
    const whole = text(`${"x".repeat(length)}\nnext\n`);
    expect(lines([whole], 10)).toEqual([expected, "next"]);
    const single = Array.from(whole, (byte) => Uint8Array.of(byte));
    expect(lines(single, 10)).toEqual([expected, "next"]);
  });
});

describe("JSON lines", () => {
  function read(source: string | Uint8Array): readonly unknown[] {
    const seen: unknown[] = [];
    const sink = readJsonLines({
      onJson: (value) => void seen.push(value),
      onText: (line) => void seen.push(line),
    });
    sink.write(Buffer.from(source));
    sink.end();
    return seen;
  }

  test.each<[string, string, readonly unknown[]]>([
    ["objects and lists are read", '{"a":1}\n[2]\n', [{ a: 1 }, [2]]],
    ["so are they with spaces around", '  {"a":1} \n', [{ a: 1 }]],
    ["bare words and numbers are text", '12\n"a"\nnull\n', ["12", '"a"', "null"]],
    ["half an object is text", '{"a":\n', ['{"a":']],
    ["prose passes as it came", "[warn] careful\n", ["[warn] careful"]],
    ["empty lines are nothing", "\n  \n", []],
  ])("%s", (_name, source, expected) => {
    expect(read(source)).toEqual(expected);
  });

  test("no bytes whatever make it throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(() => read(bytes)).not.toThrow();
      }),
    );
  });
});
