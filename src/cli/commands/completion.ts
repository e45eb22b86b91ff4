// What does a shell need to complete the words behind `orch`?

import { readTemplate } from "../../adapters/project/templates.ts";
import { printOut } from "../io.ts";
import { type Command, usage } from "../options.ts";

const SHELLS = ["bash", "zsh", "fish"];

export const completionCommand: Command = async ([shell = ""], _given, io) => {
  if (!SHELLS.includes(shell))
    throw usage(
      `there is no completion for the shell ${JSON.stringify(shell)}`,
      `name one of ${SHELLS.join(", ")}`,
    );
  printOut(io, readTemplate(`completion/orch.${shell}`).trimEnd());
  return 0;
};
