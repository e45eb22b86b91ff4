import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";

import { bookshop, outcomeOf } from "../support/bookshop.ts";
import { mulberry32 } from "../support/dice.ts";
import { deathsOf, EVERY_DEATH, times } from "../support/deaths.ts";
import { eachOf } from "../support/each-of.ts";
import { endsOf, eventsOf, expectSound, runIds } from "../support/run-record.ts";
import { expectDeserted, jsonLines, noLeftovers } from "../support/whole-program.ts";
import type { Json, Sandbox } from "../support/whole-program.ts";

/** Another one is tried with SEED=…; a failure names the one it happened with. */
const SEED = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const LIVES_MAX = 60;
/** A life of the program lasts about as long as this; some deaths come before its first event. */
const LIFE_MS_MAX = 1_200;
/** One run outlives a few deaths: four runs share one of each kind. */
const RUNS = 4;
/** Every death is a run or more of its own, each of many processes. */
const PATIENCE_MS = EVERY_DEATH ? 1_800_000 : 240_000;

test(
  "killed right after any of its events, a run comes to the same end",
  async () => {
    const { reached, lives } = await undisturbed("more/sign.md");
    const [before = [], after = []] = lives.map((all) => deathsOf(all, ({ kind }) => kind));
    const died = { before: new Set<Death>(), after: new Set<Death>() };
    const runs = EVERY_DEATH ? Math.max(before.length, after.length) : RUNS;
    const dieIn = async (mine: (death: Death, index: number) => boolean): Promise<void> => {
      const box = bookshop();
      await dieAfterEach(box, ["run", "more/sign.md", "--json"], before.filter(mine), died.before);
      await toTheQuestion(box);
      await dieAfterEach(box, ["resume", "--json"], after.filter(mine), died.after);
      await goOnToTheEnd(box, "more/sign.md", () => null);
      expect(reachedBy(box)).toEqual(reached);
      await expectSoundAndAnswered(box);
    };
    await eachOf(range(runs), (run) => dieIn((_, index) => index % runs === run - 1));
    // A kill that comes late can leave a run nothing to die after: such a death gets a run of its own.
    const missed = [...before, ...after].filter(
      (death) => !died.before.has(death) && !died.after.has(death),
    );
    await eachOf(missed, (death) => dieIn((one) => one === death));
    expect(died).toEqual({ before: new Set(before), after: new Set(after) });
  },
  PATIENCE_MS,
);

const MOMENTS = 5;

test(
  `killed at random moments, runs come to the same end (seed ${SEED})`,
  async () => {
    const { reached } = await undisturbed("tasks");
    expect(reached.ends).toEqual({ "01-greet": "done", "02-name": "done", "03-shelf": "done" });
    const dice = mulberry32(SEED);
    const deaths = range(times(1, 4)).map(() =>
      range(MOMENTS).map(() => Math.floor(dice() * LIFE_MS_MAX)),
    );
    await eachOf(deaths, async (moments) => {
      const box = bookshop();
      const left = [...moments];
      await goOnToTheEnd(box, "tasks", () => left.shift() ?? null);
      expect(reachedBy(box)).toEqual(reached);
      await expectSoundAndAnswered(box);
    });
  },
  PATIENCE_MS,
);

test("the locks of a git that died with it keep no run from its end, and are gone then", async () => {
  const box = bookshop();
  const program = box.start(["run", "more/sign.md", "--json"]);
  await program.event(({ type }) => type === "session-spawned");
  program.kill("SIGKILL");
  await program.ended;
  await noLeftovers(box);
  const [planned] = eventsOf(box, "tree-planned");
  if (planned?.workspace.kind !== "worktree") throw new Error("the task works in a tree");
  const heads = box.git("for-each-ref", "--format=%(refname)", "refs/heads/orch", "refs/orch");
  const refs = heads.split("\n").map((ref) => join(box.root, ".git", ref));
  const locks = [...refs, join(planned.workspace.root, ".git/index")].map((at) => `${at}.lock`);
  for (const lock of locks) writeFileSync(lock, "");
  const again = box.start(["resume", "--json"]);
  await again.event(({ type }) => type === "session-started");
  expect(locks.slice(-1).filter(existsSync)).toEqual([]);
  expect((await again.ended).exitCode).toBe(4);
  await goOnToTheEnd(box, "more/sign.md", () => null);
  expect(locks.filter(existsSync)).toEqual([]);
  await expectSoundAndAnswered(box);
}, 120_000);

