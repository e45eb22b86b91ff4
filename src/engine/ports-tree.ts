// What does the loop need of the trees that tasks work in, of the tasks written there, and to land work?

import type {
  Checkpoint,
  Isolation,
  RunBase,
  TakenMixed,
  Workspace,
  Worktree,
} from "../core/model/event.ts";
import type { Integrity, TreeChange } from "../core/model/evidence.ts";
import type { Fence } from "../core/model/fence.ts";
import type { SessionToken, TaskId } from "../core/model/ids.ts";
import type { MadeTree, Unheld } from "../core/model/workspace.ts";
import type { Taken } from "../core/model/measurement.ts";
import type { Task } from "../core/model/task.ts";
import type { LostCheck } from "../readers/tamper/changed-tests.ts";
import type { Landed, LandingIntent } from "../core/model/landing.ts";

/** Where the work happens. Every method is safe to repeat. */
export interface Workspaces {
  /** Where a task will work; of a tree of its own nothing is made yet. Throws OrchError with a hint. */
  plan(task: Task, from: TreeStart): Promise<Workspace>;
  /**
   * Makes the tree that was planned, with what a build needs: the files of `tree`, or of its base.
   * What an earlier call left half made is replaced. Nothing where the task works in place. Resolves to what
   * is recorded of it.
   */
  make(
    workspace: Workspace,
    task: TaskId,
    tree: string | null,
    signal: AbortSignal,
  ): Promise<MadeTree>;
  /** Where a workspace of the log is for this run: its repository may be a copy, or was moved. Makes nothing. */
  placeOf(workspace: Workspace): Promise<Workspace>;
  /** False where the folder of a tree of the task's own is gone, or is not this run's. */
  isThere(workspace: Workspace): boolean;
  /** Whoever worked there is dead: the locks that its git left in the repository of a task's own tree go. */
  unlock(workspace: Workspace): Promise<void>;
  /** A commit of the whole tree including untracked files; null where there is no git. */
  checkpoint(workspace: Workspace, label: CheckpointLabel): Promise<Checkpoint | null>;
  /** All that the task changed since it began; null: unknown. */
  changedPaths(workspace: Workspace): Promise<readonly string[] | null>;
  /** Settings of git that differ from those of the run's beginning, as far as was seen; none is obeyed. */
  changedSettings(): Promise<readonly string[]>;
  /** What changed since the attempt's checkpoint and since the task's base. */
  change(
    workspace: Workspace,
    sides: { readonly since: Checkpoint | null; readonly work: Taken | null },
    fence: WriteFence | null,
  ): Promise<TreeChange>;
  /** Whether what proves the work was weakened since the task's base. Never rejects. */
  integrity(workspace: Workspace, change: TreeChange, work: ProvedWork): Promise<Integrity>;
  /** Files of the tree, relative to its root; bounded. Empty where they are unknown. */
  paths(workspace: Workspace): Promise<readonly string[]>;
  /** Unified diff of a measured change, bounded; "" where nothing changed or nothing was measured. */
  diff(workspace: Workspace, since: Checkpoint | null, change: TreeChange): Promise<string>;
  /** How many lines the task added and removed until this commit. */
  changedLines(workspace: Worktree, commit: string): Promise<number>;
  /** The task's branch goes on to the work that was taken. null: it has none, or there is nothing to commit. */
  commit(workspace: Workspace, task: TaskId, work: Taken | null): Promise<string | null>;
  /** Keeps what no commit on the task's branch holds, where there is any; changes no file. */
  rescue(workspace: Workspace, task: TaskId, why: string): Promise<readonly Rescue[]>;
  /** Puts the files of a tree of the task's own back; commits stay, and what git ignores. */
  rollback(workspace: Workspace, to: Checkpoint): Promise<void>;
  /** Removes the task's tree where all that it holds is kept there; false: it stays. */
  remove(workspace: Workspace, task: TaskId, where: KeptWhere): Promise<boolean>;
  /** All of the task's work as one commit, with what the agent committed itself among its history. */
  workOf(workspace: Worktree, task: TaskId, message: string): Promise<string>;
  /**
   * Joins finished work with the merged work of the run. Where other work was merged since the task
   * began, its tree holds both afterwards.
   */
  join(workspace: Worktree, task: TaskId, sides: MergeSides): Promise<Joined>;
  /** Paths in which two checkpoints cannot be joined; bounded. Touches no tree. */
  conflicts(workspace: Worktree, mine: Checkpoint, other: Checkpoint): Promise<readonly string[]>;
  /** The run's merged work ends here now, for its branch to show. Safe to repeat. */
  advance(base: RunBase, to: Readonly<Record<"from" | "commit", string>>): Promise<void>;
  /** What the task began with; null: there is no git. */
  baseOf(workspace: Workspace): Promise<Taken | null>;
  /** A base of which no file that may change can be read, with a mark of all that the commands come to run there. */
  unreadable(
    workspace: Workspace,
    base: Taken,
    commands: readonly string[],
  ): Promise<{ readonly taken: Taken | null; readonly runs: string }>;
  /**
   * What stands in the tree becomes a commit with the agent's own commits before it; null: there is no git. No branch
   * moves. The same again where nothing changed since. Repositories inside of the tree that are `nested` become
   * folders of it; what they hold is kept first.
   */
  takeWork(
    workspace: Workspace,
    task: TaskId,
    message: string,
    nested: readonly string[],
  ): Promise<Taken | null>;
  /** What was made or changed in the tree since that moment and no commit can hold; bounded. */
  unheld(workspace: Workspace, sinceMs: number): Promise<readonly Unheld[]>;
  /**
   * The work with all that proves as the task found it: tests, fixtures, snapshots, settings of runners,
   * scripts that gates name. Only what existed is put back; settings that runners find by themselves are
   * gone where there were none. What an earlier step left red counts as the task's own. As a control the work
   * with all that is product as the task found it. Never rejects.
   */
  takeMixed(workspace: Workspace, work: Taken, how: MixedRequest): Promise<TakenMixed>;
  /**
   * The files of the work in a folder of their own, outside of all repositories, for as long as `use` takes.
   * Rejects as `use` does, and where there is no git.
   */
  review<T>(workspace: Workspace, of: Review, use: (copy: ReviewCopy) => Promise<T>): Promise<T>;
  /** The work with a check that must fail in each test file of the base; null: the runner's files are not known. */
  withCanary(workspace: Workspace, work: Taken, runner: string): Promise<Taken | null>;
}

