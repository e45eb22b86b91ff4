import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { times } from "../support/deaths.ts";
import { mulberry32 } from "../support/dice.ts";
import { eachOf } from "../support/each-of.ts";
import { endsOf, eventsOf, expectSound, runIds } from "../support/run-record.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { userView } from "../support/user-view.ts";
import { sandbox, type Sandbox } from "../support/whole-program.ts";

/** Another one is tried with SEED=…; a failure names the one it happened with. */
const SEED = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const RUNS = times(3, 200);
const LIVES_MAX = 40;

const write = (path: string, text: string) => ({ write: { path, text } });
const completed = { report: { version: 1, status: "completed", summary: "done" } };
/** Outside its scope, which is accepted with a reason. */
const shares = {
  report: {
    ...completed.report,
    changed_checks: [{ check: "shared.txt", reason: "both parts are named there" }],
  },
};
const scoped = (id: string, more = ""): string =>
  `---\nscope: ["${id}/**"]\n${more}---\n# Write ${id}\n\nWrite ${id}.\n`;

/** Three at once, of which two meet in a file outside their scopes, and one that depends on all. */
function project(): Sandbox {
  const shared = (id: string) => write("shared.txt", `${id}\n`);
  const box = sandbox({
    files: {
      ".orchestrator.config.js": `export default {
        agent: "scripted",
        agents: { scripted: ${scriptedAgent()} },
        gates: { check: { run: "sh check.sh", parse: "none" } },
        parallel: 3,
      };\n`,
      "script.json": JSON.stringify({
        sessions: [
          { task: "a", attempt: 1, do: [write("a/one.txt", "red\n"), completed] },
          { task: "a", do: [write("a/one.txt", "a\n"), completed] },
          { task: "b", attempt: 1, do: [write("b/one.txt", "b\n"), shared("b"), shares] },
          { task: "b", do: [shared("b and c"), shares] },
          { task: "c", attempt: 1, do: [write("c/one.txt", "c\n"), shared("c"), shares] },
          { task: "c", do: [shared("b and c"), shares] },
          { task: "d", do: [write("d/one.txt", "d\n"), completed] },
        ],
      }),
      "check.sh": "! grep -rq red a b c 2>/dev/null\n",
      "mine.txt": "committed\n",
      ".gitignore": "node_modules/\n",
      "tasks/a.md": scoped("a"),
      "tasks/b.md": scoped("b"),
      "tasks/c.md": scoped("c"),
      "tasks/d.md": scoped("d", "dependsOn: [a, b, c]\n"),
    },
  });
  box.write("mine.txt", "stashed\n");
  box.git("stash");
  box.write("mine.txt", "edited\n");
  box.write("staged.txt", "staged\n");
  box.git("add", "staged.txt");
  box.write("untracked.txt", "untracked\n");
  box.write("node_modules/tool/index.js", "installed\n");
  return box;
}

/**
 * As the end of a container, or of the machine's power as far as a process sees it: nothing of the run
 * does another thing. Stopped first, so that none sees another one die.
 */
function killEverything(box: Sandbox): void {
  // What was stopped just before it became another program is not known by its environment any more.
  const pids = new Set<number>();
  for (const signal of ["SIGSTOP", "SIGSTOP", "SIGKILL"] as const) {
    for (const pid of box.processes()) pids.add(pid);
    for (const pid of pids)
      try {
        process.kill(pid, signal);
      } catch {
        // It came to its end before.
      }
  }
}

test(`whoever is killed with everything at once goes on to the same end, and the user's is untouched (seed ${SEED})`, async () => {
  const seeds = Array.from({ length: RUNS }, (_, at) => SEED + at);
  await eachOf(seeds, async (seed) => {
    const dice = mulberry32(seed);
    const box = project();
    const before = userView(box.root, box.git);
    const kills = 1 + Math.floor(dice() * 4);
    for (let life = 0; ; life += 1) {
      if (life === LIVES_MAX) throw new Error(`seed ${seed}: not at its end`);
      const program = box.start(runIds(box).length > 0 ? ["resume"] : ["run", "tasks"]);
      const timer =
        life < kills ? setTimeout(() => killEverything(box), Math.floor(dice() * 2_500)) : null;
      const { exitCode, signal, stderr } = await program.ended;
      if (timer !== null) clearTimeout(timer);
      if (signal === null && /has ended|no run/.test(stderr)) break;
      if (signal === null) {
        expect({ seed, exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({
          seed,
          exitCode: 0,
          stderr: "",
        });
        break;
      }
    }
    expect({ seed, view: userView(box.root, box.git) }).toEqual({ seed, view: before });
    expect(endsOf(box)).toEqual({ a: "done", b: "done", c: "done", d: "done" });
    const [run = ""] = runIds(box);
    const tip = `orch/${run}`;
    const files = ["a/one.txt", "b/one.txt", "c/one.txt", "d/one.txt", "shared.txt"];
    const texts = files.map((path) => box.git("show", `${tip}:${path}`));
    expect({ seed, texts }).toEqual({ seed, texts: ["a", "b", "c", "d", "b and c"] });
    expect(box.git("ls-tree", "-r", "--name-only", tip).split("\n")).not.toContain("untracked.txt");
    expect(
      eventsOf(box, "merge-ended").filter(({ result }) => result.kind === "merged"),
    ).toHaveLength(4);
    expect(treesLeft(box)).toEqual([]);
    box.git("fsck", "--no-dangling");
    expectSound(box);
  });
}, 3_600_000);

function treesLeft(box: Sandbox): readonly string[] {
  const folder = join(box.beside, "orch-trees");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /(?<!\/place-\d+\/project)\/\.git$/.test(path),
  );
}
