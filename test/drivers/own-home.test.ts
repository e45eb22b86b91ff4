// What of the user's home does a confined agent have, and what comes back?

import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

import { agentOf } from "../../src/core/model/known-agents.ts";
import { openOwnHome } from "../../src/drivers/own-home.ts";
import { until } from "../support/processes.ts";

const SIGN_IN = ".claude/.credentials.json";
const signIn = (token: string): string => JSON.stringify({ claudeAiOauth: { token } });

/** A user's home, and the one of a session; paths are from a home on. */
function homes(files: Readonly<Record<string, string>>, variable: string | null = null) {
  const root = mkdtempSync(join(tmpdir(), "orch-homes-"));
  const users = join(root, "user");
  const put = (home: string, path: string, text: string, at = Date.now()): void => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
    utimesSync(join(home, path), at / 1000, at / 1000);
  };
  for (const [path, text] of Object.entries(files)) put(users, path, text, Date.now() - 60_000);
  const agent = agentOf("claude-code");
  if (agent === null) throw new Error("unknown");
  const env = { HOME: users, ...(variable !== null && { CLAUDE_CONFIG_DIR: variable }) };
  const home = openOwnHome(agent, env, join(root, "attempts/task/work-1"));
  onTestFinished(() => home.close());
  const [first, second] = home.needs.inPlace;
  const copy = first?.from ?? "";
  const read = (where: string, path: string): string => readFileSync(join(where, path), "utf8");
  return { users, copy, named: second, home, put, read, root };
}

test("settings are the user's own, and only those of Claude Code's account file are copied", () => {
  const { users, copy, home, read } = homes({ ".claude.json": "{}", ".ssh/id": "key" });
  expect(home.needs.inPlace).toEqual([{ at: users, from: copy }]);
  expect(home.needs.read).toContain(join(users, ".claude/settings.json"));
  expect(read(copy, ".claude.json")).toBe("{}");
  expect(existsSync(join(copy, ".ssh"))).toBe(false);
});

test("a folder that a variable names has one of its own, too", () => {
  const place = mkdtempSync(join(tmpdir(), "orch-account-"));
  writeFileSync(join(place, ".credentials.json"), signIn("a"));
  const { named, home, read } = homes({}, place);
  expect(named?.at).toBe(place);
  expect(home.needs.read).toContain(join(place, "settings.json"));
  expect(read(named?.from ?? "", ".credentials.json")).toBe(signIn("a"));
});

test("a sign-in that the session renews is the user's at once, and the other way round", async () => {
  const { users, copy, put, read } = homes({ [SIGN_IN]: signIn("a") });
  expect(read(copy, SIGN_IN)).toBe(signIn("a"));
  put(copy, SIGN_IN, signIn("b"), Date.now() + 1_000);
  await until(() => read(users, SIGN_IN) === signIn("b"));
  put(users, SIGN_IN, signIn("c"), Date.now() + 5_000);
  await until(() => read(copy, SIGN_IN) === signIn("c"));
});

test.each([
  ["half of one", signIn("b").slice(0, 9)],
  ["another record", "{}"],
])("%s is no sign-in of the user's", async (_what, text) => {
  const { users, copy, put, read, home } = homes({ [SIGN_IN]: signIn("a") });
  put(copy, SIGN_IN, text, Date.now() + 1_000);
  await home.close();
  expect(read(users, SIGN_IN)).toBe(signIn("a"));
});

test("conversations come to the user's; longer ones there stay, and links are none", async () => {
  const { users, copy, put, read, home } = homes({ ".claude/projects/p/old.jsonl": "long line" });
  put(copy, ".claude/projects/p/old.jsonl", "short");
  put(copy, ".claude/projects/p/new.jsonl", "new");
  put(copy, ".claude/projects/p/memory/notes.md", "remember");
  put(copy, ".claude/commands/planted.md", "planted");
  symlinkSync("/etc/passwd", join(copy, ".claude/projects/p/link.jsonl"));
  await home.close();
  expect(read(users, ".claude/projects/p/old.jsonl")).toBe("long line");
  expect(read(users, ".claude/projects/p/new.jsonl")).toBe("new");
  for (const path of ["projects/p/link.jsonl", "projects/p/memory", "commands"])
    expect(existsSync(join(users, ".claude", path))).toBe(false);
});

test("nothing is written through a link in the place of a folder", () => {
  const { users, copy, root } = homes({ [SIGN_IN]: signIn("a") });
  const [agent, outside] = [agentOf("codex"), join(root, "outside")];
  if (agent === null) throw new Error("unknown");
  const attempt = join(root, "attempts/task/work-2");
  mkdirSync(join(dirname(copy), "../codex/home"), { recursive: true });
  mkdirSync(outside);
  mkdirSync(join(users, ".codex"));
  writeFileSync(join(users, ".codex/auth.json"), "{}");
  symlinkSync(outside, join(dirname(copy), "../codex/home/.codex"));
  const home = openOwnHome(agent, { HOME: users }, attempt);
  onTestFinished(() => home.close());
  expect(existsSync(join(outside, "auth.json"))).toBe(false);
});
