// What does a check find in a proving place, and what of what it does there is left?

import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

import type { OpenPlace } from "../../src/engine/ports.ts";
import { trimPlaces } from "../../src/workspace/worktrees/leftovers.ts";
import { commitAll } from "../support/repository.ts";
import { BRANCH, check, placesOf, project } from "./place-sandbox.ts";
import { everythingOf, signal, type Sandbox } from "./sandbox.ts";

describe("a check finds", () => {
  test("the files of the commit, dependencies and settings, and a folder that is called as the checkout", async () => {
    const box = project();
    box.write("src/a.ts", "not committed\n");
    const { out, place } = await check(
      box,
      placesOf(box),
      "cat src/a.ts .env; find . -name .git -prune -o -type f -print | sort",
    );
    expect(basename(place.root)).toBe(basename(box.root));
    expect(dirname(place.root)).toMatch(/-[0-9a-f]{8}\/place-1$/);
    expect(out.split("\n")).toEqual([
      "a",
      "A=1",
      "./.env",
      "./.gitignore",
      "./README.md",
      "./node_modules/x/index.js",
      "./node_modules/x/lib/more.js",
      "./packages/a/index.js",
      "./packages/a/node_modules/y/index.js",
      "./src/a.ts",
      "./src/b.ts",
    ]);
    expect(place.notes).toEqual([]);
  });

  test("the branch, the user's branches and tags, and addresses without passwords", async () => {
    const box = project();
    box.git("tag", "v1", "HEAD~1");
    box.git("update-ref", "refs/remotes/origin/main", "HEAD~1");
    box.git("config", "remote.origin.url", "https://ada:secret@example.org/shop.git");
    box.git("branch", BRANCH, "HEAD~1");
    const line =
      "git symbolic-ref HEAD; git status --porcelain; git remote get-url origin; git describe --tags; git rev-list --count origin/main..HEAD; git for-each-ref --format='%(refname)'";
    const { out } = await check(box, placesOf(box), line);
    expect(out.split("\n")).toEqual([
      `refs/heads/${BRANCH}`,
      "https://example.org/shop.git",
      expect.stringMatching(/^v1-1-g/),
      "1",
      "refs/heads/main",
      `refs/heads/${BRANCH}`,
      "refs/remotes/origin/main",
      "refs/tags/v1",
    ]);
  });

  test("an empty folder for temporary files, with a short name, that goes in the end", async () => {
    const box = project();
    const places = placesOf(box);
    const { place } = await check(box, places, "touch $TMPDIR/left; mkdir -p $TMPDIR/more/left");
    expect(place.tmp.length).toBeLessThan(80);
    expect(lstatSync(place.tmp).mode & 0o777).toBe(0o700);
    expect((await check(box, places, "ls $TMPDIR")).out).toBe("");
    await places.close();
    expect(existsSync(place.tmp)).toBe(false);
  });
});

describe("what a check does is gone at the next, and never reaches the user", () => {
  test.each([
    ["stashes", "echo x >src/a.ts; git stash", "git stash list"],
    ["tags and makes a branch", "git tag t; git branch b", "git tag; git branch --list b"],
    ["commits", "echo x >src/a.ts; git commit -qam x", "git log -1 --format=%s | grep x"],
    [
      "checks out something else",
      "git checkout -q --detach HEAD~1",
      "git symbolic-ref HEAD | grep -v add-login",
    ],
    ["removes the repository", "rm -rf .git", "git status --porcelain"],
    [
      "writes hooks",
      "mkdir -p .git/hooks; echo 'touch ran' >.git/hooks/post-checkout",
      "ls .git/hooks 2>/dev/null",
    ],
    [
      "changes, removes and adds files",
      "echo xx >src/a.ts; rm src/b.ts; echo n >src/n.ts; mkdir e",
      "git status --porcelain --ignored | grep -v -e node_modules -e .env; ls -d e 2>/dev/null",
    ],
    [
      "leaves what is ignored",
      "mkdir -p dist secret; echo x >dist/x.js; echo x >secret/k",
      "ls -d dist secret 2>/dev/null",
    ],
    ["puts a link in the place of a folder", "rm -rf src; ln -s packages src", "find . -type l"],
  ])("after one that %s", async (_name, line, look) => {
    const box = project();
    const before = everythingOf(box);
    const places = placesOf(box);
    await check(box, places, line);
    const { out } = await check(box, places, look);
    expect(out).toBe("");
    await places.close();
    expect(everythingOf(box)).toEqual(before);
  });

  test("what cargo built stays beside its manifest alone", async () => {
    const box = project();
    box.write("crate/Cargo.toml", "");
    commitAll(box.git);
    const places = placesOf(box);
    await check(box, places, "mkdir -p crate/target target; touch crate/target/built target/built");
    expect((await check(box, places, "ls crate/target; ls target")).out).toMatch(
      /^built\nls: .*target/,
    );
  });
});

