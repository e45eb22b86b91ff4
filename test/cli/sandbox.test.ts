import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";

import { createConfine } from "../../src/adapters/process/confine.ts";
import { findProgram } from "../../src/adapters/process/program.ts";
import { expectTwoLines, runIds } from "../support/run-record.ts";
import { COMPLETED, smallProject } from "../support/small-project.ts";
import { MAKES_SANDBOXES } from "../support/sandboxes.ts";
import type { Sandbox } from "../support/whole-program.ts";

const PATH = process.env["PATH"] ?? "";

const can = (what: string, words: string): string =>
  `if ${words} >/dev/null 2>&1; then echo "can ${what}"; else echo "cannot ${what}"; fi`;

/** An agent, or a gate, that says what it can reach. */
function project(asked: readonly string[], { gate = "test -f good.txt", more = "" } = {}): Sandbox {
  const report = `echo '${JSON.stringify(COMPLETED.report)}' > "$ORCH_REPORT"`;
  const work = ["cat >/dev/null", ...asked, "echo good > good.txt", report];
  const command = JSON.stringify(["sh", "-c", work.join("\n")]);
  const agent = `agent: "sh", agents: { sh: { driver: "command", command: ${command} } },`;
  return smallProject({ config: `${agent} sandbox: { use: "none", ${more} },`, gate });
}

/** What was said in a log of the first attempt; null: it cannot be confined here, and was not run. */
async function linesOf(box: Sandbox, log: string, ...args: readonly string[]) {
  // What names the checkout in the environment would be led to the tree.
  const env = { BESIDE: dirname(box.root), NAME: basename(box.root) };
  const ended = await box.orch(["run", "task.md", ...args], { env });
  const [run = ""] = runIds(box);
  if (!MAKES_SANDBOXES) {
    expectTwoLines(ended);
    expect([ended.stderr, run]).toEqual([expect.stringContaining("sandbox"), ""]);
    return null;
  }
  expect(ended.exitCode).toBe(0);
  const path = join(box.root, ".orch/runs", run, "attempts/task/implement-1", log);
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("can"));
}

const REACHES = [
  can("write its tree", "touch x"),
  can("write the system", "touch /usr/x"),
  can("change the kernel", "true >>/proc/sys/kernel/core_pattern"),
  can("mount", "mount -t tmpfs none /mnt"),
  can("make namespaces", "unshare -Ur true"),
  can("see the checkout", 'ls "$BESIDE/$NAME/task.md"'),
  can("see the records", 'ls "$BESIDE/$NAME/.orch/runs"/*/events.jsonl'),
  can("read the history", "git log"),
  can("see this process", `kill -0 ${process.pid}`),
  can("find orch", "command -v orch"),
  can("reach orch", 'orch ask "Tabs?" --impact taste'),
  can("stand in for orch", 'touch "$ORCH_SESSION_DIR/x"'),
];

test("an agent writes its tree, and sees neither the checkout nor other processes", async () => {
  const lines = await linesOf(project(REACHES), "output.log", "--sandbox", "bwrap");
  expect(lines ?? EXPECTED).toEqual(EXPECTED);
});

const EXPECTED = [
  "can write its tree",
  "cannot write the system",
  "cannot change the kernel",
  "cannot mount",
  "cannot make namespaces",
  "cannot see the checkout",
  "cannot see the records",
  "can read the history",
  "cannot see this process",
  "can find orch",
  "can reach orch",
  "cannot stand in for orch",
];

test("in place, the checkout can be written, and neither orch's records nor git's settings", async () => {
  const asked = [
    ...REACHES.slice(0, 1),
    ...REACHES.slice(5, 7),
    can("set a filter", "git config filter.x.clean cat"),
    can("plant a hook", "touch .git/hooks/post-commit"),
    can("move git's folder", "mv .git .git2"),
    can("lead git elsewhere", "touch .git/commondir"),
  ];
  const box = project(asked, { more: 'use: "bwrap"' });
  const lines = await linesOf(box, "output.log", "--isolation", "none");
  const expected = [
    "can write its tree",
    "can see the checkout",
    "cannot see the records",
    "cannot set a filter",
    "cannot plant a hook",
    "cannot move git's folder",
    "cannot lead git elsewhere",
  ];
  expect(lines ?? expected).toEqual(expected);
});

test("gates are confined as agents are, and reach no network where only agents may", async () => {
  const reach = "exec 3<>/dev/tcp/127.0.0.1/$PORT";
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const asked = [can("reach the network", `bash -c '${reach.replace("$PORT", port)}'`)];
  const gate = [...asked, ...REACHES.slice(1, 7), "test -f good.txt"].join("; ");
  const box = project(asked, { gate, more: 'use: "bwrap", network: "agents"' });
  const of = {
    agent: await linesOf(box, "output.log"),
    gate: ["cannot reach the network", ...EXPECTED.slice(1, 7)],
  };
  server.close();
  expect(of.agent ?? ["can reach the network"]).toEqual(["can reach the network"]);
  const [run = ""] = runIds(box);
  const log = of.agent === null ? of.gate.join("\n") : gateLog(box, run);
  expect(log.split("\n").filter((line) => line.startsWith("can"))).toEqual(of.gate);
});

