// What a shell needs to complete commands, their flags, and task files, which are files to it.

import type { CommandSpec } from "../command-line/command-spec.ts";
import { printOut, type CliIo } from "../io.ts";
import { usage } from "../command-line/options.ts";

type Commands = readonly CommandSpec[];

/** One script a shell, out of the table of commands: Tab starts no program. */
export async function completion(commands: Commands, [shell = ""]: readonly string[], io: CliIo) {
  const script = SCRIPTS[shell];
  const hint = `name one of ${Object.keys(SCRIPTS).join(", ")}`;
  if (script === undefined)
    throw usage(`there is no completion for the shell ${JSON.stringify(shell)}`, hint);
  printOut(io, script(commands));
  return 0;
}

const SCRIPTS: Readonly<Record<string, ((commands: Commands) => string) | undefined>> = {
  bash: (commands) => `_orch() {
  local word=\${COMP_WORDS[COMP_CWORD]}
${offer("((COMP_CWORD == 1))", "${COMP_WORDS[1]}", commands)}
  COMPREPLY=($(compgen -W "$offer" -- "$word"))
}
complete -o default -F _orch orch`,
  zsh: (commands) => `#compdef orch
_orch() {
  local word=$PREFIX
${offer("((CURRENT == 2))", "$words[2]", commands)}
  if [[ -n $offer ]]; then compadd -- \${=offer}; else _files; fi
}
if [[ $funcstack[1] == _orch ]]; then _orch "$@"; else compdef _orch orch; fi`,
  fish: (commands) =>
    commands
      .flatMap((command) => {
        const flags = flagsOf(command).map((flag) => `-l ${flag.slice(2)}`);
        const first = `complete -c orch -n __fish_use_subcommand -f -a ${nameOf(command)}`;
        const after = `complete -c orch -n "__fish_seen_subcommand_from ${nameOf(command)}"`;
        return [first, ...flags.map((flag) => `${after} ${flag}`)];
      })
      .join("\n"),
};

/** Lines for bash and zsh that put what may stand at the cursor into `offer`; else files may. */
function offer(isFirst: string, command: string, commands: Commands): string {
  const cases = commands.map((one) => `    ${nameOf(one)}) offer="${flagsOf(one).join(" ")}" ;;`);
  return `  local offer=
  if ${isFirst}; then offer="${commands.map(nameOf).join(" ")}"
  elif [[ $word == -* ]]; then case ${command} in
${cases.join("\n")}
  esac; fi`;
}

function nameOf({ usage: words }: CommandSpec): string {
  return words.replace(/ .*/, "");
}

function flagsOf({ options }: CommandSpec): readonly string[] {
  return [...options.flatMap(([flags]) => /--[\w-]+/.exec(flags)?.[0] ?? []), "--help"];
}
