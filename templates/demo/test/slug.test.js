import assert from "node:assert/strict";
import { test } from "node:test";

import { slug } from "../src/slug.js";

test("words are in lower case", () => {
  assert.equal(slug("README"), "readme");
});

test("every space becomes a dash", () => {
  assert.equal(slug("The quick brown fox"), "the-quick-brown-fox");
});

test("punctuation is left out", () => {
  assert.equal(slug("Hello, World!"), "hello-world");
});
