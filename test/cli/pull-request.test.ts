import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { gitIn, type Git } from "../support/repository.ts";
import { eventsOf, filesOf, runIds } from "../support/run-record.ts";
import { COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

/** As far as orch uses it: it remembers one pull request, and what it was told. */
const GH = `#!/bin/sh
here=$(dirname "$0")
echo "$@" >> "$here/called"
case "$1 $2" in
"auth status") test ! -e "$here/signed-out" ;;
"pr view") test -e "$here/opened" && echo '{"url":"https://host.example/pr/7"}' ;;
"pr create")
  test ! -e "$here/refuses" || { echo "no permission" >&2; exit 1; }
  printf '%s\\n' "$@" > "$here/opened"
  cat > "$here/body"
  echo "Creating pull request"
  echo "https://host.example/pr/7" ;;
*) exit 9 ;;
esac
`;

interface Hosted {
  readonly box: Sandbox;
  readonly remote: Git;
  /** Where the fake program keeps what it knows. */
  readonly bin: string;
  readonly land: () => ReturnType<Sandbox["inProcess"]>;
}

/** A project with a remote, and a program gh of its own. */
function hosted(project: Parameters<typeof smallProject>[0] = {}): Hosted {
  const box = smallProject(project);
  const [bin, bare] = [join(box.root, "../bin"), join(box.root, "../remote.git")];
  mkdirSync(bin);
  writeFileSync(join(bin, "gh"), GH);
  chmodSync(join(bin, "gh"), 0o755);
  box.git("init", "--quiet", "--bare", bare);
  box.git("remote", "add", "origin", bare);
  box.git("push", "--quiet", "--set-upstream", "origin", "main");
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const land: Hosted["land"] = () =>
    box.inProcess(["run", "task.md", "--landing", "pull-request"], { env });
  return { box, remote: gitIn(bare), bin, land };
}

function landed(box: Sandbox) {
  return eventsOf(box, "landed").map(({ result }) => result);
}

test("the run's branch is pushed, and a pull request says what was proven", async () => {
  const wrong = [{ write: { path: "good.txt", text: "bad\n" } }, COMPLETED];
  const report = {
    version: 1,
    status: "completed",
    summary: "it is good, @everyone",
    assumptions: [{ decision: "good means good", reason: null }],
  };
  const right = [{ write: { path: "good.txt", text: "good\n" } }, { report }];
  const { box, remote, bin, land } = hosted({
    sessions: [{ attempt: 1, do: wrong }, { do: right }],
  });
  const hook = join(box.root, ".git/hooks/pre-push");
  writeFileSync(hook, "#!/bin/sh\nexit 1\n");
  chmodSync(hook, 0o755);
  const head = box.git("rev-parse", "main");
  const { exitCode, stdout } = await land();
  const [run = ""] = runIds(box);
  const commit = box.git("rev-parse", `orch/${run}`);
  expect([exitCode, landed(box)]).toEqual([
    0,
    [{ kind: "landed", commit, url: "https://host.example/pr/7" }],
  ]);
  expect(stdout).toContain("pull request: https://host.example/pr/7\n");
  expect(remote("for-each-ref", "--format=%(refname) %(objectname)")).toBe(
    `refs/heads/main ${head}\nrefs/heads/orch/${run} ${commit}`,
  );
  expect(box.git("rev-parse", "main")).toBe(head);
  const opened = readFileSync(join(bin, "opened"), "utf8");
  expect(opened).toContain(`--head\norch/${run}\n--base\nmain\n--title\nTask\n`);
  const body = readFileSync(join(bin, "body"), "utf8");
  for (const part of [
    "**Done, proven by its gates.**",
    "- check passed",
    "- good means good",
    "Claims that were refused:\n\n- ",
    `run \`${run}\``,
  ])
    expect(body).toContain(part);
  expect(body).not.toContain("@everyone");
});

test.each<[string, (bin: string) => void, RegExp, RegExp]>([
  [
    "is refused by the host",
    (bin) => writeFileSync(join(bin, "refuses"), ""),
    /opens no pull request: no permission$/,
    /^gh pr create --head orch\/\S+ --base main$/,
  ],
])(
  "where gh %s the work is left, and the summary says how by hand",
  async (_what, prepare, why, next) => {
    const { box, bin, land } = hosted();
    prepare(bin);
    const { exitCode, stdout } = await land();
    expect(exitCode).toBe(3);
    const [result] = landed(box);
    expect(result).toEqual({
      kind: "left",
      why: expect.stringMatching(why),
      next: expect.stringMatching(next),
    });
    expect(stdout.replace(/\s+/g, " ")).toContain("take it g");
  },
);

test.each<[string, (bin: string, box: ReturnType<typeof hosted>["box"]) => void]>([
  ["the program gh is not installed", (bin) => rmSync(join(bin, "gh"))],
  ["gh is not signed in", (bin) => writeFileSync(join(bin, "signed-out"), "")],
  ["the repository has no remote to push to", (_bin, box) => box.git("remote", "remove", "origin")],
])("where %s nothing is begun", async (why, prepare) => {
  const { box, bin, land } = hosted();
  prepare(bin, box);
  const { exitCode, stderr } = await land();
  expect([exitCode, runIds(box)]).toEqual([2, []]);
  expect(stderr).toContain(why);
});

test("a branch on the remote that holds something else is not overwritten", async () => {
  const { box, remote, bin } = hosted({ sessions: [{ do: [{ wait: 700 }, ...GOOD_WORK] }] });
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const program = box.start(["run", "task.md", "--landing", "pull-request", "--json"], { env });
  await program.event(({ type }) => type === "session-spawned");
  const [run = ""] = runIds(box);
  const other = box.git("commit-tree", "main^{tree}", "-m", "other");
  box.git("push", "--quiet", "origin", `${other}:refs/heads/orch/${run}`);
  expect((await program.ended).exitCode).toBe(3);
  expect(landed(box)).toMatchObject([
    { kind: "left", why: expect.stringContaining("does not take") },
  ]);
  expect(remote("rev-parse", `orch/${run}`)).toBe(other);
  expect(existsSync(join(bin, "opened"))).toBe(false);
});

test("a run that dies while it lands finds its pull request, and opens no second one", async () => {
  const { box, bin, land } = hosted();
  await land();
  const { log, result } = filesOf(box);
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  const at = lines.findIndex((line) => line.includes('"type":"landing-started"'));
  writeFileSync(log, `${lines.slice(0, at + 1).join("\n")}\n`);
  rmSync(result);
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  expect((await box.inProcess(["resume"], { env })).exitCode).toBe(0);
  expect(landed(box)).toMatchObject([{ kind: "landed", url: "https://host.example/pr/7" }]);
  const calls = readFileSync(join(bin, "called"), "utf8").split("\n");
  expect(calls.filter((call) => call.startsWith("pr create"))).toHaveLength(1);
});
