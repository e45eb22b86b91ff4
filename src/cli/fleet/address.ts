// Where is the fleet, and who may know?

import { DEFAULT_SCHEMA, unavailable, type FleetAddress } from "../../fleet/database.ts";
import type { CliIo } from "../io.ts";

const VARIABLE = "ORCH_DATABASE_URL";
const SCHEMA = "ORCH_FLEET_SCHEMA";

/** null: no fleet is named. From the environment alone: a config is committed, and agents read it. */
export function addressIn({ env }: CliIo): FleetAddress | null {
  const url = env[VARIABLE]?.trim() ?? "";
  return url === "" ? null : { url, schema: env[SCHEMA]?.trim() || DEFAULT_SCHEMA };
}

/** The name that this clone has for the remote of all machines. */
export function remoteIn({ env }: CliIo): string {
  return env["ORCH_FLEET_REMOTE"]?.trim() || "origin";
}

/** Throws OrchError where no fleet is named. */
export function requireAddress(io: CliIo): FleetAddress {
  const address = addressIn(io);
  if (address !== null) return address;
  throw unavailable(
    "no fleet is named",
    `set ${VARIABLE} to the address of its PostgreSQL, like postgres://orch@db.example.org/orch`,
  );
}

/** For all that runs agents and gates: they never see it. */
export function withoutAddress(io: CliIo): CliIo {
  const { [VARIABLE]: _hidden, ...env } = io.env;
  return { ...io, env };
}
