// What do commands make in a proving place: dependencies that a commit declares, and what its gates need?

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import type { Places } from "../../src/engine/ports.ts";
import { commitAll } from "../support/repository.ts";
import { check, placesOf, project } from "./place-sandbox.ts";
import { ENV, type Sandbox } from "./sandbox.ts";

/** `made` in the commands' log folder counts how often they ran. */
function placesWith(box: Sandbox, run: Partial<Record<"setup" | "prepare", string>>): Places {
  const command = (line: string | undefined) =>
    line === undefined ? null : { run: `echo run >>"${counter(box)}"; ${line}`, timeoutMs: 60_000 };
  const settings = { include: null, setup: command(run.setup), prepare: command(run.prepare) };
  const logs = join(box.state, "logs");
  return placesOf(box, {
    commands: { settings, env: ENV, logs, confine: UNCONFINED, redact: (text) => text },
  });
}

function counter(box: Sandbox): string {
  return join(box.state, "runs");
}

function runsOf(box: Sandbox): number {
  const file = counter(box);
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
}

const DECLARES = (name: string): string =>
  JSON.stringify({ dependencies: { [name]: "1" }, scripts: {} });

/** What is installed is for `x`; the last commit declares `pad`. */
function declaring(): Sandbox {
  const box = project();
  box.write("package.json", DECLARES("x"));
  commitAll(box.git);
  box.write("package.json", DECLARES("pad"));
  commitAll(box.git);
  box.git("checkout", "--quiet", "--detach", "HEAD~1");
  return box;
}

const BASE = "HEAD";
const WORK = "main";
const INSTALL =
  "mkdir -p node_modules/pad dist && echo pad >node_modules/pad/index.js && echo b >dist/b";
const LOOK = "ls node_modules; ls -d dist 2>/dev/null";

describe("dependencies in a place", () => {
  test("are those of the checkout where the commit declares the same", async () => {
    const box = declaring();
    const places = placesWith(box, { setup: INSTALL });
    expect((await check(box, places, LOOK, BASE)).out).toBe("x");
    expect(runsOf(box)).toBe(0);
  });

  test("are installed once where it declares others, and stay as they were installed", async () => {
    const box = declaring();
    const places = placesWith(box, { setup: INSTALL });
    const first = await check(box, places, `${LOOK}; echo weak >node_modules/pad/index.js`, WORK);
    expect([first.out, first.place.stale]).toEqual(["pad\nx", null]);
    const second = await check(box, places, "cat node_modules/pad/index.js", WORK);
    expect(second.out).toBe("pad");
    expect(second.place.notes).toEqual(["put back node_modules, which the checks before changed"]);
    expect((await check(box, places, LOOK, BASE)).out).toBe("x");
    expect((await check(box, places, LOOK, WORK)).out).toBe("pad\nx");
    await places.close();
    expect((await check(box, placesWith(box, { setup: INSTALL }), LOOK, WORK)).out).toBe("pad\nx");
    expect(runsOf(box)).toBe(1);
  });

  test("are not installed anew for what declares nothing", async () => {
    const box = declaring();
    box.write("package.json", JSON.stringify({ scripts: { test: "x" }, dependencies: { x: "1" } }));
    commitAll(box.git);
    const places = placesWith(box, { setup: INSTALL });
    box.write("package.json", DECLARES("x"));
    expect((await check(box, places, LOOK, "HEAD")).out).toBe("x");
    expect(runsOf(box)).toBe(0);
  });

  test("are installed where the checkout has none", async () => {
    const box = declaring();
    for (const folder of ["node_modules", "packages/a/node_modules"])
      rmSync(join(box.root, folder), { recursive: true });
    const places = placesWith(box, { setup: INSTALL });
    expect((await check(box, places, LOOK, BASE)).out).toBe("pad");
    expect((await check(box, places, LOOK, BASE)).out).toBe("pad");
    expect(runsOf(box)).toBe(1);
  });

  test("are those of the checkout where they cannot be installed, which is told", async () => {
    const box = declaring();
    const places = placesWith(box, { setup: "rm -r node_modules; echo no network >&2; exit 7" });
    const { out, place } = await check(box, places, LOOK, WORK);
    expect(out).toBe("x");
    expect(place.stale).toMatch(/^dependencies not installed anew: \(.+, exit code 7: no network$/);
    expect((await check(box, places, LOOK, BASE)).place.stale).toBe(null);
    await check(box, places, LOOK, WORK);
    expect(runsOf(box)).toBe(1);
  });
});

describe("what worktree.prepare makes", () => {
  const MAKE = "mkdir -p dist && cat src/a.ts >dist/a";

  test("is there for each gate as it was made, and made anew for another commit", async () => {
    const box = project();
    const places = placesWith(box, { prepare: MAKE });
    expect((await check(box, places, "cat dist/a; echo weak >dist/a")).out).toBe("a");
    expect((await check(box, places, "cat dist/a")).out).toBe("a");
    expect(runsOf(box)).toBe(1);
    box.write("src/a.ts", "changed\n");
    commitAll(box.git);
    expect((await check(box, places, "cat dist/a")).out).toBe("changed");
    expect(runsOf(box)).toBe(2);
  });

  test("is made for each gate where it changes files of the commit", async () => {
    const box = project();
    const places = placesWith(box, { prepare: "echo generated >src/a.ts" });
    for (const times of [1, 2]) {
      expect((await check(box, places, "cat src/a.ts")).out).toBe("generated");
      expect(runsOf(box)).toBe(times);
    }
  });

  test("keeps gates from running where it cannot be made", async () => {
    const box = project();
    const places = placesWith(box, { prepare: "echo 'a.ts: no such name' >&2; exit 2" });
    const { place } = await check(box, places, "true");
    expect(place.broken).toMatch(
      /^worktree\.prepare \(.+\) failed, exit code 2: a\.ts: no such name$/,
    );
  });
});
