// Which commands are of a fleet?

import { AS_JSON, type CommandSpec } from "./command-spec.ts";

export const FLEET_COMMANDS: readonly CommandSpec[] = [
  {
    usage: "worker",
    summary: "work for a fleet on this machine, until Ctrl+C",
    more: "Takes tasks of runs that were started with `--on fleet`. The first Ctrl+C or SIGTERM lets it finish what it has, the second ends that in order; others take it over. ORCH_DATABASE_URL names the fleet.",
    options: [
      ["--repository <address...>", "work for these, like github.com/acme/*; '*' is any text"],
      ["--slots <n>", "how many tasks at once, 1 to 64 (default: 1)"],
      ["--label <label...>", "what this machine has, like gpu or os=linux"],
      ["--once", "end when nothing waits"],
      ["--grace <time>", "how long it may finish what it has (default: 10m)"],
      ["--part", "for orch itself: work on one part"],
    ],
    examples: ["orch worker --repository 'github.com/acme/*' --slots 4"],
    run: async (...all) => (await import("../fleet/worker.ts")).workerCommand(...all),
  },
  {
    usage: "fleet [what] [name] [most]",
    summary: "set up a fleet, see who works on what, set limits",
    more: "`init` makes its tables in the PostgreSQL that ORCH_DATABASE_URL names, once. `status` shows workers and what waits. `limit` bounds how many tasks are worked on at once, of all or of one repository.",
    options: [AS_JSON],
    examples: [
      "orch fleet init",
      "orch fleet status",
      "orch fleet limit all 20",
      "orch fleet limit github.com/acme/shop 4",
    ],
    run: async (...all) => (await import("../fleet/fleet.ts")).fleetCommand(...all),
  },
];
