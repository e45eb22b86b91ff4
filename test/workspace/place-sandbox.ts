// What does a test of proving places need: a project, and checks that run in its places?

import { spawnSync } from "node:child_process";

import { join } from "node:path";
import { findRepository } from "../../src/workspace/git/find-repository.ts";
import type { Git } from "../../src/workspace/git/git.ts";
import type { OpenPlace, Places } from "../../src/engine/ports.ts";
import { createPlaces, type PlacesDeps } from "../../src/workspace/place/places.ts";
import { ENV, sandbox, signal, type Sandbox } from "./sandbox.ts";
import { UNCONFINED } from "../../src/adapters/process/confine.ts";

export async function repository(root: string): Promise<Git> {
  const git = await findRepository(root, ENV);
  if (git === null) throw new Error("no repository");
  return git;
}

/** As a run begins. */
export function placesOf(box: Sandbox, more: Partial<PlacesDeps> = {}): Places {
  return createPlaces({
    repository: () => repository(box.root),
    first: { refs: null, ignored: null },
    commands: {
      settings: { include: null, setup: null, prepare: null },
      env: ENV,
      logs: join(box.state, "logs"),
      confine: UNCONFINED,
      redact: (text) => text,
    },
    settings: {
      root: box.state,
      include: null,
      setup: null,
      prepare: null,
      neighbours: [],
    },
    env: ENV,
    ...more,
  });
}

export const BRANCH = "orch/add-login";

/** What a check that is this line of the shell prints, and what orch says of the place. */
export async function check(
  box: Sandbox,
  places: Places,
  line: string,
  commit = "HEAD",
): Promise<{ readonly out: string; readonly place: OpenPlace }> {
  const checkout = { commit: box.git("rev-parse", commit), branch: BRANCH };
  return places.with(checkout, signal, async (place) => {
    const env = { ...ENV, TMPDIR: place.tmp };
    const options = { cwd: place.root, env, encoding: "utf8" } as const;
    const { stdout, stderr } = spawnSync("/bin/sh", ["-c", line], options);
    return { out: (stdout + stderr).trim(), place };
  });
}

/** Two commits, and dependencies that git ignores. */
export function project(): Sandbox {
  const box = sandbox();
  box.write(".gitignore", "node_modules/\n.env\ndist/\ntarget/\nsecret/\n");
  box.write("packages/a/index.js", "a\n");
  box.git("add", "--all");
  box.git("commit", "--quiet", "--message=second");
  box.write("node_modules/x/index.js", "x\n");
  box.write("node_modules/x/lib/more.js", "more\n");
  box.write("node_modules/.cache/x", "of the user's checks\n");
  box.write("packages/a/node_modules/y/index.js", "y\n");
  box.write(".env", "A=1\n");
  return box;
}
