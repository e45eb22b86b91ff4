// An agent, a gate and whatever else a run starts, all of which say every secret in every spelling.

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [, , role] = process.argv;
const { BESIDE, ORCH_REPORT, ORCH_TASK } = process.env;
const texts = JSON.parse(readFileSync(join(BESIDE, "texts.json"), "utf8"));

let turn = role.length;
/** Other ones in each place, so that every limit of length cuts something else in two. */
function some(count = 20) {
  turn += 13;
  return Array.from({ length: count }, (_, at) => texts[(turn + at) % texts.length]).join(" - ");
}

const named = (keys) => Object.fromEntries(keys.map((key) => [key, some()]));

function report(status) {
  return {
    version: 1,
    status,
    summary: some(texts.length),
    requires_user_review: false,
    review_reason: some(),
    blockers: [{ type: some(1), recoverable: true, ...named(["message", "recommendation"]) }],
    partial_progress: named(["stage", "details", "handoff_path"]),
    assumptions: [named(["decision", "reason"])],
    questions:
      ORCH_TASK === "1-ask" ? [] : [{ ...named(["question", "default"]), options: [some()] }],
    criteria: [{ text: some(), met: true }],
    changed_checks: [named(["check", "reason"])],
    approaches_tried: [some(), some()],
    artifacts: [{ path: some(1), summary: some() }],
    next_steps: some(texts.length),
    [some(1)]: some(),
    ...named(["path", "id", "task", "branch", "token", "ref"]),
  };
}

function nameOfFile() {
  return texts.find((text) => !text.includes("/") && text.length < 200);
}

switch (role) {
  case "report":
    writeFileSync(ORCH_REPORT, JSON.stringify(report(process.argv[3])));
    break;
  case "command":
    writeFileSync(join(BESIDE, `prompt-${process.env.ORCH_ATTEMPT}`), readFileSync(0));
    mkdirSync("tasks", { recursive: true });
    writeFileSync(nameOfFile(), some());
    writeFileSync(
      `tasks/${nameOfFile()}.md`,
      `---\nagent: scripted\n---\n# ${some(6)}\n\n${some()}\n`,
    );
    writeFileSync("good.txt", "good\n");
    spawn("sleep", ["60"], {
      argv0: some(1).slice(0, 80),
      detached: true,
      stdio: "ignore",
    }).unref();
    process.exitCode = process.env.ORCH_ATTEMPT === "1" ? 3 : 0;
    if (process.exitCode === 0) writeFileSync(ORCH_REPORT, JSON.stringify(report("completed")));
    break;
  case "gate":
    console.log(`TAP version 13\n1..1\nnot ok 1 - ${some(1)}`);
    process.exitCode = 1;
    break;
}
if (role === "say") console.log(some(60));
else
  for (const stream of [process.stdout, process.stderr])
    // As pipes bring it: no end of a chunk is the end of a line.
    for (const text of texts) stream.write(`${text} and\n`);
