// What does a person learn before a run, or where one does not begin?

import { repositoryRoot, readConfig } from "../../adapters/project/config-loader.ts";
import { defaultSettings } from "../../schema/config.ts";
import { OrchError } from "../../errors.ts";
import { gatesOnBase, lookAround, runGates, type DoctorPlace, type Finding } from "../doctor.ts";
import { type CliIo, printErr, printResult, styleOf } from "../io.ts";
import { atWords } from "../layout.ts";
import type { Command } from "../options.ts";
import { renderFindings } from "../render/doctor.ts";
import { refuseInsideSession } from "./inside-session.ts";
import { validationOf } from "./validate.ts";

const EXIT_IN_THE_WAY = 2;

const GATES_LATER: Finding = {
  about: "gates",
  state: "note",
  text: "not run until the problems above are fixed",
  hint: null,
};

export const doctorCommand: Command = async (_args, given, io) => {
  const validation = await validationOf([], io);
  const place = await placeOf(io);
  refuseInsideSession(io.env, "orch doctor", place.root);
  const around = await lookAround(place, validation);
  const gates = gatesOnBase(place.settings);
  const isClear = around.every(({ state }) => state !== "bad");
  const wanted = given.gates !== false && gates.length > 0;
  const runs = wanted && isClear;
  if (runs && given.json !== true) {
    const named = gates.map((gate) => (gate.kind === "command" ? gate.run : gate.name));
    printErr(io, atWords(styleOf(io, "stderr"), `runs the gates: ${named.join("; ")}`));
  }
  const later = wanted && !isClear ? [GATES_LATER] : [];
  const found = [...around, ...later, ...(runs ? await runGates(place, io.readerGone) : [])];
  const isGood = found.every(({ state }) => state !== "bad");
  printResult(io, given, { ok: isGood, findings: found }, (style) => renderFindings(found, style));
  return isGood ? 0 : EXIT_IN_THE_WAY;
};

/** Without a config that is in order, the defaults. */
async function placeOf({ cwd, env }: CliIo): Promise<DoctorPlace> {
  const place = { cwd, env, root: repositoryRoot(cwd) ?? cwd };
  try {
    const { settings, folder } = await readConfig(cwd);
    const root = repositoryRoot(cwd) ?? folder;
    return { ...place, root, settings: settings.ok ? settings.value : defaultSettings() };
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return { ...place, settings: defaultSettings() };
  }
}
