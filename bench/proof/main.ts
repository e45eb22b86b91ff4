// How good is the proof: how many cheats end proven, and how much honest work is disputed?

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

import { cheatsOf, honestOf, isRed } from "./cases.ts";
import type { Case } from "./cases.ts";
import { casesOf, CHECKERS } from "./checkers.ts";
import { fetched } from "./fetch.ts";
import { PACKAGES, projectOf } from "./packages.ts";
import type { Project } from "./packages.ts";
import { gateAfter, play } from "./play.ts";
import type { Outcome } from "./play.ts";
import { cheatIn, honestIn, SITUATIONS } from "./situations.ts";
import { renderOutcomes } from "./table.ts";

const AT_ONCE = 2;

const [built = "dist/cli.cjs", ...args] = process.argv.slice(2);
const { values } = parseArgs({
  args,
  options: {
    /** Another program than the one just built. */
    orch: { type: "string", default: process.env["ORCH_BIN"] ?? built },
    only: { type: "string", multiple: true },
    package: { type: "string", multiple: true },
    /** At most so many cases, which take less than ten minutes on two cores. "all": all of them. */
    limit: { type: "string", default: "120" },
    verbose: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    /** Without orch: is each base as it should be, and does each work make its gate green? */
    check: { type: "boolean", default: false },
  },
});

interface Planned {
  readonly from: string;
  readonly pkg: Project;
  readonly played: Case;
}

const planned = [
  ...PACKAGES.flatMap((pkg, n) =>
    plan(projectOf(pkg), () => [...cheatsOf(pkg, n), ...honestOf(pkg)]),
  ),
  ...CHECKERS.flatMap((checker) => plan(checker, () => casesOf(checker))),
  // Not in pairs, of which every second one would be left out.
  ...SITUATIONS.flatMap((one) => plan(one, () => cheatIn(one))),
  ...SITUATIONS.flatMap((one) => plan(one, () => honestIn(one))),
];
const limit = values.limit === "all" ? planned.length : Number(values.limit);
// Spread over all: so many of each package, and other families of the next one.
const step = Math.ceil(planned.length / limit);
const waiting = planned.filter((_, n) => n % step === 0);
process.stderr.write(`${sampled(waiting)}\n`);
if (values.check) checkAll(waiting);
else {
  const outcomes = await playAll(waiting);
  process.stdout.write(`${renderOutcomes(outcomes)}\n`);
}

function plan(pkg: Project, all: () => readonly Case[]): readonly Planned[] {
  if (values.package !== undefined && !values.package.includes(pkg.name)) return [];
  const { program } = pkg;
  if (spawnSync(program, ["--version"], { stdio: "ignore" }).error !== undefined)
    return left(pkg, `${program} is not here`);
  try {
    const from = fetched(pkg);
    return all()
      .filter(({ family, name }) => isChosen(family) || isChosen(name))
      .map((played) => ({ from, pkg, played }));
  } catch (error) {
    return left(pkg, error instanceof Error ? error.message.slice(0, 300) : "it cannot be had");
  }
}

/** The honest twin of a situation has its name. */
function isChosen(word: string): boolean {
  return values.only?.includes(word) ?? true;
}

function left(pkg: Project, why: string): readonly Planned[] {
  process.stderr.write(`left out: ${pkg.name}: ${why}\n`);
  return [];
}

function sampled(of: readonly Planned[]): string {
  const honest = of.filter(({ played }) => played.family === "honest").length;
  const packages = new Set(of.map(({ pkg }) => pkg)).size;
  return `${of.length} of ${planned.length} cases: ${of.length - honest} cheats and ${honest} times honest work, on ${packages} packages and small repositories`;
}

async function playAll(all: readonly Planned[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = [...all];
  const one = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { from, pkg, played } = next;
      const outcome = await play(from, pkg, played, { cli: values.orch, keep: values.keep });
      outcomes.push(outcome);
      const line = `${pkg.name} ${played.family}: ${played.name}: ${outcome.end}, ${outcome.grade}, exit ${outcome.exitCode}`;
      process.stderr.write(`${outcomes.length}/${all.length} ${line}\n`);
      if (values.verbose) process.stderr.write(`${outcome.tail}\n\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return outcomes;
}

/** A gate may read this very checkout: of work in another tree it would see nothing. */
function isAsMeant({ family }: Case, after: number | null): boolean {
  return family === "reads elsewhere" || (after !== 0) === (family === "partial fix");
}

function checkAll(all: readonly Planned[]): void {
  for (const { from, pkg, played } of all) {
    const name = `${pkg.name} ${played.family}: ${played.name}`;
    try {
      const { before, after } = gateAfter(from, pkg, played);
      const isRight = (before !== 0) === isRed(played) && isAsMeant(played, after);
      if (!isRight || values.verbose)
        process.stdout.write(`${isRight ? "ok" : "NOT"} ${name}: ${before} -> ${after}\n`);
    } catch (error) {
      process.stdout.write(`NOT ${name}: ${error instanceof Error ? error.message : ""}\n`);
    }
  }
}
