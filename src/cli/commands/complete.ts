// Which names complete the word at the cursor? Asked by the shell at each press of Tab.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

import { isRealFolder, namesIn, readSmallFile } from "../../adapters/files/small-file.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import * as reader from "../../adapters/log/run-reader.ts";
import { excerpt, inert } from "../../core/model/excerpt.ts";
import {
  isObject,
  jsonIn,
  type JsonObject,
  nameAt,
  objectAt,
  textAt,
} from "../../core/model/json.ts";
import type { CommandSpec } from "../command-spec.ts";
import { placeOf, type Candidate, type Source } from "../complete.ts";
import { printOut, type CliIo } from "../io.ts";
import { waitingQuestions } from "./waiting.ts";

const SHOWN_MAX = 200;
const ABOUT_CHARS_MAX = 60;

/**
 * The first line says what follows: "words", or that the shell's "files" may stand there, too. No code of the repository runs, and nothing that goes wrong is said.
 */
export async function complete(
  commands: readonly CommandSpec[],
  [shell = "", ...typed]: readonly string[],
  io: CliIo,
): Promise<number> {
  const words = shell === "bash" ? joined(typed) : typed;
  const place = placeOf(words, commands);
  const prefix = unquoted(place.word);
  const looked = await Promise.all(place.sources.map((source) => candidates(source, prefix, io)));
  const all = [...place.fixed, ...looked.flat()].filter(({ name }) => isOffered(name, prefix));
  // bash replaces only what stands behind these.
  const kept = shell === "bash" ? (/^.*[:=]/s.exec(prefix)?.[0].length ?? 0) : 0;
  const lines = all.slice(0, SHOWN_MAX).map(({ name, about }) => {
    const said = name.slice(kept);
    return about === "" ? said : `${said}\t${excerpt(about, ABOUT_CHARS_MAX)}`;
  });
  printOut(io, [place.isFile ? "files" : "words", ...lines].join("\n"));
  return 0;
}

/** What no terminal shows as it is cannot be completed, and a leading dash would be an option. */
function isOffered(name: string, prefix: string): boolean {
  const isPlain = name !== "" && !/\s/.test(name.replaceAll(" ", "")) && inert(name) === name;
  const isFlag = name.startsWith("-") && !prefix.startsWith("-");
  return isPlain && !isFlag && name.startsWith(prefix);
}

/** bash takes `--flag=value` for three words, and `a:b`. */
function joined(typed: readonly string[]): readonly string[] {
  return typed.reduce<readonly string[]>((words, word, at) => {
    const isPart = BREAK.test(word) || BREAK.test(typed[at - 1] ?? "");
    return isPart ? [...words.slice(0, -1), `${words.at(-1) ?? ""}${word}`] : [...words, word];
  }, []);
}

const BREAK = /^[:=]+$/;

/** As far as a shell's quotes matter for a beginning. */
function unquoted(word: string): string {
  return word.replace(/\\(.)|["']/gs, "$1");
}

async function candidates(
  source: Source,
  prefix: string,
  io: CliIo,
): Promise<readonly Candidate[]> {
  try {
    return await LOOKUPS[source](io, prefix);
  } catch {
    return []; // Nothing to offer; the command itself says what is wrong.
  }
}

const named = (name: string): Candidate => ({ name, about: "" });

const LOOKUPS: Readonly<
  Record<
    Source,
    (io: CliIo, prefix: string) => readonly Candidate[] | Promise<readonly Candidate[]>
  >
> = {
  agents: ({ cwd }) => ["claude-code", ...namesUnder("agents", cwd)].map(named),
  pipelines: ({ cwd }) => ["default", ...namesUnder("pipelines", cwd)].map(named),
  tasks: ({ cwd }) =>
    namesIn(taskFolder(cwd))
      .filter((name) => /\.md$/i.test(name) && !name.startsWith("_"))
      .toSorted()
      .map((name) => named(name.slice(0, -".md".length))),
  "run tasks": async ({ cwd }) => {
    const here = reader.requireRuns(cwd);
    const { view } = await reader.openRun(here.root, reader.pickRun(here, null));
    return view.tasks.map(({ id, title }) => ({ name: id, about: title }));
  },
  runs: ({ cwd }, prefix) => {
    const ids = reader.findRuns(cwd).runs;
    const short = ids.map((id) => ({ name: id.replace(/^.*-/, ""), about: id }));
    return short.some(({ name }) => name.startsWith(prefix)) ? short : ids.map(named);
  },
  questions: async ({ cwd }) =>
    (await waitingQuestions(cwd, null)).waiting.map(({ question }) => ({
      name: question.id,
      about: question.question,
    })),
};

const PINNED_BYTES_MAX = 1024 * 1024;
const RUNS_SEEN = 3;

/** As the newest runs took it: a config is code, and Tab runs none. */
function configSeen(cwd: string): JsonObject {
  const { root, runs } = reader.findRuns(cwd);
  for (const run of runs.slice(0, RUNS_SEEN)) {
    const folder = join(runFiles(root, run).folder, "pinned");
    const [file = ""] = namesIn(folder);
    const pinned = objectIn(readSmallFile(join(folder, file), PINNED_BYTES_MAX));
    const config = objectAt(pinned, "config") ?? {};
    const json = textAt(config, "json");
    if (json !== null)
      return { ...objectIn(json), folder: dirname(join(root, nameAt(config, "path"))) };
  }
  return {};
}

function objectIn(text: string | null): JsonObject {
  const found = jsonIn(text ?? "");
  return isObject(found) ? found : {};
}

function namesUnder(key: string, cwd: string): readonly string[] {
  return Object.keys(objectAt(configSeen(cwd), key) ?? {});
}

const TASKS = "tasks";

/** The config's, else the nearest `tasks`. */
function taskFolder(cwd: string): string {
  const seen = configSeen(cwd);
  const folder = textAt(seen, "folder");
  if (folder !== null) return join(folder, textAt(seen, "taskFolder") ?? TASKS);
  const { root } = reader.findRuns(cwd);
  for (let at = cwd; ; at = dirname(at)) {
    const isLast = at === root || existsSync(join(at, ".git")) || dirname(at) === at;
    if (isLast || isRealFolder(join(at, TASKS))) return join(at, TASKS);
  }
}
