// Does every ending say what happened, cost no more than it must, and blame nobody who is not to blame?

import { parseArgs } from "node:util";

import { ACCOUNTS } from "./accounts.ts";
import { CHECKS } from "./checks.ts";
import { DEATHS } from "./deaths.ts";
import { PEOPLE } from "./people.ts";
import { play } from "./play.ts";
import type { Outcome } from "./play.ts";
import { REPORTS } from "./reports.ts";
import type { Families, Scenario } from "./scenario.ts";

const AT_ONCE = 2;
const FIRST_CHARS = 110;

const [built = "dist/cli.cjs", ...args] = process.argv.slice(2);
const { values, positionals: wanted } = parseArgs({
  args,
  allowPositionals: true,
  options: {
    /** Another program than the one just built. */
    orch: { type: "string", default: process.env["ORCH_BIN"] ?? built },
    /** Scenarios whose sentence holds these words. */
    only: { type: "string" },
    /** All that was printed. */
    verbose: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});

const FAMILIES: Families = { ...DEATHS, ...ACCOUNTS, ...REPORTS, ...CHECKS, ...PEOPLE };

const unknown = wanted.filter((name) => FAMILIES[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(
    `no family ${unknown.join(", ")}; there are: ${Object.keys(FAMILIES).join(", ")}\n`,
  );
  process.exitCode = 2;
} else await playAll();

async function playAll(): Promise<void> {
  const claude = process.env["ORCH_CLAUDE_BIN"] ?? "claude";
  const queue = chosen();
  const most = queue.length;
  let wrong = 0;
  const one = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [name, scenario] = next;
      const outcome = await play(scenario, { cli: values.orch, claude, keep: values.keep });
      const faults = faultsOf(scenario, outcome);
      if (faults.length > 0) wrong += 1;
      process.stdout.write(`${lineOf(name, outcome, faults)}\n`);
      if (values.verbose) process.stdout.write(`${outcome.shown}\n\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  process.stdout.write(`\n${most - wrong} of ${most} scenarios right, ${wrong} wrong\n`);
  if (wrong > 0) process.exitCode = 1;
}

function chosen(): (readonly [name: string, scenario: Scenario])[] {
  return Object.entries(FAMILIES)
    .filter(([family]) => wanted.length === 0 || wanted.includes(family))
    .flatMap(([family, all]) =>
      Object.entries(all).map(
        ([what, [setup, expected]]) => [`${family}: ${what}`, { ...setup, ...expected }] as const,
      ),
    )
    .filter(([name]) => name.includes(values.only ?? ""));
}

/** What is not as it must be; empty: all is right. */
function faultsOf(scenario: Scenario, outcome: Outcome): readonly string[] {
  const { ends, exits, says, never, shows = [], hides = [] } = scenario;
  const { sessionsMost, blameless = ["agent"] } = scenario;
  const { end, exitCode, first, sessions, cause, screen } = outcome;
  return [
    ...(ends.includes(end) ? [] : [`${end}, not ${ends.join(" or ")}`]),
    ...(exitCode !== null && exits.includes(exitCode) ? [] : [`not exit ${exits.join(" or ")}`]),
    ...(says === undefined || says.test(first) ? [] : [`its first line lacks ${says}`]),
    ...(never?.test(first) === true ? [`its first line has ${never}`] : []),
    ...shows.filter((one) => !one.test(screen)).map((one) => `nothing shows ${one}`),
    ...hides.filter((one) => one.test(screen)).map((one) => `the screen shows ${one}`),
    ...(sessions <= sessionsMost ? [] : [`more than ${sessionsMost} sessions`]),
    ...(cause !== null && blameless.includes(cause) ? [`the ${cause} is blamed`] : []),
  ];
}

function lineOf(name: string, outcome: Outcome, faults: readonly string[]): string {
  const { first, sessions, exitCode, end } = outcome;
  const short = first.length > FIRST_CHARS ? `${first.slice(0, FIRST_CHARS)}…` : first;
  const verdict = faults.length === 0 ? "right" : "WRONG";
  const came = `${end}, exit ${exitCode}, sessions ${sessions}, "${short}"`;
  const why = faults.length === 0 ? "" : ` [${faults.join("; ")}]`;
  return `${verdict} ${name}: ${came}${why}`;
}
