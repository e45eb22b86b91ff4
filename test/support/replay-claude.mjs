// Stands in for Claude Code: plays a recorded stream as a real process.
//   node replay-claude.mjs '{"stream": "/x.jsonl", "exitCode": 0}' <arguments of claude …>
// Leaves what it was started with in `seen.json` of its working directory.
import { readFileSync, writeFileSync } from "node:fs";

import { greetOrch } from "./claude-control.mjs";

const [plan = "{}", ...args] = process.argv.slice(2);
const {
  stream,
  exitCode = 0,
  stderr = "",
  lingers = false,
  callsHooks,
  takesPrompt,
} = JSON.parse(plan);

const greeted = await greetOrch({ callsHooks, takesPrompt });
writeFileSync("seen.json", JSON.stringify({ args, ...greeted, env: process.env }));

process.stderr.write(stderr);
if (stream !== undefined) process.stdout.write(readFileSync(stream));
if (lingers) setInterval(() => {}, 1_000_000);
else process.exitCode = exitCode;
