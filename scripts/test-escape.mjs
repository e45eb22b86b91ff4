// Tries what docs/sandbox.md promises: as who starts this and, where that is root, as an ordinary user;
// with bwrap, and where bwrap makes no sandbox. `--short`: what `npm test` as root does not try. Other arguments are
// passed on to vitest.
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ORDINARY = 65534;
/** Those that a sandbox makes a difference to come first. */
const SANDBOX = ["test/cli/sandbox.test.ts", "test/drivers/own-home.test.ts"];
const ALWAYS = [
  "test/workspace/agent.test.ts",
  "test/adapters/guard.test.ts",
  "test/adapters/orphans.test.ts",
  "test/cli/ownership.test.ts",
];

const place = mkdtempSync(join(tmpdir(), "orch-escape-"));
const [home, broken] = [join(place, "home"), join(place, "bin")];
for (const folder of [home, broken]) mkdirSync(folder);
writeFileSync(join(broken, "bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
const withoutBwrap = { ...process.env, PATH: `${broken}:${process.env.PATH}` };
const isRoot = process.getuid() === 0;
const cache = join(root, "node_modules/.cache");
mkdirSync(cache, { recursive: true });
if (isRoot) {
  for (const path of [place, home]) chownSync(path, ORDINARY, ORDINARY);
  chmodSync(cache, 0o1777);
}

const isShort = process.argv.includes("--short");
const passedOn = process.argv.slice(2).filter((arg) => arg !== "--short");
let status = 0;
function part(name, files, env, before = []) {
  console.log(`\n== ${name}`);
  const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--configLoader", "runner"];
  const [file, ...words] = [...before, process.execPath, ...vitest, ...files];
  const end = spawnSync(file, [...words, ...passedOn], {
    cwd: root,
    stdio: "inherit",
    env,
  });
  status ||= end.status ?? 1;
}

const who = isRoot ? "root" : "an ordinary user";
if (!isShort) part(`as ${who}`, [...SANDBOX, ...ALWAYS], process.env);
part(`as ${who}, where bwrap makes no sandbox`, SANDBOX, withoutBwrap);
if (isRoot) {
  const asUser = `setpriv --reuid=${ORDINARY} --regid=${ORDINARY} --clear-groups`.split(" ");
  const files = isShort ? SANDBOX : [...SANDBOX, ...ALWAYS];
  part("as an ordinary user", files, { ...process.env, HOME: home }, asUser);
  if (!isShort) {
    const env = { ...withoutBwrap, HOME: home };
    part("as an ordinary user, where bwrap makes no sandbox", SANDBOX, env, asUser);
  }
}
rmSync(place, { recursive: true, force: true });
process.exitCode = status;
