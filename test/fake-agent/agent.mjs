// A stand-in for any agent program: does, as a real process, what the steps of a script say.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const steps = JSON.parse(readFileSync(process.argv[2], "utf8"));

async function print(chunk) {
  if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
}

const acts = {
  print: (line) => print(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
  printBytes: (bytes) => print(Buffer.from(bytes)),
  /** One line of that many bytes. */
  printLongLine: (bytes) => print(`${"x".repeat(bytes)}\n`),
  printMany: async ({ line, times }) => {
    for (let i = 0; i < times; i += 1) await print(`${line}\n`);
  },
  write: ({ path, text }) => writeFileSync(path, text),
  report: (report) =>
    writeFileSync(
      process.env.ORCH_REPORT,
      typeof report === "string" ? report : JSON.stringify(report),
    ),
  /** Reads its input to the end and prints it behind a label. */
  readInput: async (label) => print(`${label}${await text(process.stdin)}\n`),
  printEnvironment: (names) => print(`${names.map((n) => `${n}=${process.env[n]}`).join(" ")}\n`),
  printFileNamedBy: (name) => print(`${readFileSync(process.env[name], "utf8")}\n`),
  /** Says which signal it got and goes on as if nothing had happened. */
  ignore: (signals) => signals.forEach((s) => process.on(s, () => void print(`ignored ${s}\n`))),
  /** A process in a session of its own; it says "armed" in the file once it ignores signals. */
  spawnStubborn: async (path) => {
    const line = `trap '' TERM INT HUP; echo armed > "$1"; while :; do sleep 1; done`;
    spawn("/bin/sh", ["-c", line, "sh", path], { detached: true, stdio: "ignore" }).unref();
    while (readFileSync(path, { encoding: "utf8", flag: "a+" }) === "") await sleep(5);
  },
  /** A background process that keeps the output open for good. */
  spawnHoldingOutput: () => {
    spawn("sleep", ["1000"], { detached: true, stdio: ["ignore", "inherit", "inherit"] }).unref();
  },
  chatter: async (everyMs) => {
    for (;;) {
      await print("still here\n");
      await sleep(everyMs);
    }
  },
  hang: () => new Promise(() => setInterval(() => {}, 60_000)),
  dieBy: async (signal) => {
    process.kill(process.pid, signal);
    await sleep(60_000);
  },
  exit: (code) => process.exit(code),
};

for (const step of steps) {
  const [[act, argument]] = Object.entries(step);
  await acts[act](argument);
}
