// How is work kept that is about to leave a tree?

import { join } from "node:path";

import type { KeptWhere, Rescue } from "../../engine/ports.ts";
import { hasAgentRescues, isAgentWorkKept, keepAgentWork, OF_AGENT } from "./agent-work.ts";
import { commitTree, requireWhole, skippedTrailers } from "./commits.ts";
import { gitAsk, type Git } from "../git/git.ts";
import { WAS_IGNORED, type Ignored } from "./index-paths.ts";
import { addNumbered, knownTree, lastOf, refRows, taskRefs, treeOf } from "../git/refs.ts";
import { requireHead } from "../join/task-line.ts";
import type { OfTask } from "../git/refs.ts";
import { orReadAnew, type Snapshot, type Snapshots } from "./snapshot.ts";
import { entryAt } from "../folders.ts";

/**
 * Keeps what the agent's own repository holds, and the whole tree, under rescue refs, as commits on the task's
 * own, and changes no file; nothing where those hold all of it. Repeated with an equal tree, it finds the
 * rescues made before; that of the tree is the last. Throws where git cannot read all of it back: then nothing
 * may be removed.
 */
export async function keepWork(
  git: Git,
  snapshots: Snapshots,
  about: AboutRescue,
): Promise<readonly Rescue[]> {
  await keepAgentWork(git, about);
  // Last, for the newest rescue is what the tree is compared with.
  const kept = await orReadAnew(git, snapshots, () => keep(git, snapshots, about));
  const { rescues } = taskRefs(about.run, about.task);
  const all = hasAgentRescues(git) ? await listRescues(git, rescues) : [];
  const ofAgent = all.flatMap(({ ref, why }) => (why.endsWith(OF_AGENT) ? [{ ref, why }] : []));
  const isOther = kept !== null && ofAgent.every(({ ref }) => ref !== kept.ref);
  return isOther ? [...ofAgent, kept] : ofAgent;
}

interface AboutRescue extends OfTask {
  readonly why: string;
}

async function keep(
  git: Git,
  snapshots: Snapshots,
  { run, task, why }: AboutRescue,
): Promise<Rescue | null> {
  const snapshot = await snapshots.take(git);
  if (snapshot.tree === (await knownTree(git, await requireHead(git)))) return null;
  const before = await lastOf(git, "rescues", { run, task });
  const subject = [why, ...without(snapshot)].join(", ");
  if (before !== null && (await treeOf(git, before.commit)) === snapshot.tree) {
    await requireWhole(git, before.commit);
    return { ref: before.ref, why: subject };
  }
  const message = [`orch: ${subject}`, "", ...skippedTrailers(snapshot.skipped), ""].join("\n");
  const commit = await commitTree(git, snapshot.tree, ["HEAD"], message);
  const { ref } = await addNumbered(git, commit, (before?.n ?? 0) + 1, taskRefs(run, task).rescue);
  await requireWhole(git, commit);
  return { ref, why: subject };
}

/** Whether all that stands in the tree, and in its repository, is in the task's commits, or else in its rescues. */
export async function isKept(
  git: Git,
  snapshots: Snapshots,
  { run, task, where }: OfTask & { readonly where: KeptWhere },
): Promise<boolean> {
  if (!(await isAgentWorkKept(git, { run, task, where }))) return false;
  const { tree, skipped } = await snapshots.take(git);
  if (skipped.some(({ why }) => why !== WAS_IGNORED)) return false;
  if (await hidesFiles(git, tree, snapshots.ignored)) return false;
  if (tree === (await knownTree(git, await requireHead(git)))) return true;
  const last = where === "in commits" ? null : await lastOf(git, "rescues", { run, task });
  return last !== null && tree === (await treeOf(git, last.commit));
}

/** A `.gitignore` that ignores itself hides whatever it names, and nobody else will find it again. */
async function hidesFiles(git: Git, tree: string, before: Ignored): Promise<boolean> {
  const name = ".gitignore";
  if (entryAt(join(git.root, name)) === null || before.holderOf(name) !== null) return false;
  return (await gitAsk(git, ["rev-parse", "--quiet", "--verify", `${tree}:${name}`])) === null;
}

/** Work that a snapshot should hold and does not; ignored files and nested repositories are nobody's. Its trailers name it. */
function without({ skipped }: Snapshot): readonly string[] {
  const missing = skipped.filter(({ path, why }) => why !== WAS_IGNORED && !path.endsWith("/"));
  const files = missing.length === 1 ? "a file" : `${missing.length} files`;
  return missing.length === 0 ? [] : [`without ${files} that no commit can hold, left in the tree`];
}

export type RescueEntry = Awaited<ReturnType<typeof listRescues>>[number];

/** All rescues of every run, or those that are asked for, oldest first. */
export async function listRescues(git: Git, which = "refs/orch/*/*/rescue-*") {
  const fields = ["refname", "objectname", "creatordate:iso-strict", "contents:subject"];
  const rows = await refRows(git, fields, ["--sort=refname", "--sort=creatordate", which]);
  return rows.map(([ref = "", commit = "", madeAt = "", subject = ""]) => {
    const [, , run = "", task = ""] = ref.split("/");
    const why = subject.replace("orch: ", "");
    return { ref, commit, run, task, madeAt, why };
  });
}
