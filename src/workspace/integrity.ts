// Was what proves the work weakened between two trees of the repository?

import type { Integrity, TreeChange } from "../core/model/evidence.ts";
import type { ChangedFile } from "../readers/tamper/change.ts";
import { scanChange } from "../readers/tamper/find.ts";
import { roleOf } from "../readers/tamper/paths.ts";
import type { ProvedWork } from "../engine/ports.ts";
import { describeObjects, readBlobs } from "./blobs.ts";
import type { Blobs } from "./blobs.ts";
import { treeOfBase } from "./change.ts";
import { findClaimed } from "./claimed-files.ts";
import { entriesBetween } from "./entries.ts";
import type { Entry, Version } from "./entries.ts";
import type { Git } from "./git.ts";
import { provingAt } from "./original-copy.ts";

export interface IntegrityRequest {
  /** What the task started from: a commit or a tree. */
  readonly base: string;
  readonly change: TreeChange;
  readonly work: ProvedWork;
}

/**
 * Reads what differs and looks for tampering, for work that is claimed complete. Never rejects: what git
 * cannot tell is not checked, which is neither clean nor an alarm.
 */
export async function measureIntegrity(git: Git, request: IntegrityRequest): Promise<Integrity> {
  const { base, change, work } = request;
  if (change.kind === "not-measured") return { kind: "not-checked", why: change.why };
  try {
    return await measure(git, { base, change, work });
  } catch (error) {
    return { kind: "not-checked", why: error instanceof Error ? error.message : String(error) };
  }
}

type Measured = IntegrityRequest & { readonly change: { readonly kind: "measured" } };

async function measure(git: Git, { base, change, work }: Measured): Promise<Integrity> {
  const { tree } = change;
  const entries = await entriesOf(git, base, tree);
  const chosen = chooseEntries(entries);
  const blobs = await readBlobs(
    git,
    chosen.flatMap(({ before, after }) => [before.id, after.id]),
  );
  const deleted = entries.flatMap(({ path, after }) => (after.kind === "absent" ? [path] : []));
  const claimed = await findClaimed(git, { tree, artifacts: work.artifacts, deleted });
  const isTold = work.expectsChange && !claimed.isIgnored;
  const scanned = scanChange({
    files: chosen.flatMap((entry) => changedFile(entry, blobs)),
    lines: await linesOfGates(git, base, work.commands),
    claim: { sinceBaseCount: isTold ? change.sinceBaseCount : null, files: claimed.files },
  });
  return { kind: "checked", ...scanned };
}

/** What the gates came to run on the base is what the work is held to. */
async function linesOfGates(
  git: Git,
  base: string,
  commands: readonly string[],
): Promise<readonly string[]> {
  const tree = await treeOfBase(git, base);
  if (commands.length === 0 || tree === null) return [];
  return (await provingAt(git, tree, commands)).proving.lines;
}

async function entriesOf(git: Git, base: string, tree: string): Promise<readonly Entry[]> {
  try {
    return await entriesBetween(git, [(await treeOfBase(git, base)) ?? base, tree]);
  } catch (error) {
    const missing = await firstMissing(git, [base, tree]);
    throw missing === null ? error : new Error(`${missing} is no longer in the repository`);
  }
}

async function firstMissing(git: Git, names: readonly string[]): Promise<string | null> {
  const objects = await describeObjects(
    git,
    names.map((name) => `${name}^{tree}`),
  );
  return names.find((_name, at) => objects[at] === null) ?? null;
}

const FILES_MAX = 400;

/** Only paths that can matter: tests and settings first, where there are too many. */
function chooseEntries(entries: readonly Entry[]): readonly Entry[] {
  const ranked = entries.flatMap((entry) => {
    const role = roleOf(entry.path);
    if (role === null) return [];
    return [{ entry, rank: role.isTest || role.settings !== null ? 0 : 1 }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, FILES_MAX)
    .map(({ entry }) => entry);
}

/** Nothing is concluded from what is no text, too large, or one too many. */
function changedFile({ path, before, after }: Entry, blobs: Blobs): readonly ChangedFile[] {
  const [was, is] = [textOf(before, blobs), textOf(after, blobs)];
  return was === undefined || is === undefined ? [] : [{ path, before: was, after: is }];
}

/** null: absent; undefined: not read. */
function textOf({ id, kind }: Version, blobs: Blobs): string | null | undefined {
  if (kind === "absent") return null;
  const text = id === null ? undefined : blobs.get(id);
  return text?.includes("\0") === true ? undefined : text;
}
