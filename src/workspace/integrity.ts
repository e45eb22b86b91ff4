// Was what proves the work weakened between two trees of the repository?

import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Integrity, TreeChange } from "../core/model/evidence.ts";
import { scanChange, type ChangedFile, type Secret } from "../readers/tamper/find.ts";
import { absentFiles } from "../readers/task-text/task-names.ts";
import { roleOf } from "../readers/tamper/paths.ts";
import type { ProvedWork } from "../engine/ports.ts";
import { readBlobs, type Blobs } from "./blobs.ts";
import { treeOfBase } from "./change.ts";
import { findClaimed } from "./claimed-files.ts";
import { entriesBetween, type Entry, type Version } from "./entries.ts";
import { gitList, type Git } from "./git.ts";
import { provingAt } from "./original-copy.ts";

export interface IntegrityRequest {
  /** What the task started from: a commit or a tree. */
  readonly base: string;
  readonly change: TreeChange;
  readonly work: ProvedWork;
  readonly secrets: readonly Secret[];
}

/**
 * Reads what differs and looks for tampering, for work that is claimed complete. Never rejects: what git
 * cannot tell is not checked, which is neither clean nor an alarm.
 */
export async function measureIntegrity(git: Git, request: IntegrityRequest): Promise<Integrity> {
  const { change } = request;
  if (change.kind === "not-measured") return { kind: "not-checked", why: change.why };
  try {
    return await measure(git, { ...request, change });
  } catch (error) {
    return { kind: "not-checked", why: error instanceof Error ? error.message : String(error) };
  }
}

type Measured = IntegrityRequest & { readonly change: { readonly kind: "measured" } };

async function measure(git: Git, { base, change, work, secrets }: Measured): Promise<Integrity> {
  const { tree } = change;
  const baseTree = await treeOfBase(git, base);
  const entries = await entriesBetween(git, [baseTree, tree]).catch(async (error: unknown) => {
    // Tells it where that is what is gone.
    await treeOfBase(git, tree);
    throw error;
  });
  const chosen = chooseEntries(entries);
  const blobs = await readBlobs(
    git,
    chosen.flatMap(({ before, after }) => [before.id, after.id]),
  );
  const deleted = entries.flatMap(({ path, after }) => (after.kind === "absent" ? [path] : []));
  const claimed = await findClaimed(git, { tree, artifacts: work.artifacts, deleted });
  const absent = await absentOf(git, work.named, [baseTree, tree]);
  const isTold = work.expectsChange && !claimed.isIgnored;
  const scanned = scanChange({
    files: chosen.flatMap((entry) => changedFile(entry, blobs)),
    // What the gates came to run on the base is what the work is held to.
    lines:
      work.commands.length === 0
        ? []
        : (await provingAt(git, baseTree, work.commands)).proving.lines,
    claim: { sinceBaseCount: isTold ? change.sinceBaseCount : null, files: claimed.files, absent },
    secrets,
  });
  return { kind: "checked", ...scanned };
}

/** Also where it is named by the end of its path; what was there before may rightly be gone. */
async function absentOf(
  git: Git,
  named: readonly string[],
  trees: readonly string[],
): Promise<readonly string[]> {
  const missing = named.filter((path) => !existsSync(join(git.root, path)));
  if (missing.length === 0) return [];
  const list = ["ls-tree", "-r", "-z", "--name-only", "--full-tree"];
  const lists = await Promise.all(trees.map((tree) => gitList(git, [...list, tree])));
  return absentFiles(missing, lists.flat());
}

const FILES_MAX = 400;

/** Tests first, then code, where there are too many. */
function chooseEntries(entries: readonly Entry[]): readonly Entry[] {
  const rankOf = ({ path }: Entry): number => {
    const role = roleOf(path);
    return role === null ? 2 : role.isTest ? 0 : 1;
  };
  return entries.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, FILES_MAX);
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
