import { describe, expect, test } from "vitest";

import { relocate } from "../../src/adapters/environment.ts";

describe("a folder is replaced", () => {
  test.each([
    ["as the whole text", "/srv/app", "/tmp/copy"],
    ["as the beginning of a path", "/srv/app/bin/x", "/tmp/copy/bin/x"],
    ["wherever it stands in a list", "/a:/srv/app/bin:/srv/app", "/a:/tmp/copy/bin:/tmp/copy"],
    ["in a line of a script", "#!/srv/app/.venv/bin/python\n", "#!/tmp/copy/.venv/bin/python\n"],
  ])("%s", (_where, text, expected) => {
    expect(relocate(text, "/srv/app", "/tmp/copy")).toBe(expected);
  });
});

describe("another folder is not", () => {
  test.each([
    ["whose name goes on", "/srv/app2 /srv/app-old /srv/app.bak /srv/app_x /srv/appé"],
    ["that ends alike", "/mnt/srv/app"],
    ["above it", "/srv"],
  ])("%s", (_which, text) => {
    expect(relocate(text, "/srv/app", "/tmp/copy")).toBe(text);
  });

  test("nor is every path when the folder is the root of all", () => {
    expect(relocate("/a:/b", "/", "/tmp/copy")).toBe("/a:/b");
    expect(relocate("abc", "", "/tmp/copy")).toBe("abc");
  });
});

test("4 MiB that almost match everywhere are read once", () => {
  const almost = "/srv/ap".repeat(600_000);
  expect(relocate(almost, "/srv/app", "/tmp/copy")).toBe(almost);
});
