// What did `orch init` write, and what is to be done next?

import { join } from "node:path";

import type { ChosenGate, InitFile } from "../../adapters/project/init-files.ts";
import { packageFolder } from "../../adapters/project/templates.ts";
import type { Style } from "../io.ts";
import { paragraph, table } from "../layout.ts";

interface Initialised {
  readonly gates: readonly ChosenGate[];
  readonly files: readonly InitFile[];
  /** The config was there before, and is as it was. */
  readonly isThere: boolean;
}

export function initLines({ gates, files, isThere }: Initialised, style: Style): readonly string[] {
  const say = (text: string): string => paragraph(style, text, { hanging: "  " });
  const config = files[0]?.path ?? "";
  const old = files.flatMap(({ path, before }) =>
    before === null ? [] : [`${path} as it was: ${before}`],
  );
  const isUsed = gates.some(({ leftOut }) => leftOut === null);
  const none =
    gates.length === 0 ? "No command that tests this project was found" : "No gate was chosen";
  return [
    ...table(
      style,
      files.map(({ path, outcome }) => [outcome, path]),
    ),
    ...old.map(say),
    ...(isThere
      ? [say(`${config} already exists and was not changed; --force replaces it and keeps a copy.`)]
      : gates.map(({ name, run, leftOut }) =>
          say(
            leftOut === null
              ? `gate "${name}": ${run}`
              : `not a gate: "${name}" (${leftOut}): ${run}`,
          ),
        )),
    ...(isThere || isUsed ? [] : [say(`${none}: add one to ${config}.`)]),
    "",
    "Next:",
    ...[
      `look at ${config}; every key is explained in ${join(packageFolder(), "docs", "config.md")}`,
      'orch new "Add login" writes a task file',
      "orch run add-login runs it",
    ].map((text, at) => paragraph(style, text, { lead: `  ${at + 1}. `, hanging: "     " })),
  ];
}
