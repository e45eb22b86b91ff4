// What are the figures of this machine, and which of them fall short?

import { benchAgents } from "./agents.ts";
import { benchAsking } from "./asking.ts";
import { benchAttempt } from "./attempt.ts";
import { benchBeside } from "./beside.ts";
import { benchDecisions } from "./decisions.ts";
import { benchAppend, benchDamage, benchReplay } from "./durability.ts";
import { isShort, renderFigures } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { benchFleet } from "./fleet.ts";
import { benchMemory } from "./memory.ts";
import { benchPlace } from "./place.ts";
import { benchReading } from "./reading.ts";
import { benchScreen } from "./screen.ts";
import { benchStart } from "./start.ts";
import { benchStream } from "./stream.ts";
import { benchTrees } from "./trees.ts";
import { benchWeb } from "./web.ts";
import { benchWorktree } from "./worktree.ts";

const HEADING = `Each figure is measured on this machine, now, and compared within the run: medians, taken in
turns. A busy machine blurs them. "short": the goal is not reached.
`;

const [cli = "dist/cli.cjs", ...wanted] = process.argv.slice(2);

const AREAS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  start: () => benchStart(cli),
  attempt: () => benchAttempt(cli),
  agents: () => benchAgents(cli),
  asking: () => benchAsking(cli),
  beside: () => benchBeside(cli),
  memory: () => benchMemory(cli),
  screen: () => benchScreen(cli),
  stream: async () => benchStream(),
  reading: async () => benchReading(),
  trees: () => benchTrees(cli),
  replay: () => benchReplay(),
  append: () => benchAppend(),
  damage: async () => benchDamage(),
  worktree: () => benchWorktree(cli),
  place: () => benchPlace(),
  web: () => benchWeb(cli),
  fleet: () => benchFleet(cli),
  decisions: async () => benchDecisions("bench/decisions"),
};

process.stdout.write(`${HEADING}\n`);
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(AREAS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stderr.write(`measuring: ${name}\n`);
  figures.push(...(await measure()));
}
const short = figures.filter(isShort).length;
const sum = short === 0 ? "Every goal is reached." : `${short} of the goals not reached.`;
process.stdout.write(`${renderFigures(figures)}\n\n${sum}\n`);