export interface Review {
  readonly work: Taken;
  /** Names the folder. */
  readonly token: SessionToken;
  /** Of a process that died: its folder goes. */
  readonly left: SessionToken | null;
}

export interface ReviewCopy {
  readonly root: string;
  /** All that the task changed; bounded. */
  readonly diff: string;
}

export interface MixedRequest {
  readonly of: "original" | "control";
  /** Command lines of the gates. */
  readonly commands: readonly string[];
  /** The work of an earlier step that was to leave checks red; null: there is none. */
  readonly red: Taken | null;
  /** Files that the task names: they are product, whatever they are. */
  readonly named: readonly string[];
}

export interface TreeStart {
  readonly isolation: Isolation;
  /** The commit to start from; null: no git repository. */
  readonly base: string | null;
  readonly portBase: number;
}

export interface MergeSides {
  /** The task's work. */
  readonly commit: string;
  /** The end of the run's merged work. */
  readonly onto: string;
  readonly message: string;
  /** Paths that held marks of an earlier conflict: with one left, the conflict is not resolved. */
  readonly marked: readonly string[];
}

export type Joined =
  /** Nothing else was merged: what was proven is what the run goes on from. */
  | { readonly kind: "contained"; readonly tree: string }
  | (Taken & { readonly kind: "joined" })
  | { readonly kind: "conflict"; readonly tree: string; readonly paths: readonly string[] };

/** Where a step may write, and what its earlier attempts wrote elsewhere. */
export interface WriteFence extends Fence {
  /** The tree as the step found it; null: unknown. */
  readonly start: Checkpoint | null;
  /** Of earlier attempts: it counts for as long as it stands there. */
  readonly strayed: readonly string[];
}

/** What a completion rests on. */
export interface ProvedWork {
  /** When its task began. */
  readonly sinceMs: number;
  /** Files that the task names; empty before its last step. */
  readonly named: readonly string[];
  /** Command lines of the gates. */
  readonly commands: readonly string[];
  /** A step that only plans or reviews proves nothing by a change. */
  readonly expectsChange: boolean;
  /** Paths the report says were made or changed. */
  readonly artifacts: readonly string[];
  /** Checks that passed before the work, and do not any more, or not as they were. */
  readonly lost: readonly LostCheck[];
}

export interface CheckpointLabel {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
  readonly when: "before" | "after";
  /** The tree that was judged, which is kept without a second look; null: the tree as it is now. */
  readonly tree: string | null;
  /** For "after": the sum of the gates. */
  readonly verdict: "passed" | "failed" | "unknown" | "ungated";
}

/** Of the task: its own commits, or those and what was rescued. */
export type KeptWhere = "in commits" | "in commits or a rescue";

export interface Rescue {
  readonly ref: string;
  readonly why: string;
}

/** Every method is safe to repeat. */
export interface Landing {
  /** How the work gets into the branch; touches nothing that anybody sees. */
  plan(intent: LandingIntent, base: RunBase, message: string): Promise<LandingPlan>;
  /** Moves the branch, and the files where it is checked out; nothing where changes are in the way. */
  move(branch: string, way: LandingWay): Promise<Landed>;
  /** Pushes the run's branch and opens a pull request, or finds the one that was opened before. */
  propose(intent: LandingIntent, base: RunBase, words: Proposal): Promise<Landed>;
}

export type LandingPlan =
  /** The branch has all of it. */
  | { readonly kind: "contained"; readonly commit: string }
  /** Nothing else was committed there: what was proven is what the branch will hold. */
  | (LandingWay & { readonly kind: "forward" })
  /** A merge commit of both sides, which is not proven yet. */
  | (LandingWay & { readonly kind: "joined"; readonly tree: string })
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | { readonly kind: "impossible"; readonly why: string };

export interface LandingWay {
  readonly from: string;
  readonly to: string;
}

export interface Proposal {
  readonly title: string;
  readonly body: string;
}

/** Finds the tasks that a task wrote. */
export interface TaskSource {
  /** Nothing is read of tasks that are known, nor of files that are not the author's. */
  added(where: Written): Promise<AddedTasks>;
}

export interface Written {
  /** The author's tree; null: the checkout, where it worked. */
  readonly tree: string | null;
  readonly takenIds: readonly TaskId[];
  readonly author: Task;
  /** What the author changed, from the tree's root; null: unknown. */
  readonly changed: () => Promise<readonly string[] | null>;
}

export interface AddedTasks {
  readonly tasks: readonly {
    readonly task: Task;
    /** Keys of its front matter that were left aside, because they are for its author's policy to say. */
    readonly notHeeded: readonly string[];
  }[];
  /** What is wrong with files that are no tasks. */
  readonly unusable: readonly string[];
}