interface Reached {
  readonly ends: Readonly<Record<string, string>>;
  readonly outcome: unknown;
}

function reachedBy(box: Sandbox): Reached {
  return { ends: endsOf(box), outcome: outcomeOf(box) };
}

/** After the n-th event of a kind in one process. */
interface Death {
  readonly kind: string;
  readonly nth: number;
}

function deathAfter({ type }: Json, index: number, all: readonly Json[]): Death {
  return {
    kind: String(type),
    nth: all.slice(0, index).filter((one) => one["type"] === type).length,
  };
}

interface Undisturbed {
  readonly reached: Reached;
  /** What each process recorded: until the question, and after the answer. */
  readonly lives: readonly (readonly Death[])[];
}

/** The same run when nobody kills it. */
async function undisturbed(tasks: string): Promise<Undisturbed> {
  const box = bookshop();
  const before = await box.inProcess(["run", tasks, "--json"]);
  expect(before.exitCode).toBe(4);
  expect((await box.inProcess(["answer", "Grace"])).exitCode).toBe(0);
  const after = await box.inProcess(["resume", "--json"]);
  expect(after.exitCode).toBe(0);
  // The last line is the result.
  const lives = [before, after].map(({ stdout }) => jsonLines(stdout).slice(0, -1).map(deathAfter));
  return { reached: reachedBy(box), lives };
}

async function expectSoundAndAnswered(box: Sandbox): Promise<void> {
  expectSound(box);
  expect(eventsOf(box, "answered").map(({ answer }) => answer.text)).toEqual(["Grace"]);
  await expectDeserted(box);
}

/**
 * Goes on with a run again and again, and ends each process as soon as it has told of the next of
 * these events. Where it came to that is added to `died`; where not, the process ends by itself.
 */
async function dieAfterEach(
  box: Sandbox,
  first: readonly string[],
  deaths: readonly Death[],
  died: Set<Death>,
): Promise<void> {
  for (const [index, death] of deaths.entries()) {
    const program = box.start(index === 0 ? first : ["resume", "--json"]);
    const match = await program
      .event((event, index, all) => isDeepStrictEqual(deathAfter(event, index, all), death))
      .catch(() => null);
    program.kill("SIGKILL");
    await program.ended;
    await noLeftovers(box);
    if (match !== null) died.add(death);
  }
}

/** Goes on until the question waits, and answers it. */
async function toTheQuestion(box: Sandbox): Promise<void> {
  const { exitCode } = await box.orch(["resume"]);
  expect(exitCode).toBe(4);
  expect((await box.inProcess(["answer", "Grace"])).stderr).toBe("");
}

/**
 * As a person would: resume it, answer what it asks, resume it. `lifeMs` says after how long this
 * life is ended; null: it may live.
 */
async function goOnToTheEnd(
  box: Sandbox,
  tasks: string,
  lifeMs: () => number | null,
): Promise<void> {
  for (let life = 0; life < LIVES_MAX; life += 1) {
    // A kill that came after the result was written ended nothing any more.
    const result = resultOf(box);
    if (result !== null) return expect(result).toMatchObject({ exitCode: 0 });
    const program = box.start(runIds(box).length > 0 ? ["resume"] : ["run", tasks]);
    const limit = lifeMs();
    const timer = limit === null ? null : setTimeout(() => program.kill("SIGKILL"), limit);
    const { exitCode, signal, stderr } = await program.ended;
    if (timer !== null) clearTimeout(timer);
    if (signal !== null) await noLeftovers(box);
    else if (exitCode === 4) expect((await box.inProcess(["answer", "Grace"])).stderr).toBe("");
    else return expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr });
  }
  throw new Error(`not at its end after ${LIVES_MAX} lives`);
}

function resultOf(box: Sandbox): { readonly finished: boolean } | null {
  const [run] = runIds(box);
  const path = join(box.root, ".orch/runs", run ?? "none", "result.json");
  if (!existsSync(path)) return null;
  const result = JSON.parse(readFileSync(path, "utf8"));
  return result.finished === true ? result : null;
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