describe("dependencies", () => {
  test("that nobody told git to ignore are there, too", async () => {
    const box = project();
    box.write(".venv/dep.py", "one = 1\n");
    expect((await check(box, placesOf(box), "cat .venv/dep.py")).out).toBe("one = 1");
  });

  test("that a check changed, removed or added are put back, and told", async () => {
    const box = project();
    const places = placesOf(box);
    const line =
      "echo evil >node_modules/x/index.js; rm -r node_modules/x/lib; mkdir node_modules/z; echo z >node_modules/z/i.js; rm .env; touch node_modules/.cache; ";
    await check(box, places, line);
    const { out, place } = await check(
      box,
      places,
      "cat node_modules/x/index.js node_modules/x/lib/more.js .env; ls -A node_modules",
    );
    expect(out.split("\n")).toEqual(["x", "more", "A=1", "x"]);
    expect(place.notes).toEqual([
      "put back .env, which the checks before changed",
      "put back node_modules, which the checks before changed",
    ]);
    expect((await check(box, places, "true")).place.notes).toEqual([]);
  });

  test("that were written anew with the old times and sizes, or moved, are put back", async () => {
    const box = project();
    box.write("node_modules/w/more.js", "w\n");
    const places = placesOf(box);
    const rewrite = "touch -r x/index.js v; echo e >x/index.js; touch -r v x/index.js; rm v";
    await check(box, places, `cd node_modules; ${rewrite}; mv x/lib v; mv w x/lib; mv v w`);
    const look = "cd node_modules; cat x/index.js w/more.js x/lib/more.js; ls";
    expect((await check(box, places, look)).out).toBe("x\nw\nmore\nw\nx");
  });

  test("that a check removed as a whole are there again", async () => {
    const box = project();
    const places = placesOf(box);
    await check(box, places, "rm -rf node_modules; ln -s /tmp node_modules");
    const { out, place } = await check(box, places, "cat node_modules/x/index.js");
    expect(out).toBe("x");
    expect(place.notes).toEqual(["put back node_modules, which the checks before changed"]);
  });

  test("are those of the checkout as a run begins; what is installed in between is taken by the next", async () => {
    const box = project();
    const first = placesOf(box);
    await check(box, first, "true");
    box.write("node_modules/x/index.js", "newer\n");
    box.write("node_modules/added/index.js", "added\n");
    rmSync(join(box.root, "node_modules/x/lib"), { recursive: true });
    const look = "cat node_modules/x/index.js; ls -d node_modules/*";
    expect((await check(box, first, look)).out.split("\n")).toEqual(["x", "node_modules/x"]);
    await first.close();
    const { out, place } = await check(box, placesOf(box), `${look} node_modules/x/*`);
    expect(out.split("\n")).toEqual(
      ["newer", "node_modules/added", "node_modules/x", "node_modules/x/index.js"].toSorted(),
    );
    expect(place.notes).toEqual([]);
  });

  test("stand only where the commit has their folder", async () => {
    const box = project();
    const places = placesOf(box);
    await check(box, places, "true");
    const { out, place } = await check(box, places, "ls", "HEAD~1");
    expect(out.split("\n")).toEqual(["README.md", "node_modules", "src"]);
    expect(place.notes).toEqual([
      "not copied: packages/a/node_modules (its folder is not in the commit)",
    ]);
    const back = await check(box, places, "cat packages/a/node_modules/y/index.js");
    expect([back.out, back.place.notes]).toEqual(["y", []]);
  });

  test("that a commit has itself are the commit's", async () => {
    const box = project();
    const places = placesOf(box);
    await check(box, places, "true");
    box.git("checkout", "--quiet", "-b", "vendored");
    box.write("node_modules/x/index.js", "committed\n");
    box.git("add", "--force", "node_modules/x/index.js");
    box.git("commit", "--quiet", "--message=vendored");
    const { out } = await check(box, places, "cat node_modules/x/index.js; ls node_modules/x");
    expect(out).toBe("committed\nindex.js");
  });
});

