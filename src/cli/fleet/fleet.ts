// What does the operator of a fleet set up, see and limit?

import { initDatabase, openDatabase } from "../../fleet/database.ts";
import { fleetStanding, setLimit, type FleetStanding } from "../../fleet/standing.ts";
import { type Command, usage } from "../command-line/options.ts";
import { printResult, type Style } from "../io.ts";
import { dotted, facts, table } from "../layout.ts";
import { clock, duration, plural } from "../render/text.ts";
import { requireAddress } from "./address.ts";

export const fleetCommand: Command = async ([what = "status", name, most], given, io) => {
  const address = requireAddress(io);
  if (what === "init") {
    const made = await initDatabase(address);
    const words =
      made === "made" ? "the fleet is ready" : "the fleet was there, as this orch knows it";
    printResult(io, given, { schema: address.schema, made: made === "made" }, () =>
      [
        `${words}: schema ${address.schema}`,
        `next: orch worker --repository '*', on each machine`,
      ].join("\n"),
    );
    return 0;
  }
  const db = await openDatabase(address);
  try {
    if (what === "limit") {
      await setLimit(db, ...limitGiven(name, most));
      printResult(io, given, { limit: name, most }, () => `at most ${most} at once: ${name}`);
      return 0;
    }
    if (what !== "status")
      throw usage(
        `there is no \`orch fleet ${what}\``,
        "`orch fleet init`, `orch fleet status` and `orch fleet limit <name> <n>` are there",
      );
    const standing = await fleetStanding(db);
    printResult(io, given, standing, (style) => rendered(standing, style));
    return 0;
  } finally {
    await db.close();
  }
};

function limitGiven(name: string | undefined, most: string | undefined): [string, number | null] {
  const count = most === "none" ? null : Number(most);
  const isCount = count === null || (Number.isSafeInteger(count) && count > 0);
  if (name !== undefined && most !== undefined && isCount) return [name, count];
  throw usage(
    "a limit has a name and a number",
    "`orch fleet limit all 20`, of one repository `orch fleet limit github.com/acme/shop 4`, of one agent `orch fleet limit 'agent codex' 4`; `none` takes it away",
  );
}

const NAMES = ["worker", "at work", "age", ""];

function rendered(standing: FleetStanding, style: Style): string {
  const { workers, queue, limits, resets, runs, missing } = standing;
  const { waiting = 0, oldestMs = null } = queue ?? {};
  const waits = waiting === 0 ? "nothing waits" : `${plural(waiting, "part")} waiting`;
  const oldest = oldestMs === null ? null : `the oldest for ${duration(oldestMs)}`;
  const rows = workers.map(({ worker, parts, slots, ageMs, isDraining, labels }) => {
    const more = dotted([isDraining ? "draining" : null, ...parts, ...labels]);
    return [worker, `${parts.length} of ${slots}`, duration(ageMs), more];
  });
  const { open = 0, atRest = 0, forOther = 0 } = runs ?? {};
  const none = "no worker is there: start one with `orch worker`";
  return [
    ...(rows.length === 0 ? [none] : table(style, rows, { names: NAMES })),
    "",
    ...facts(style, [
      ["queue", dotted([waits, oldest])],
      ["missing", missing.length === 0 ? null : `no worker has ${missing.join(", ")}`],
      ["runs", `${open} open, ${atRest} at rest`],
      ["others", forOther === 0 ? null : `${forOther} for workers of another version`],
      [
        "used up",
        dotted(Object.entries(resets).map(([agent, atMs]) => `${agent} until ${clock(atMs)}`)) ||
          null,
      ],
      ["limits", limits.map(({ name, most }) => `${name} ${most}`).join(", ") || null],
    ]),
  ].join("\n");
}
