// How does a project get its config and a first task?

import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import { findConfig, repositoryRoot } from "../../adapters/project/config-loader.ts";
import { configName, writeInitFiles, type ChosenGate } from "../../adapters/project/init-files.ts";
import {
  detectProject,
  isPackage,
  type DetectedGate,
} from "../../adapters/project/project-detect.ts";
import type { Screen } from "../../adapters/terminal/screen.ts";
import { quoted } from "../../workspace/shell.ts";
import { askLine, screenOf } from "../at-terminal.ts";
import { canPrompt, type CliIo, printErr, printResult, styleOf } from "../io.ts";
import { paint, paragraph, shorten, table } from "../layout.ts";
import type { Command, Given } from "../options.ts";
import { initLines } from "../render/init.ts";
import { duration } from "../render/text.ts";
import { gateTrial, type Tried } from "../try-gates.ts";

const EXIT_LEFT = 130;

export const initCommand: Command = async (_args, given, io) => {
  const asks = canPrompt(io) && given.yes !== true && given.json !== true;
  const root = repositoryRoot(io.cwd) ?? io.cwd;
  const folder = await folderFor(root, asks, io);
  if (folder === null) return left(io);
  const project = detectProject(folder, root);
  const config = configName(folder, project.readsModules);
  const isThere = existsSync(join(folder, config)) && given.force !== true;
  const found = project.gates.map(({ name, run, others }) => {
    const [own = "", ...rest] = [run, ...others].map((line) => inFolder(folder, root, line));
    return { name, run: own, others: rest };
  });
  const within = relative(root, folder);
  const gates = isThere ? [] : await chosenOf(found, { root, within, asks, given, io });
  if (gates === null) return left(io);
  const { readsModules } = project;
  const [prompts, replace] = [given.prompts === true, given.force === true];
  const files = writeInitFiles(folder, root, { gates, readsModules, prompts, replace }).map(
    (file) => ({
      ...file,
      path: join(within, file.path),
      before: file.before === null ? null : join(within, file.before),
    }),
  );
  const shown = { root, folder, kinds: project.kinds, gates, files };
  printResult(io, given, shown, (style) => initLines({ ...shown, isThere }, style).join("\n"));
  return 0;
};

function left(io: CliIo): number {
  printErr(io, "nothing was written");
  return EXIT_LEFT;
}

/**
 * The repository's root, or the package of it that the person stands in; null: they left. Where nobody
 * is asked, a config that counts here already, else that package.
 */
async function folderFor(root: string, asks: boolean, io: CliIo): Promise<string | null> {
  const found = findConfig(io.cwd);
  const config = found === null ? null : dirname(found);
  const own = packageAround(io.cwd, root);
  if (own === null || config === own) return config ?? root;
  if (!asks) return config ?? own;
  const [here, all] = [relative(root, own), "the whole repository"];
  const question = `which is it for? [1] ${here} (Enter)  [2] ${all}`;
  const typed = await askUntil(io, question, (text) => /^[12]?$/.test(text));
  return typed === null ? null : typed === "2" ? root : own;
}

function packageAround(cwd: string, root: string): string | null {
  for (let folder = cwd; folder !== root && folder !== dirname(folder); folder = dirname(folder))
    if (isPackage(folder)) return folder;
  return null;
}

/** A gate runs at the root of a task's tree. */
function inFolder(folder: string, root: string, line: string): string {
  const way = relative(root, folder);
  if (way === "") return line;
  return `cd ${/^[\w./@+][\w./@+-]*$/.test(way) ? way : quoted(`./${way}`)} && ${line}`;
}

interface Choice {
  readonly root: string;
  /** The package's folder in it; "": it is for the whole repository. */
  readonly within: string;
  readonly asks: boolean;
  readonly given: Given;
  readonly io: CliIo;
}

