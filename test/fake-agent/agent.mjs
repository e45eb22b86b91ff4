// A stand-in for any agent program: does, as a real process, what the steps of a script say.
//
// The script is a list of steps, or `{ sessions: [{ task, step, attempt, nth, do }] }`: then the first
// session that fits is played, `nth` being the how-manieth of its attempt. In all texts `${answer}` is
// the last answer that a person gave.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const script = JSON.parse(readFileSync(process.argv[2], "utf8"));
let lastAnswer = "";

async function print(chunk) {
  if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
}

const acts = {
  say: (line) => print(`${line}\n`),
  print: (line) => print(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
  printBytes: (bytes) => print(Buffer.from(bytes)),
  /** One line of that many bytes. */
  printLongLine: (bytes) => print(`${"x".repeat(bytes)}\n`),
  printMany: async ({ line, times }) => {
    for (let i = 0; i < times; i += 1) await print(`${line}\n`);
  },
  write: ({ path, text }) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return print(`writes ${path}\n`);
  },
  /** What cannot be edited or run is told, and ends nothing, as with any agent. */
  edit: ({ path, find, replace }) => {
    const before = readFileSync(path, "utf8");
    const isThere = before.includes(find);
    if (isThere)
      writeFileSync(
        path,
        before.replace(find, () => replace),
      );
    return print(isThere ? `edits ${path}\n` : `${path} does not hold that text\n`);
  },
  remove: (path) => rmSync(path, { recursive: true }),
  run: (command) => {
    const { stdout, stderr } = spawnSync("/bin/sh", ["-c", command], { encoding: "utf8" });
    return print(`${stdout}${stderr}`);
  },
  report: (report) =>
    writeFileSync(
      process.env.ORCH_REPORT,
      typeof report === "string" ? report : JSON.stringify(report),
    ),
  /** Ends the session where nobody answers within `hold`: by default, unless it was asked before. */
  ask: ({ question, options = [], default: preset, impact = "major", context, hold = "0" }) => {
    const flags = { default: preset, impact, context, hold };
    const given = Object.entries(flags).filter(([, value]) => value !== undefined);
    const words = [
      "ask",
      question,
      ...options.flatMap((option) => ["--option", option]),
      ...given.flatMap(([flag, value]) => [`--${flag}`, value]),
    ];
    const stdio = ["ignore", "pipe", "inherit"];
    const asked = spawnSync("orch", words, { encoding: "utf8", stdio });
    if (asked.status !== 0) process.exit(asked.status === 4 ? 0 : 1);
    lastAnswer = asked.stdout.trimEnd();
    return print(`asked: ${question}\nanswered: ${lastAnswer}\n`);
  },
  wait: sleep,
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

for (const step of Array.isArray(script) ? script : sessionToPlay(script)) {
  const [[act, argument]] = Object.entries(step);
  await acts[act](answered(argument));
}

function sessionToPlay({ sessions }) {
  const { ORCH_TASK: task, ORCH_STEP: step, ORCH_ATTEMPT: attempt } = process.env;
  const place = { task, step, attempt: Number(attempt), nth: sessionsOfAttempt() };
  const fits = (session) =>
    Object.keys(place).every((name) => [undefined, place[name]].includes(session[name]));
  const session = sessions.find(fits);
  if (session === undefined) throw new Error(`the script has no session for ${task}, ${step}`);
  return session.do;
}

/** orch makes each session a folder of its own beside the logs of the attempt. */
function sessionsOfAttempt() {
  const folder = dirname(process.env.ORCH_SESSION_DIR);
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, "channel.json")))
    .length;
}

function answered(value) {
  if (typeof value === "string") return value.replaceAll("${answer}", () => lastAnswer);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(answered);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, answered(one)]));
}
