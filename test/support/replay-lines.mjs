// Stands in for an agent that takes one prompt on its standard input: plays a recorded stream.
//   node replay-lines.mjs '{"stream": "/x.jsonl", "exitCode": 0, "stderr": ""}' <its arguments …>
// Leaves what it was started with in `seen.json` of its working directory.
import { readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const [plan = "{}", ...args] = process.argv.slice(2);
const { stream, exitCode = 0, stderr = "" } = JSON.parse(plan);
const prompt = await text(process.stdin);
writeFileSync("seen.json", JSON.stringify({ args, prompt, env: process.env }));
process.stderr.write(stderr);
if (stream !== undefined) process.stdout.write(readFileSync(stream));
process.exitCode = exitCode;
