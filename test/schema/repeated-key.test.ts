import fc from "fast-check";
import { expect, test } from "vitest";

import { repeatedKey } from "../../src/schema/repeated-key.ts";

test.each<[string, string, ReturnType<typeof repeatedKey>]>([
  ["at once", '{"a":1,"a":2}', { key: "a", line: 1 }],
  ["lines later", '{\n"a":1,\n"b":{},\n"a":2}', { key: "a", line: 4 }],
  ["within a list", '[{"b":1},{"b":1,"b":1}]', { key: "b", line: 1 }],
  ["written in two ways", '{"a\\n":1,"a\\u000a" :2}', { key: "a\n", line: 1 }],
  ["after an object of its own", '{"a":{"a":[{"a":1}]},"a":2}', { key: "a", line: 1 }],
])("a key that comes again is found: %s", (_name, json, found) => {
  JSON.parse(json);
  expect(repeatedKey(json)).toEqual(found);
});

test.each([
  ["in another object", '[{"a":1},{"a":{"a":2}}]'],
  ["as a value", '{"a":"a","b":"a","c":["a","a"]}'],
  ["inside a text", '{"a":"{\\"a\\":1,\\"a\\":2}"}'],
  ["named like a method", '{"toString":1,"__proto__":2}'],
])("what looks like a repetition is none: %s", (_name, json) => {
  JSON.parse(json);
  expect(repeatedKey(json)).toBeNull();
});

test("no value that was written from memory has one", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      expect(repeatedKey(JSON.stringify(value, null, indent))).toBeNull();
    }),
  );
});

test("a text of a mebibyte is looked through", () => {
  const long = '\\\\\\"'.repeat(250_000);
  expect(repeatedKey(`{"a":"${long}","b":{"${long}":1,"${long}":2}}`)?.line).toBe(1);
});