/** What was found is shown, run, and put to the person; null: they left. */
async function chosenOf(
  found: readonly DetectedGate[],
  { root, within, asks, given, io }: Choice,
): Promise<readonly ChosenGate[] | null> {
  if (found.length === 0) return [];
  const style = styleOf(io, "stderr");
  const say = (text: string): void => printErr(io, text);
  say(`found in ${within === "" ? "this repository" : within}:`);
  for (const row of table(
    style,
    found.map(({ name, run }, at) => [`${at + 1}`, name, run]),
    { indent: "  " },
  ))
    say(row);
  const runs = given.skipChecks !== true;
  if (runs)
    say(paragraph(style, "They run in this checkout, one after the other, for at most 60 s each."));
  const question = "Run them to see which pass? [Y/n]";
  const said = runs && asks ? await askUntil(io, question, (text) => YES_OR_NO.test(text)) : "";
  if (said === null) return null;
  const tried = runs && !/^n/i.test(said) ? await tryAll(found, root, io) : [];
  // Whoever presses Enter is not to lose their tests for one that fails.
  const isKept = (at: number): boolean =>
    tried[at]?.isUsable !== false || (asks && tried[at].isRed);
  const usable = found.flatMap((_gate, at) => (isKept(at) ? [at] : []));
  const fails = tried.some(({ isUsable }) => !isUsable);
  const kept = asks ? await askWhich(usable, { count: found.length, fails }, io) : usable;
  if (kept === null) return null;
  return found.map(({ name, run }, at) => {
    const short = tried[at]?.isUsable === false ? (tried[at]?.short ?? "") : "left out";
    return { name, run: tried[at]?.run ?? run, leftOut: kept.includes(at) ? null : short };
  });
}

const YES_OR_NO = /^(?:y|yes|n|no)?$/i;

async function tryAll(
  found: readonly DetectedGate[],
  root: string,
  io: CliIo,
): Promise<readonly Tried[]> {
  const style = styleOf(io, "stderr");
  const screen = screenOf(io);
  const trial = gateTrial(root, io);
  const all: Tried[] = [];
  for (const [at, gate] of found.entries()) {
    const tried = await whileShown(`  ${at + 1}  ${gate.name} runs: ${gate.run}`, screen, () =>
      trial(gate),
    );
    const lead = `  ${at + 1}  `;
    const instead = tried.run === gate.run ? "" : ` (${tried.run}, as ${gate.run} is not there)`;
    const text = paragraph(style, `${gate.name}${instead}: ${tried.words}`, {
      lead,
      hanging: " ".repeat(lead.length),
    });
    screen.line(paint(style, tried.tone, text));
    all.push(tried);
  }
  return all;
}

const TICK_MS = 1_000;

/** With the time that it takes, on one line that passes. */
async function whileShown<T>(words: string, screen: Screen, work: () => Promise<T>): Promise<T> {
  const began = Date.now();
  const show = (): void =>
    screen.passing((columns) => {
      const took = ` · ${duration(Math.max(TICK_MS, Date.now() - began))}`;
      return [`${shorten(words, Math.max(1, columns - took.length))}${took}`];
    });
  const tick = setInterval(show, TICK_MS);
  show();
  try {
    return await work();
  } finally {
    clearInterval(tick);
    screen.passing(null);
  }
}

/** Places in the list; null: they left. */
async function askWhich(
  usable: readonly number[],
  { count, fails }: { readonly count: number; readonly fails: boolean },
  io: CliIo,
): Promise<readonly number[] | null> {
  const standard = usable.length === 0 ? "none" : usable.map((at) => at + 1).join(" ");
  const advice =
    " You may keep one that fails: what failed before the work is not held against it.";
  const question = `Which must pass? Type numbers, "all" or "none"; Enter takes ${standard}.${fails ? advice : ""}`;
  const isKnown = (text: string): boolean =>
    /^(?:all|none)?$/i.test(text) || numbersIn(text).every((at) => at >= 0 && at < count);
  const typed = await askUntil(io, question, isKnown);
  if (typed === null) return null;
  if (typed === "") return usable;
  if (/^none$/i.test(typed)) return [];
  return /^all$/i.test(typed) ? Array.from({ length: count }, (_, at) => at) : numbersIn(typed);
}

/** -1 for what is no number of the list. */
function numbersIn(text: string): readonly number[] {
  return text.split(/[\s,]+/).map((word) => (/^\d{1,3}$/.test(word) ? Number(word) - 1 : -1));
}

/** Asks again until the answer is one; null: they left. */
async function askUntil(
  io: CliIo,
  question: string,
  isAnswer: (text: string) => boolean,
): Promise<string | null> {
  const style = styleOf(io, "stderr");
  for (;;) {
    const typed = await askLine(io, paragraph(style, question));
    if (typed === null || isAnswer(typed)) return typed;
  }
}
