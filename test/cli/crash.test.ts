import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { bookshop, outcomeOf } from "../support/bookshop.ts";
import { eachOf } from "../support/each-of.ts";
import { endsOf, eventsOf, expectSound, recordedOf, runIds } from "../support/run-record.ts";
import { jsonLines, noLeftovers, type Program, type Sandbox } from "../support/whole-program.ts";

/** Another one is tried with SEED=…; a failure names the one it happened with. */
const SEED = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const LIVES_MAX = 60;
/** A life of the program lasts about as long as this; some deaths come before its first event. */
const LIFE_MS_MAX = 1_200;

test("killed right after any of its events, a run comes to the same end", async () => {
  const { reached, lives } = await undisturbed("more/sign.md");
  const [before = 0, after = 0] = lives;
  // Every event of the life that ends with the question, and of the life that gets the answer.
  const deaths = range(Math.max(before, after)).map((k) => ({ before: k, after: (k % after) + 1 }));
  await eachOf(deaths, async (death) => {
    const box = bookshop();
    const first = box.start(["run", "more/sign.md", "--json"]);
    await dieAfter(first, death.before);
    await noLeftovers(box);
    const known = await toTheQuestion(box);
    const second = box.start(["resume", "--json"]);
    await dieAfter(second, known + death.after);
    await noLeftovers(box);
    await goOnToTheEnd(box, "more/sign.md", () => null);
    expect(reachedBy(box)).toEqual(reached);
    expectSoundAndAnswered(box);
  });
}, 240_000);

test(`killed at twenty random moments, runs come to the same end (seed ${SEED})`, async () => {
  const { reached } = await undisturbed("tasks");
  expect(reached.ends).toEqual({ "01-greet": "done", "02-name": "done", "03-shelf": "done" });
  const dice = mulberry32(SEED);
  const deaths = range(4).map(() => range(5).map(() => Math.floor(dice() * LIFE_MS_MAX)));
  await eachOf(deaths, async (moments) => {
    const box = bookshop();
    const left = [...moments];
    await goOnToTheEnd(box, "tasks", () => left.shift() ?? null);
    expect(reachedBy(box)).toEqual(reached);
    expectSoundAndAnswered(box);
  });
}, 240_000);

interface Reached {
  readonly ends: Readonly<Record<string, string>>;
  readonly outcome: unknown;
}

function reachedBy(box: Sandbox): Reached {
  return { ends: endsOf(box), outcome: outcomeOf(box) };
}

interface Undisturbed {
  readonly reached: Reached;
  /** How many events each process recorded: until the question, and after the answer. */
  readonly lives: readonly number[];
}

/** The same run when nobody kills it. */
async function undisturbed(tasks: string): Promise<Undisturbed> {
  const box = bookshop();
  const before = await box.orch(["run", tasks, "--json"]);
  expect(before.exitCode).toBe(4);
  expect((await box.inProcess(["answer", "Grace"])).exitCode).toBe(0);
  const after = await box.orch(["resume", "--json"]);
  expect(after.exitCode).toBe(0);
  // The last line is the result.
  const lives = [before, after].map(({ stdout }) => jsonLines(stdout).length - 1);
  return { reached: reachedBy(box), lives };
}

function expectSoundAndAnswered(box: Sandbox): void {
  expectSound(box);
  expect(eventsOf(box, "answered").map(({ answer }) => answer.text)).toEqual(["Grace"]);
  expect(box.processes()).toEqual([]);
}

/** Ends the process as soon as it has told of the event; where it tells of fewer, it ends by itself. */
async function dieAfter(program: Program, seq: number): Promise<void> {
  await Promise.race([program.event((event) => event["seq"] === seq), program.ended]);
  program.kill("SIGKILL");
  await program.ended;
}

/** Goes on until the question waits, answers it, and resolves to the number of events so far. */
async function toTheQuestion(box: Sandbox): Promise<number> {
  const { exitCode } = await box.orch(["resume"]);
  expect(exitCode).toBe(4);
  expect((await box.inProcess(["answer", "Grace"])).stderr).toBe("");
  return recordedOf(box).length;
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

function mulberry32(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
