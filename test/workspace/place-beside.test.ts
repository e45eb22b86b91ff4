// What else has to do with a proving place: submodules, and what cleans up?

import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

import { clearPlace, slotsIn, unusedPlaces } from "../../src/workspace/worktrees/leftovers.ts";
import { commitAll, gitIn } from "../support/repository.ts";
import { check, placesOf, project, repository } from "./place-sandbox.ts";
import { everythingOf, sandbox } from "./sandbox.ts";

test("orch clean takes no place for a tree of a run, and removes what no run uses", async () => {
  const box = project();
  const places = placesOf(box);
  const { place } = await check(box, places, "true");
  const { commonDir } = await repository(box.root);
  const slot = dirname(place.root);
  expect(await slotsIn(box.state, commonDir)).toEqual([]);
  expect(await unusedPlaces(box.state, commonDir)).toEqual([]);
  expect(await clearPlace(slot)).toBe("a run uses it");
  await places.close();
  expect(await unusedPlaces(box.state, commonDir)).toEqual([slot]);
  expect(await clearPlace(slot)).toBeNull();
  expect(existsSync(slot)).toBe(false);
});

describe("submodules", () => {
  function withSubmodule() {
    const library = sandbox();
    const inner = sandbox();
    const allow = ["-c", "protocol.file.allow=always"];
    library.git(...allow, "submodule", "--quiet", "add", inner.root, "deep");
    commitAll(library.git);
    const box = project();
    box.git(...allow, "submodule", "--quiet", "add", "--name", "lib/x", library.root, "library");
    box.git(...allow, "submodule", "--quiet", "update", "--init", "--recursive");
    commitAll(box.git);
    const module = gitIn(join(box.root, "library"));
    box.write("library/src/a.ts", "second\n");
    module(
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@b",
      "commit",
      "--quiet",
      "--all",
      "--message=second",
    );
    commitAll(box.git);
    return { box, module };
  }

  test("stand at the commits that are pointed at, with repositories of their own", async () => {
    const { box, module } = withSubmodule();
    const before = [everythingOf(box), module("for-each-ref"), module("status", "--porcelain")];
    const places = placesOf(box);
    const look =
      "cat library/src/a.ts library/deep/README.md; git status --porcelain; git -C library log -1 --format=%s";
    expect((await check(box, places, look)).out).toBe("second\nhello\nsecond");
    const spoil =
      "cd library; echo x >src/b.ts; git -c user.name=a -c user.email=a@b commit -qam x; git stash; git tag t; touch deep/new; rm -rf src; ";
    expect((await check(box, places, `${look}; ${spoil}`, "HEAD~1")).out).toMatch(
      /^a\nhello\nstart/,
    );
    expect((await check(box, places, `${look}; git -C library tag; ls library/deep`)).out).toBe(
      "second\nhello\nsecond\nREADME.md\nsrc",
    );
    expect([everythingOf(box), module("for-each-ref"), module("status", "--porcelain")]).toEqual(
      before,
    );
  });

  test("come from their remote where the commit moves them on, or adds them", async () => {
    const remote = sandbox();
    const box = project();
    box.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", remote.root, "old");
    commitAll(box.git);
    remote.write("src/a.ts", "newer\n");
    commitAll(remote.git);
    const newer = `160000,${remote.git("rev-parse", "HEAD")}`;
    box.git("checkout", "--quiet", "-b", "work");
    const added = `[submodule "x"]\n\tpath = new\n\turl = ${remote.root}\n`;
    box.write(".gitmodules", `${box.read(".gitmodules")}${added}`);
    for (const path of ["old", "new"])
      box.git("update-index", "--add", "--cacheinfo", `${newer},${path}`);
    box.git("add", ".gitmodules");
    box.git("commit", "--quiet", "--message=work");
    box.git("checkout", "--quiet", "main");
    const seen = () => [box.git, gitIn(join(box.root, "old"))].map((git) => git("for-each-ref"));
    const before = [...seen(), box.git("status", "--porcelain")];
    const places = placesOf(box);
    const look = "cat old/src/a.ts new/src/a.ts; git -C new status --porcelain";
    expect((await check(box, places, look, "work")).out).toBe("newer\nnewer");
    expect([...seen(), box.git("status", "--porcelain")]).toEqual(before);
  });

  test("that the user has no repository of are empty", async () => {
    const { box } = withSubmodule();
    const places = placesOf(box);
    await check(box, places, "true");
    box.git("submodule", "--quiet", "deinit", "--force", "library");
    rmSync(join(box.root, ".git/modules"), { recursive: true });
    expect((await check(box, places, "ls -A library")).out).toBe("");
  });
});