function gateLog(box: Sandbox, run: string): string {
  return readFileSync(
    join(box.root, ".orch/runs", run, "attempts/task/implement-1/gates/check.log"),
    "utf8",
  );
}

/** A filter of the repository's own, which the work replaces by one that leaves the tree. */
test.each([
  ["without a sandbox runs from the checkout", "none", "GOOD"],
  ["in a sandbox is held in it", "bwrap", "good\nreplaced"],
])("a filter that the work replaces %s", async (_what, use, expected) => {
  const out = join(tmpdir(), randomUUID());
  const replaces = `printf '#!/bin/sh\\ntouch ${out}; cat; echo replaced' > tools/filter.sh`;
  const box = project([replaces], { gate: "test -f good.txt", more: `use: "${use}"` });
  mkdirSync(join(box.root, "tools"));
  const script = "#!/bin/sh\ntr a-z A-Z\n";
  writeFileSync(join(box.root, "tools/filter.sh"), script, { mode: 0o755 });
  writeFileSync(join(box.root, ".gitattributes"), "*.txt filter=own\n");
  box.git("config", "filter.own.clean", "./tools/filter.sh");
  box.git("add", "-A");
  box.git("commit", "-qm", "a filter");
  const { exitCode, stderr } = await box.orch(["run", "task.md"]);
  expect(existsSync(out)).toBe(false);
  if (use === "bwrap" && !MAKES_SANDBOXES) return expect(exitCode).toBe(2);
  expect(exitCode).toBe(0);
  expect(box.git("show", "orch/task:good.txt").trim()).toBe(expected);
  expect(stderr.includes("filter.own.clean (./tools/filter.sh) runs in your checkout")).toBe(
    use === "none",
  );
});

test("what a session left in its home leads no later one's sandbox elsewhere", () => {
  const place = mkdtempSync(join(tmpdir(), "orch-home-"));
  const [users = "", inner = "", tree = ""] = ["users", "own", "tree"].map((name) =>
    join(place, name),
  );
  for (const folder of [join(users, "a"), inner, tree]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(users, "a/settings"), "{}");
  symlinkSync(`/oldroot${place}`, join(inner, "a"));
  const settings = { use: "bwrap", network: "all", read: [], write: [], userns: false } as const;
  const deps = { root: place, folders: [], env: { PATH } };
  if (!MAKES_SANDBOXES) return expect(() => createConfine(settings, deps)).toThrow("sandbox");
  const mine = { inPlace: [{ at: users, from: inner }], read: [join(users, "a/settings")] };
  const confine = createConfine(settings, deps);
  const words = confine({ who: "agent", cwd: tree, env: { PATH }, ...mine });
  execFileSync(words[0] ?? "", [...words.slice(1), "test", "-f", join(users, "a/settings")]);
  expect(existsSync(join(place, "settings"))).toBe(false);
});

test("a filter that lacks what it needs in a sandbox ends the run, and nothing is stored without it", async () => {
  const box = project([], { more: 'use: "bwrap"' });
  const filter = join(box.root, "..", "filter.sh");
  writeFileSync(filter, "#!/bin/sh\ntr a-z A-Z\n", { mode: 0o755 });
  writeFileSync(join(box.root, ".gitattributes"), "good.txt filter=own\n");
  box.git("config", "filter.own.clean", filter);
  box.git("add", "-A");
  box.git("commit", "-qm", "a filter");
  const { stderr } = await box.orch(["run", "task.md"]);
  expect(stderr).toContain(MAKES_SANDBOXES ? "check the filters and drivers" : "sandbox");
});

test.each([
  ["that is not there", null, "bwrap, which is not installed"],
  ["that makes none", 'echo "bwrap: no namespaces" >&2; exit 1', "make a sandbox here: bwrap: no"],
  [
    "whose sandbox lets everything through",
    'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
    "does not hold; inside, a program can read your home folder, write outside of its tree",
  ],
])("with a bwrap %s nothing is run", async (_what, script, words) => {
  const box = project([]);
  const bin = join(box.root, "..", "bin");
  mkdirSync(bin);
  for (const name of ["git", "sh", "node", "readlink"])
    symlinkSync(findProgram(name, PATH) ?? "", join(bin, name));
  if (script !== null) writeFileSync(join(bin, "bwrap"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const ended = await box.orch(["run", "task.md", "--sandbox", "bwrap"], { env: { PATH: bin } });
  expectTwoLines(ended);
  expect(ended.stderr).toContain(words);
  expect(runIds(box)).toEqual([]);
});
