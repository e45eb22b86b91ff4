import {
  cpSync,
  readdirSync,
  readFileSync,
  lstatSync,
  statSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { PROGRAM } from "../support/run-orch.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { VALUES, WAYS, piecesIn } from "../support/secrets.ts";
import { ASKING, COMPLETED, shellAgent, smallProject } from "../support/small-project.ts";
import { filesOf } from "../support/run-record.ts";
import { openTerminal } from "../support/terminal.ts";
import type { Sandbox } from "../support/whole-program.ts";

const TEXTS = VALUES.flatMap(([, value]) => Object.values(WAYS).map((spell) => spell(value)));
const AGENT = join(import.meta.dirname, "../support/leaky-agent.mjs");
const SAYS = "node $BESIDE/agent.mjs";
const long = (from: number): string => TEXTS.slice(from, from + 60).join(" - ");

// The agent writes them into its files, too, which is the user's affair here.
const ALLOWED = "---\nallow: [secret-written]\n";
const TASK_1 = ASKING.replace("---\n", `${ALLOWED}agent: scripted\n`);
const QUESTION = {
  hold: "1m",
  question: long(0),
  options: [long(50), "left"],
  default: "left",
  impact: "major",
};
const SESSIONS = [
  {
    task: "redacted",
    do: [
      { write: { path: "more.txt", text: "more\n" } },
      { run: `${SAYS} report completed >/dev/null 2>&1` },
    ],
  },
  {
    attempt: 1,
    do: [
      { say: long(20) },
      { printError: long(30) },
      { run: `${SAYS} say; : '${TEXTS.filter((text) => !text.includes("'")).join(" - ")}'` },
      { ask: QUESTION },
      { run: `${SAYS} report partial >/dev/null 2>&1` },
    ],
  },
  {
    do: [
      { write: { path: "good.txt", text: "good\n" } },
      { run: `${SAYS} report completed >/dev/null 2>&1` },
    ],
  },
];
const CONFIG = `
  agents: {
    scripted: ${scriptedAgent()},
    shell: { driver: "command", command: ["sh", "-c", "${SAYS} command"] },
  },
  worktree: { setup: "${SAYS} setup" },
  notify: { command: "cat >> $BESIDE/told; env | grep ^ORCH_ >> $BESIDE/told; ${SAYS} notify; exit 1" },
`;
const GH = `#!/bin/sh
case "$1 $2" in
"pr view") exit 1 ;;
"pr create") { printf '%s\\n' "$@"; cat; } > "$(dirname "$0")/../pull-request"; echo https://host.example/pr/7 ;;
esac
`;

/** Where at least something of what was said came through: ends of their names. */
const SPOKEN = [
  ..."screen,answer,resume,resume: errors,no-such-task,no-such-task: errors".split(","),
  ..."status --json,show,show --json,explain,explain --json,log,log --json".split(","),
  ..."diff,diff --json,replay --json,commits,told,pull-request".split(","),
  ..."events.jsonl,state.json,result.json,q1.json,1-ask.log,check.log,evidence.json".split(","),
  ..."output.log,reasoning.log,activity.jsonl,session.jsonl,prompt.md,report.json,diff.patch".split(
    ",",
  ),
];

/** What a person can see of it, and what is left of it for programs: by where it stands. */
type Outputs = Map<string, string>;

const READING = ["status", "list", "show", "explain", "log", "diff", "rescue", "replay"];

function leakyProject(): { readonly box: Sandbox; readonly env: Readonly<Record<string, string>> } {
  const box = smallProject({
    sessions: SESSIONS,
    config: CONFIG,
    gate: `${SAYS} gate; test "$(cat good.txt)" = good`,
    files: {
      "tasks/1-ask.md": TASK_1,
      "tasks/2-shell.md": `${ALLOWED}agent: shell\n---\n# Shell\n\nDo it.\n`,
    },
  });
  cpSync(AGENT, join(box.beside, "agent.mjs"));
  writeFileSync(join(box.beside, "texts.json"), JSON.stringify(TEXTS));
  box.write("../bin/gh", GH);
  chmodSync(join(box.beside, "bin/gh"), 0o755);
  box.git("init", "--quiet", "--bare", join(box.beside, "remote.git"));
  box.git("remote", "add", "origin", join(box.beside, "remote.git"));
  box.git("push", "--quiet", "--set-upstream", "origin", "main");
  const PATH = `${box.beside}/bin:${process.env["PATH"] ?? ""}`;
  return { box, env: { ...Object.fromEntries(VALUES), PATH } };
}

function onScreen({ root, env: base }: Sandbox, env: Readonly<Record<string, string>>) {
  const quoted = Object.entries({ ...base, ...env }).map(
    ([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'\n`,
  );
  writeFileSync(join(root, "../env.sh"), quoted.join(""));
  const run = "run tasks --verbose --landing pull-request";
  return openTerminal(`cd ${root}; . ../env.sh; exec ${process.execPath} ${PROGRAM} ${run}`);
}

/** Files that orch made, and those that it gave to others. */
function filesIn({ beside }: Sandbox): Outputs {
  const ours = ["texts.json", "env.sh", "agent.mjs", "bin", "remote.git", "project/.git", "state"];
  const paths = readdirSync(beside, { recursive: true, encoding: "utf8" }).filter(
    (path) =>
      !ours.some((one) => path === one || path.startsWith(`${one}/`)) &&
      // What the agent itself leaves in its tree and in its commits; in the index are its names.
      !/^(?:orch-trees\/[^/]+\/[^/]+\/project(?:\/|\.state\/git\/index$)|project\/(?:script\.json|\.orch\/runs\/[^/]+\/(?:trees|index)\/))/.test(
        path,
      ) &&
      statSync(join(beside, path), { throwIfNoEntry: false })?.isFile() === true,
  );
  return new Map(
    paths.flatMap((path) => [[path, `${path}\n${readFileSync(join(beside, path), "utf8")}`]]),
  );
}

test("a secret of an ignored file that a tree gets is told where the work holds it, and is shown nowhere", async () => {
  const value = "tr33-only-s3cret-value";
  const report = JSON.stringify(COMPLETED.report);
  const work = `cp web/.env web/a.conf; cat web/.env; echo good > good.txt; echo '${report}' > "$ORCH_REPORT"`;
  const box = smallProject({
    config: shellAgent(work),
    files: { ".gitignore": ".env\n", "web/x": "" },
  });
  box.write("web/.env", `PORT=1\nDB_PASSWORD='${value}'\n`);
  const { stdout, stderr } = await box.inProcess(["run", "task.md", "--threshold", "0"]);
  expect(`${stdout}${stderr}`).toContain("DB_PASSWORD in web/.env");
  const run = filesOf(box).folder;
  const kept = readdirSync(run, { recursive: true, encoding: "utf8" }).map((name) =>
    join(run, name),
  );
  const texts = kept
    .filter((path) => lstatSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"));
  expect([stdout, stderr, ...texts].filter((text) => text.includes(value))).toEqual([]);
});

test("no secret in any spelling reaches what orch shows, writes, hands on or sends", async () => {
  const { box, env } = leakyProject();
  const outputs: Outputs = new Map();
  const terminal = onScreen(box, env);
  await terminal.until("> ");
  terminal.type("\u0003");
  expect(await terminal.ended).toBe(130);
  outputs.set("screen", terminal.shown());
  const say = async (name: string, ...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await box.orch(args, { env });
    outputs.set(name, stdout).set(`${name}: errors`, stderr);
    return exitCode;
  };
  expect(await say("answer", "answer", long(7))).toBe(0);
  expect(await say("resume", "resume", "--json", "--verbose")).toBe(0);
  for (const command of READING)
    for (const more of [[], ["--json"]]) {
      const line = [...command.split(" "), ...more];
      const { stdout, stderr } = await box.inProcess(line, { env });
      outputs.set(`orch ${line.join(" ")}`, stdout + stderr);
    }
  expect(await say("no-such-task", "run", `no/${TEXTS[3]}.md`, "--json")).toBe(2);
  expect(await say("plan", "run", "--plan", "--agent", "scripted", long(9))).toBe(0);
  outputs.set("commits", box.git("log", "--all", "--format=%B%an%ae%D"));
  outputs.set("refs", box.git("for-each-ref") + box.git("ls-remote", "origin"));
  for (const [name, text] of filesIn(box)) outputs.set(name, text);
  const holding = [...outputs].flatMap(([name, text]) =>
    /\[redacted\\?\]/.test(text) ? [name] : [],
  );
  expect(SPOKEN.filter((end) => !holding.some((name) => name.endsWith(end)))).toEqual([]);
  const pieces = piecesIn(TEXTS);
  const leaks = [...outputs].flatMap(([name, text]) =>
    pieces(text)
      .slice(0, 3)
      .map((piece) => `${name}: ${piece}`),
  );
  expect(leaks).toEqual([]);
});