describe("places", () => {
  test("of one run are as many as are used at the same time", async () => {
    const box = project();
    const places = placesOf(box);
    const checkout = { commit: box.git("rev-parse", "HEAD"), branch: BRANCH };
    const rootIn = ({ root }: OpenPlace) => Promise.resolve(basename(dirname(root)));
    const second = await places.with(checkout, signal, () => places.with(checkout, signal, rootIn));
    expect([second, await places.with(checkout, signal, rootIn)]).toEqual(["place-2", "place-2"]);
  });

  test("are not shared by two runs, and the next run has what was made before", async () => {
    const box = project();
    const [first, second] = [placesOf(box), placesOf(box)];
    const one = (await check(box, first, "true")).place.root;
    const two = (await check(box, second, "true")).place.root;
    expect([one, two].map((root) => basename(dirname(root)))).toEqual(["place-1", "place-2"]);
    const inode = lstatSync(join(one, "node_modules/x/index.js")).ino;
    await first.close();
    expect((await check(box, placesOf(box), "pwd")).out).toBe(one);
    expect(lstatSync(join(one, "node_modules/x/index.js")).ino).toBe(inode);
  });

  test("of a process that died are free", async () => {
    const box = project();
    const { place } = await check(box, placesOf(box), "true");
    const slot = dirname(place.root);
    const [name = ""] = readdirSync(slot).filter((entry) => entry.startsWith("owner."));
    const record: unknown = JSON.parse(readFileSync(join(slot, name), "utf8"));
    const dead = { pid: 2 ** 22 + 1, startTime: "long ago" };
    writeFileSync(join(slot, name), JSON.stringify({ ...Object(record), process: dead }));
    writeFileSync(join(slot, `${basename(box.root)}.state/git/index.lock`), "");
    const inode = lstatSync(join(place.root, "node_modules")).ino;
    expect((await check(box, placesOf(box), "git status --porcelain; pwd")).out).toBe(place.root);
    expect(lstatSync(join(place.root, "node_modules")).ino).toBe(inode);
  });

  test.each([
    ["is gone", (root: string) => rmSync(root, { recursive: true })],
    ["is a link", (root: string) => symlinkSync("/tmp", root)],
    [
      "was cut off in the middle",
      (_root: string, state: string) => writeFileSync(join(state, "made"), ""),
    ],
    [
      "has lost what orch knows of it",
      (_root: string, state: string) => rmSync(state, { recursive: true }),
    ],
  ])("of which one %s are made anew", async (_name, damage) => {
    const box = project();
    const first = placesOf(box);
    const { place } = await check(box, first, "true");
    await first.close();
    const kept = `${place.root}.kept`;
    if (_name === "is a link") renameSync(place.root, kept);
    damage(place.root, `${place.root}.state`);
    const look = "git status --porcelain; cat src/a.ts node_modules/x/index.js; ls -A";
    const { out } = await check(box, placesOf(box), look);
    expect(out.split("\n")).toEqual([
      "a",
      "x",
      ".env",
      ".git",
      ".gitignore",
      "README.md",
      "node_modules",
      "packages",
      "src",
    ]);
  });

  test("have the keys of filters that encrypt what is committed", async () => {
    const box = project();
    box.write(".git/vault-crypt/key", "x\n");
    const filter = 'cat "$(git rev-parse --git-dir)/vault-crypt/key" > /dev/null && rev';
    for (const way of ["smudge", "clean"]) box.git("config", `filter.vault-crypt.${way}`, filter);
    box.git("config", "filter.vault-crypt.required", "true");
    box.write(".gitattributes", "secret.txt filter=vault-crypt\n");
    box.write("secret.txt", "abc\n");
    commitAll(box.git);
    expect(box.git("show", "HEAD:secret.txt")).toBe("cba");
    const { out } = await check(box, placesOf(box), "cat secret.txt; git status --porcelain");
    expect(out.trim()).toBe("abc");
  });

  test("that no run uses go, of whichever repository, where they take too much", async () => {
    const [one, other] = [project(), project()];
    const settings = { root: one.state, include: null, setup: null, prepare: null, neighbours: [] };
    const used = async (box: Sandbox): Promise<void> => {
      const places = placesOf(box, { settings });
      await check(box, places, "true");
      await places.close();
    };
    const repositories = () => readdirSync(one.state).filter((name) => name.includes("-"));
    await used(one);
    await used(other);
    const both = repositories();
    expect(both).toHaveLength(2);
    await trimPlaces(one.state, 0);
    expect(both.filter((name) => existsSync(join(one.state, name)))).toEqual([]);
  });

  test("that cannot be made are an error that says so", async () => {
    const box = project();
    const root = join(box.root, "README.md");
    const places = placesOf(box, {
      settings: { root, include: null, setup: null, prepare: null, neighbours: [] },
    });
    await expect(check(box, places, "true")).rejects.toMatchObject({ code: "tree-not-made" });
  });
});
