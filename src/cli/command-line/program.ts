// How do words on the command line become one command with its flags?

import { Command, CommanderError, Option } from "commander";

import { OrchError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import type { CommandSpec } from "./command-spec.ts";
import { COMMANDS } from "./command-table.ts";
import { type CliIo, styleOf } from "../io.ts";
import type { Given } from "./options.ts";

/** The commands in the order of the help. */
const COMMAND_GROUPS: Readonly<Record<string, string>> = {
  Work: "run resume stop merge abandon rescue clean",
  Look: "status list show watch web log explain diff prove stats",
  Answer: "answer tell ask mcp",
  Fleet: "worker fleet",
  "Set up": "init new validate doctor agents demo completion",
  Measure: "policy replay",
};

const OVERVIEW_EXAMPLES = [
  "orch init",
  "orch run tasks/add-login.md",
  'orch run "make the flaky test deterministic"',
  "orch status",
  "orch merge",
];

/**
 * Runs the command that `argv` names and resolves to the exit code. Rejects with OrchError for what
 * the user can fix. Each command is loaded when it is chosen: `--help` loads the parser only.
 */
export async function runProgram(argv: readonly string[], io: CliIo): Promise<number> {
  const chosen: Chosen = { exitCode: 0 };
  // To make all of them takes a tenth of a short command's time.
  const named = COMMANDS.filter(({ usage }) => usage.split(" ", 1)[0] === argv[0]);
  const program = createProgram(io, chosen, named.length === 0 ? COMMANDS : named);
  try {
    const topic = argv.slice(1).find((arg) => !arg.startsWith("-"));
    const asked = argv[0] === "help" ? helpFor(topic) : argv;
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(asked, { from: "user" });
    return chosen.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    throw usageError(error);
  }
}

/** Of a word that is no command the parser says what is wrong with it. */
function helpFor(name = "help"): readonly string[] {
  if (name === "help") return ["--help"];
  return COMMANDS.some(({ usage }) => usage.split(" ", 1)[0] === name) ? [name, "--help"] : [name];
}

interface Chosen {
  exitCode: number;
}

function createProgram(io: CliIo, chosen: Chosen, specs: readonly CommandSpec[]): Command {
  const program = new Command("orch")
    .description(
      "Runs coding agents against a task until the work is proven done,\nor until going on would be waste.",
    )
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .commandsGroup("Set up:")
    .helpCommand("help [command]", "print help for a command")
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // Usage errors are printed once, in the form of all errors.
      writeErr: () => {},
      getOutHelpWidth: () => styleOf(io, "stdout").columns,
      getErrHelpWidth: () => styleOf(io, "stderr").columns,
    })
    .configureHelp({
      minWidthToWrap: 20,
      // The choices stand in the description.
      optionDescription: ({ description }) => description,
      subcommandTerm: (command) => command.name(),
    })
    .addHelpText("after", examples(OVERVIEW_EXAMPLES));
  for (const [heading, names] of Object.entries(COMMAND_GROUPS))
    for (const name of names.split(" ")) {
      const spec = specs.find(({ usage }) => usage.split(" ", 1)[0] === name);
      if (spec !== undefined) addCommand(program, spec, io, chosen).helpGroup(`${heading}:`);
    }
  return program;
}

/** Where no fleet is named, nothing of it is loaded. */
const NOTHING_AROUND = { aroundCommand: async () => async () => undefined };

function addCommand(program: Command, spec: CommandSpec, io: CliIo, chosen: Chosen): Command {
  const command = program
    .command(spec.usage)
    .summary(spec.summary)
    .description(
      `${spec.summary.slice(0, 1).toUpperCase()}${spec.summary.slice(1)}. ${spec.more ?? ""}`,
    )
    .allowExcessArguments(false)
    .action(async (...all: unknown[]) => {
      const isFleets = (io.env["ORCH_DATABASE_URL"] ?? "") !== "";
      const { aroundCommand } = isFleets ? await import("../fleet/around.ts") : NOTHING_AROUND;
      const after = await aroundCommand(command.name(), io);
      try {
        chosen.exitCode = await spec.run(argumentsOf(all), command.opts<Given>(), io);
      } finally {
        await after();
      }
    });
  for (const [flags, description, { choices, excludes = [] } = {}] of spec.options) {
    const option = new Option(flags, description);
    if (choices !== undefined) option.choices(choices);
    command.addOption(option.conflicts(excludes.filter((name) => name !== option.attributeName())));
  }
  if (spec.examples.length > 0) command.addHelpText("after", examples(spec.examples));
  return command;
}

function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

/** Commander passes the arguments, then the options, then the command; a rest argument is a list. */
function argumentsOf(all: readonly unknown[]): readonly string[] {
  return all
    .slice(0, -2)
    .flat()
    .filter((one) => typeof one === "string");
}

function usageError(error: CommanderError): OrchError {
  const [first = "", suggestion = ""] = error.message.split("\n");
  const [, kind = "", word = ""] = /^error: unknown (command|option) '(.*)'$/.exec(first) ?? [];
  const isTask = kind === "command" && /[\s/]|\.md$/.test(word);
  const near = /^\(Did you mean (.*)\?\)$/.exec(suggestion)?.[1];
  const meant = isTask ? `run ${JSON.stringify(word)}` : near;
  const general = "`orch --help` lists the commands, `orch <command> --help` their flags";
  const hint = meant === undefined ? general : `did you mean ${meant}?`;
  const message = first.replace("error: ", "");
  const instead = Object.hasOwn(INSTEAD, word) ? INSTEAD[word] : undefined;
  return new OrchError("usage", message, instead ?? hint, { cause: error });
}

/** What does it, of commands and flags that were removed, or that people try. */
const INSTEAD: Readonly<Record<string, string>> = {
  plan: "`orch run --plan` shows what would run; a pipeline with a planning step writes a plan",
  eval: "`npm run bench -- eval` in orch's own repository measures by labelled records",
  pr: "`orch run --landing pull-request` opens one when the work is done",
  "--words": "a task in words is one argument in quotes, of two words or more",
  "--auto-commit": "`git: { autoCommit: true }` in the config",
  "--option": "the number alone chooses: orch answer 2",
  "--branch": "`orch rescue` names the ref: git branch <name> <ref>",
  "--dry-run": "`orch run --plan` shows what would run; `orch clean` asks before it removes",
  "--policy": "name single values with --set key=value",
};
