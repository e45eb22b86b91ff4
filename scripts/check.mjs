// Runs all checks at the same time, and prints in their order what each has to say. Fails where one does.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

const CHECKS = ["format", "lint", "types", "deps", "unused"];

/** What a check prints, and whether it passed. */
async function ranCheck(name) {
  const child = spawn("npm", ["run", "--silent", `check:${name}`], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0" },
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = await once(child, "close");
  return { output: (await output).join(""), passed: exitCode === 0 };
}

for (const ran of CHECKS.map(ranCheck)) {
  const { output, passed } = await ran;
  process.stdout.write(output);
  if (!passed) process.exitCode = 1;
}
