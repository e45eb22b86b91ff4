// Which work was rescued, and how does a person get it back?

import { oneMeant } from "../../adapters/log/run-reader.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { listRescues, type RescueEntry } from "../../workspace/keep/rescue.ts";
import { printResult, type Style } from "../io.ts";
import { hanging, paint, paragraph } from "../layout.ts";
import type { Command } from "../command-line/options.ts";
import { dayAndTime } from "../render/text.ts";
import { OrchError } from "../../errors.ts";
import { requireRepository } from "./diff.ts";

export const rescueCommand: Command = async (args, given, io) => {
  const [wanted = null] = args.filter((word) => word !== "list");
  const all = await listRescues(await requireRepository(io));
  const runs = [...new Set(all.map(({ run }) => run))];
  const run = wanted && oneMeant(runs, wanted, { code: "run-unknown", all: "runs" });
  if (wanted !== null && run === null)
    throw new OrchError(
      "run-unknown",
      `there is no rescued work of a run ${JSON.stringify(wanted)}`,
      "`orch rescue` lists all of it, and how git shows it and brings it back",
    );
  const rescues = all.filter((one) => run === null || one.run === run);
  printResult(io, given, { rescues }, (style) => rendered(rescues, style));
  return 0;
};

const WHY_CHARS_MAX = 200;

/** Oldest first: the newest stands next to the prompt. */
function rendered(rescues: readonly RescueEntry[], style: Style): string {
  if (rescues.length === 0) return "there is no rescued work";
  // Those of an agent's branches and stashes have two parents.
  const show = "git show -m --first-parent";
  return [
    ...rescues.flatMap(({ ref, madeAt, why }) => [
      hanging(style, `${dayAndTime(madeAt)} ${excerpt(why, WHY_CHARS_MAX)}`),
      paragraph(style, ref.replace("refs/", ""), { tone: "quiet", lead: "  " }),
    ]),
    "",
    paint(style, "quiet", `look: ${show} <ref>`),
    paint(style, "quiet", `back: ${show} --binary <ref> | git apply`),
  ].join("\n");
}
