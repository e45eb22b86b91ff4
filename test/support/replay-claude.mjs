// Stands in for Claude Code: plays a recorded stream as a real process.
//   node replay-claude.mjs '{"stream": "/x.jsonl", "exitCode": 0}' <arguments of claude …>
// Leaves what it was started with in `seen.json` of its working directory.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const [plan = "{}", ...args] = process.argv.slice(2);
const { stream, exitCode = 0, stderr = "", lingers = false, runsHooks = true } = JSON.parse(plan);

const prompt = readFileSync(0, "utf8");
writeFileSync("seen.json", JSON.stringify({ args, prompt, env: process.env }));

const settings = args.find((arg) => arg.startsWith("--settings="))?.slice("--settings=".length);
if (runsHooks && settings !== undefined) {
  const { hooks } = JSON.parse(readFileSync(settings, "utf8"));
  for (const { command } of hooks.SessionStart.flatMap((group) => group.hooks)) {
    spawnSync("/bin/sh", ["-c", command], { input: "{}", stdio: ["pipe", "ignore", "inherit"] });
  }
}
process.stderr.write(stderr);
if (stream !== undefined) process.stdout.write(readFileSync(stream));
if (lingers) setInterval(() => {}, 1_000_000);
else process.exitCode = exitCode;
