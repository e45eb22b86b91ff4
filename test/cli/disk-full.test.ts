import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

import { gitWithoutRoom } from "../support/no-room.ts";
import { endsOf, eventsOf, expectSound, runIds } from "../support/run-record.ts";
import { COMPLETED, shellAgent, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

interface SmallDisk {
  /** For programs that are to meet it. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes up all the room there is; a file that can be removed. */
  readonly filler: string;
}

/** A file system of its own in the folder's place; who may not mount one gets a git that says git's words. */
function smallDisk(box: Sandbox, folder: string): SmallDisk {
  const path = join(box.root, folder);
  const kept = join(box.beside, "kept");
  mkdirSync(path, { recursive: true });
  cpSync(path, kept, { recursive: true });
  try {
    shell(`mount -t tmpfs -o size=2m tmpfs ${path}`);
  } catch {
    const filler = join(box.beside, "filler");
    const bin = join(box.beside, "bin");
    return { env: { PATH: gitWithoutRoom(bin, box.env["PATH"] ?? "", filler) }, filler };
  }
  onTestFinished(() => shell(`umount -l ${path}`));
  cpSync(kept, path, { recursive: true });
  return { env: {}, filler: join(path, "filler") };
}

function shell(line: string): void {
  execFileSync("/bin/sh", ["-c", line], { stdio: "ignore" });
}

/** Everything a person would miss. */
function ofTheUser({ git }: Sandbox): readonly string[] {
  return [
    git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/main", "refs/stash"),
    git("symbolic-ref", "HEAD"),
    git("ls-files", "--stage"),
    git("status", "--porcelain", "--ignored=no"),
    git("diff"),
  ];
}

/** What a git that was cut off leaves lying. */
function halfDone({ root }: Sandbox): readonly string[] {
  const all = readdirSync(join(root, ".git"), { recursive: true, encoding: "utf8" });
  return all.filter((path) => /\.lock$|\/tmp_/.test(path));
}

test.each([".git/objects", ".git/refs", ".orch"])(
  "where %s is full at a checkpoint the run is put off, and goes on as if nothing had been",
  async (folder) => {
    const fill = `head -c 4000000 /dev/zero >"$(cat $BESIDE/filler-path)" 2>/dev/null`;
    const work = `echo good > good.txt; echo '${JSON.stringify(COMPLETED.report)}' > "$ORCH_REPORT"`;
    const box = smallProject({ config: shellAgent(`${work}; ${fill}; true`) });
    box.write("mine.txt", "not committed\n");
    const { env, filler } = smallDisk(box, folder);
    writeFileSync(join(box.beside, "filler-path"), filler);
    const before = ofTheUser(box);
    const full = await box.orch(["run", "task.md"], { env });
    expect(full.stderr).toMatch(
      /\norch: no space left .+\nhint: free some space.+`orch resume`.+\n$/,
    );
    expect([full.exitCode, ofTheUser(box)]).toEqual([75, before]);
    rmSync(filler);
    box.git("fsck", "--no-dangling");
    expect(halfDone(box)).toEqual([]);
    const again = await box.orch(["resume"], { env });
    expect([again.exitCode, again.stderr.includes("orch: ")]).toEqual([0, false]);
    expect([endsOf(box), eventsOf(box, "session-started").length]).toEqual([{ task: "done" }, 1]);
    expect(box.git("show", `orch/${runIds(box)[0]}:good.txt`)).toBe("good");
    expect(ofTheUser(box)).toEqual(before);
    expectSound(box);
  },
);

function isMounted(path: string, options: string): boolean {
  mkdirSync(path, { recursive: true });
  try {
    shell(`mount -t tmpfs -o ${options} tmpfs ${path}`);
  } catch {
    return false; // Not allowed here: then nothing is short, and nothing is put off.
  }
  onTestFinished(() => shell(`umount -l ${path}`));
  return true;
}

const DISKS = [
  ["project/.orch", "size=64k"],
  ["project/.orch", "size=50m,nr_inodes=32"],
  ["orch-trees", "size=50m,nr_inodes=16"],
  ["project/.git/objects", "size=50m,nr_inodes=40"],
] as const;

test("with too little room for bytes or files no run begins, and what to free is said", async () => {
  for (const [folder, options] of DISKS) {
    const box = smallProject({ files: { ".gitignore": ".env\n" } });
    // What is to be copied needs no more than what a run may begin with.
    box.write(".env", "PORT=1\n");
    const path = join(box.beside, folder);
    const kept = join(box.beside, "kept");
    mkdirSync(path, { recursive: true });
    cpSync(path, kept, { recursive: true });
    const isShort = isMounted(path, options);
    if (isShort) cpSync(kept, path, { recursive: true });
    const { exitCode, stderr } = await box.orch(["run", "task.md"]);
    expect(exitCode).toBe(isShort ? 75 : 0);
    if (!isShort) continue;
    expect(stderr).toMatch(/(?:^|\n)orch: no space left for .+ in ".+": it needs .+\nhint: free/);
    expect(stderr).toContain("nothing was begun");
    shell(`mount -o remount,size=50m,nr_inodes=20000 ${path}`);
    expect((await box.orch(["run", "task.md"])).exitCode).toBe(0);
    expect([endsOf(box), eventsOf(box, "session-started").length]).toEqual([{ task: "done" }, 1]);
  }
});
