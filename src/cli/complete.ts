// What may stand where the cursor is, behind `orch`?

import type { CommandSpec, Flag } from "./command-spec.ts";

/** What is looked up in the project; "files" are the shell's own business. */
export type Source = "agents" | "pipelines" | "tasks" | "run tasks" | "runs" | "questions";

export interface Candidate {
  readonly name: string;
  readonly about: string;
}

/** Everything that may stand there, whatever it begins with. */
export interface Place {
  /** What was typed of it. */
  readonly word: string;
  readonly fixed: readonly Candidate[];
  readonly sources: readonly Source[];
  readonly isFile: boolean;
}

type Offer = Omit<Place, "word">;

/** By the names that arguments and values have in the table of commands. */
const SOURCES: Readonly<Record<string, readonly Source[]>> = {
  "<agent>": ["agents"],
  "<pipeline>": ["pipelines"],
  "<run>": ["runs"],
  "[id]": ["questions"],
  "[run]": ["runs"],
  "[run...]": ["runs"],
  "[task]": ["tasks"],
  "[task...]": ["tasks"],
};
/** Behind a run, and in its place where a task alone says which is meant. */
const OF_RUN = "[run] [task]";
const FILES = new Set(["<file>", "[task]", "[task...]"]);

const HELP: Flag = ["-h, --help", "print help"];
const NOTHING: Offer = { fixed: [], sources: [], isFile: false };

/** `words` stand behind `orch`; the last one is being typed. */
export function placeOf(words: readonly string[], commands: readonly CommandSpec[]): Place {
  const [word = "", ...before] = words.toReversed();
  const [name, ...rest] = before.toReversed();
  const shown = commands.filter(({ hidden }) => hidden !== true);
  if (name === undefined || name === "help")
    return { ...NOTHING, word, fixed: shown.map(asCandidate) };
  const command = shown.find((one) => nameOf(one) === name);
  if (command === undefined) return { ...NOTHING, word };
  const { values, flag } = typed(rest, command);
  if (flag !== null) return { word, ...ofValue(flag) };
  const isOption = word.startsWith("-") && !rest.includes("--");
  const [given = word, value] = isOption ? word.split(/=(.*)/s) : [];
  if (value !== undefined) return { word, ...withFlag(given, ofValue(flagOf(given, command))) };
  if (isOption) return { ...NOTHING, word, fixed: flagsOf(command, rest) };
  return { word, ...ofArgument(values, command) };
}

function nameOf({ usage }: CommandSpec): string {
  return usage.replace(/ .*/, "");
}

function asCandidate(command: CommandSpec): Candidate {
  return { name: nameOf(command), about: command.summary };
}

/** Arguments that stand already, and the option whose value comes next. */
function typed(words: readonly string[], command: CommandSpec) {
  const values: string[] = [];
  let flag: Flag | null = null;
  for (const [at, word] of words.entries()) {
    if (flag !== null) flag = null;
    else if (words.slice(0, at).includes("--") || !word.startsWith("-")) values.push(word);
    else flag = takesValue(flagOf(word, command));
  }
  return { values, flag };
}

function takesValue(flag: Flag | null): Flag | null {
  return flag?.[0].includes("<") === true ? flag : null;
}

function flagOf(word: string, { options }: CommandSpec): Flag | null {
  return options.find(([flags]) => namesOf(flags).includes(word)) ?? null;
}

function namesOf(flags: string): readonly string[] {
  return flags.split(/[ ,]+/).filter((part) => part.startsWith("-"));
}

function ofValue(flag: Flag | null): Offer {
  const [flags = "", , { choices = [] } = {}] = flag ?? [];
  return offer(/[<[].*/.exec(flags)?.[0] ?? "", choices);
}

function offer(kind: string, words: readonly string[], sources = SOURCES[kind] ?? []): Offer {
  const fixed = words.map((name) => ({ name, about: "" }));
  return { fixed, sources, isFile: FILES.has(kind) };
}

function withFlag(flag: string, { fixed }: Offer): Offer {
  return { ...NOTHING, fixed: fixed.map((one) => ({ ...one, name: `${flag}=${one.name}` })) };
}

/** Those that were not given yet. */
function flagsOf({ options }: CommandSpec, given: readonly string[]): readonly Candidate[] {
  return [...options, HELP].flatMap(([flags, about]) => {
    const names = namesOf(flags);
    const name = names.at(-1) ?? "";
    const isOver = names.some((one) => given.includes(one)) && !flags.includes("...");
    return isOver ? [] : [{ name, about }];
  });
}

function ofArgument(values: readonly string[], command: CommandSpec): Offer {
  const kinds = command.usage.split(" ").slice(1);
  const last = kinds.at(-1) ?? "";
  const kind = kinds[values.length] ?? (last.includes("...") ? last : null);
  if (kind === null) return NOTHING;
  const words = command.choices?.[kind] ?? [];
  if (kinds.join(" ") !== OF_RUN) return offer(kind, words);
  return { ...NOTHING, sources: kind === "[run]" ? ["run tasks", "runs"] : ["run tasks"] };
}
