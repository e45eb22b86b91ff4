// Did somebody change what the repository's config has git run, since orch found the repository?

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { OrchError } from "../errors.ts";

interface Place {
  readonly gitDir: string;
  readonly commonDir: string;
}

interface Seen {
  readonly stamp: string;
  readonly text: string;
}

/** Each setting of a text, as "key\nvalue". Nothing in it is obeyed. */
export type ListSettings = (text: string) => Promise<readonly string[]>;

/** By path, as this process saw it last. A person who resumes a run has seen what was told. */
const known = new Map<string, Seen>();

/** Which programs git starts, and where it works; the user's other settings may change at any time. */
const RUNS =
  /^(?:core\.(?:worktree|bare|hookspath|fsmonitor|sshcommand|gitproxy|askpass|attributesfile|alternaterefscommand)|filter\..*|diff\.external|diff\..*\.(?:command|textconv)|merge\..*\.driver|credential\..*|include\.path|includeif\..*|gpg\..*program|remote\..*\.(?:uploadpack|receivepack|vcs)|url\..*|uploadpack\.packobjectshook|alias\..*)$/;

/** Costs the look at two files, unless they changed. Throws OrchError "git-config-changed". */
export async function requireOwnSettings(
  { gitDir, commonDir }: Place,
  list: ListSettings,
): Promise<void> {
  for (const path of [join(commonDir, "config"), join(gitDir, "config.worktree")]) {
    const before = known.get(path);
    const stamp = stampOf(path);
    if (stamp === before?.stamp) continue;
    const now = { stamp, text: textOf(path) };
    const changed =
      before === undefined ? null : differing(await list(before.text), await list(now.text));
    if (changed !== null) throw configChanged(path, changed);
    known.set(path, now);
  }
}

/** Changed as often as the file is: no program can set the last of them. */
function stampOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ");
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // Nothing is there, or git says what is the matter with it.
  }
}

/** null: they have git run the same. */
function differing(before: readonly string[], after: readonly string[]): string | null {
  const [old, now] = [before.filter(isRun), after.filter(isRun)];
  const [added] = now.filter((one) => !old.includes(one));
  const [gone] = old.filter((one) => !now.includes(one));
  if (added !== undefined) return `now says ${said(added)}`;
  return gone === undefined ? null : `no longer says ${said(gone)}`;
}

function isRun(setting: string): boolean {
  return RUNS.test(setting.split("\n", 1).join(""));
}

const CHARS_MAX = 200;

/** A token in an address is the user's. */
function said(setting: string): string {
  const line = setting.replace("\n", " = ").replace(/:\/\/[^/@\s]{1,500}@/g, "://");
  return JSON.stringify(line.slice(0, CHARS_MAX));
}

function configChanged(path: string, what: string): OrchError {
  return new OrchError(
    "git-config-changed",
    `git's settings were changed while orch worked: ${JSON.stringify(path)} ${what}`,
    "put it back, unless you changed it yourself; `orch resume` goes on with what is there then",
  );
}
