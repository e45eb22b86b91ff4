// How does orch talk to the PostgreSQL of a fleet?

import type { Client, PoolClient, QueryResultRow } from "pg";

import { OrchError } from "../errors.ts";
import { SCHEMA_VERSION, schemaOf } from "./schema.ts";

export interface FleetAddress {
  /** With its password: neither log, agent nor gate may see it. */
  readonly url: string;
  readonly schema: string;
}

type Values = readonly unknown[];

/** One connection, as far as statements go. */
export interface Session {
  rows<Row extends QueryResultRow>(sql: string, values?: Values): Promise<readonly Row[]>;
}

export interface Database extends Session {
  readonly schema: string;
  /** All of it or nothing. What throws in `use` is thrown on. */
  transaction<T>(use: (session: Session) => Promise<T>): Promise<T>;
  /** A connection of its own, kept until it is closed; `onLost` once, where it breaks before. */
  hold(onLost: (why: string) => void): Promise<KeptSession>;
  close(): Promise<void>;
}

/** A session whose locks and messages last as long as it does. */
export interface KeptSession extends Session {
  /** `take` gets a `Happening` and the run's id: of lines, or of all else. */
  listen(to: "lines" | "work", take: (what: string, run: string) => void): Promise<void>;
  close(): Promise<void>;
}

export const DEFAULT_SCHEMA = "orch";

/**
 * Connects, and looks whether this is a fleet of this orch's. Throws OrchError "fleet-unavailable" in two lines
 * that say what to do, never with the address's password.
 */
export async function openDatabase(address: FleetAddress): Promise<Database> {
  const db = await connect(address);
  try {
    await requireFleet(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Makes the tables where there are none; says whether it made them. */
export async function initDatabase(address: FleetAddress): Promise<"made" | "there"> {
  const db = await connect(address);
  try {
    return await db.transaction(async (session) => {
      // Two who begin at once: one makes them, the other finds them.
      await session.rows("select pg_advisory_xact_lock(hashtext($1))", [`orch ${db.schema}`]);
      const version = await versionIn(session, db.schema);
      requireVersion(version, db.schema);
      if (version !== null) return "there";
      await requireEmpty(session, db.schema);
      await session.rows(schemaOf(db.schema));
      return "made";
    });
  } finally {
    await db.close();
  }
}

async function requireEmpty(session: Session, schema: string): Promise<void> {
  const [table] = await session.rows<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = $1 limit 1",
    [schema],
  );
  if (table !== undefined)
    throw unavailable(
      `the schema ${schema} of that database holds tables of another program (${table.name})`,
      "name another in ORCH_FLEET_SCHEMA, or use a database of its own",
    );
}

async function requireFleet(db: Database): Promise<void> {
  const version = await versionIn(db, db.schema);
  if (version === null)
    throw unavailable(
      `there is no fleet in the schema ${db.schema} of that database`,
      "make it once with `orch fleet init`",
    );
  requireVersion(version, db.schema);
}

function requireVersion(version: number | null, schema: string): void {
  if (version === null || version === SCHEMA_VERSION) return;
  throw unavailable(
    `the fleet in the schema ${schema} has version ${version}, and this orch knows ${SCHEMA_VERSION}`,
    version > SCHEMA_VERSION ? "update orch here" : "use the orch that made it, or another schema",
  );
}

/** null: there are no tables of a fleet. */
async function versionIn(session: Session, schema: string): Promise<number | null> {
  const [there] = await session.rows<{ name: string | null }>(
    "select to_regclass($1)::text as name",
    [`${schema}.fleet`],
  );
  if (there === undefined || there.name === null) return null;
  const [row] = await session.rows<{ version: number }>(`select version from ${schema}.fleet`);
  return row?.version ?? null;
}

const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,40}$/;

async function connect({ url, schema }: FleetAddress): Promise<Database> {
  if (!SCHEMA_NAME.test(schema))
    throw unavailable(
      `ORCH_FLEET_SCHEMA is ${JSON.stringify(schema)}`,
      "name it with small letters, digits and _",
    );
  const { default: pg } = await import("pg");
  const config = { connectionString: url, keepAlive: true, connectionTimeoutMillis: CONNECT_MS };
  // Of each new connection, before anybody's statement: a lost machine is noticed in about half a minute.
  const prepare = async (client: Client | PoolClient): Promise<void> =>
    void (await client.query(
      `set search_path to ${schema}; set tcp_keepalives_idle to 15; set tcp_keepalives_interval to 5; set tcp_keepalives_count to 3`,
    ));
  const pool = new pg.Pool({ ...config, max: POOL_MAX, idleTimeoutMillis: IDLE_MS });
  pool.on("error", () => {}); // An idle connection broke: the next statement gets another.
  const ready = new WeakSet<PoolClient>();
  const borrow = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    // One that breaks between two statements is noticed by the next.
    if (!ready.has(client)) await prepare(client.on("error", () => {}));
    ready.add(client);
    return client;
  };
  return {
    schema,
    rows: (sql, values) => withClient(borrow, (session) => session.rows(sql, values)),
    transaction: (use) => withClient(borrow, (session) => transactionIn(session, use)),
    hold: async (onLost) => {
      const client = new pg.Client(config);
      client.on("error", (error) => onLost(error.message));
      client.on("end", () => onLost("the connection was closed"));
      await client
        .connect()
        .then(() => prepare(client))
        .catch(rejectNotReached);
      return keptSession(client, schema);
    },
    close: () => pool.end(),
  };
}

async function transactionIn<T>(
  session: Session,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  await session.rows("begin");
  try {
    const result = await use(session);
    await session.rows("commit");
    return result;
  } catch (error) {
    await session.rows("rollback").catch(() => undefined);
    throw error;
  }
}

function keptSession(client: Client, schema: string): KeptSession {
  return {
    rows: (sql, values) => sessionOf(client).rows<never>(sql, values).catch(rejectNotReached),
    listen: async (to, take) => {
      client.on("notification", ({ payload = "" }) => {
        const [what = "", run = ""] = payload.split(" ");
        take(what, run);
      });
      await client.query(`listen ${channelOf(schema, to)}`);
    },
    close: async () => {
      client.removeAllListeners("end");
      await client.end();
    },
  };
}

const POOL_MAX = 4;
const IDLE_MS = 30_000;
const CONNECT_MS = 10_000;

/** Workers do not hear of every line of every run. */
function channelOf(schema: string, what: string): string {
  return what === "lines" ? `orch_${schema}_lines` : `orch_${schema}`;
}

/** "lines": its log has more. "look": what may be worked on can have changed. "part": one waits for a worker. */
type Happening = "lines" | "look" | "part";

/** Tells every process of the fleet, once the transaction is through, what happened in a run. */
export async function announce(
  session: Session,
  schema: string,
  what: Happening,
  run: string,
): Promise<void> {
  await session.rows("select pg_notify($1, $2)", [channelOf(schema, what), `${what} ${run}`]);
}

async function withClient<T>(
  borrow: () => Promise<PoolClient>,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const client = await borrow().catch(rejectNotReached);
  try {
    const result = await use(sessionOf(client));
    client.release();
    return result;
  } catch (error) {
    // What the server refused leaves the connection as it was; all else breaks it.
    const isOfServer = error instanceof Error && "severity" in error && error.severity !== "FATAL";
    client.release(!isOfServer);
    const isCut =
      error instanceof Error && ("code" in error || /^(?:Connection|Client) /.test(error.message));
    throw isCut && !isOfServer ? notReached(error) : error;
  }
}

function sessionOf(client: Client | PoolClient): Session {
  return {
    rows: async <Row extends QueryResultRow>(sql: string, values: Values = []) => {
      // Several statements in one text go without values.
      const call =
        values.length === 0 ? client.query<Row>(sql) : client.query<Row>(sql, [...values]);
      return (await call).rows;
    },
  };
}

export function unavailable(message: string, hint: string, cause?: unknown): OrchError {
  return new OrchError("fleet-unavailable", message, hint, { cause });
}

/** By the code of the server or of the system. */
const NOT_REACHED: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  ECONNREFUSED: [
    "no PostgreSQL answers at the fleet's address",
    "start it, or mend ORCH_DATABASE_URL",
  ],
  ENOTFOUND: ["the host in the fleet's address is not known", "mend ORCH_DATABASE_URL"],
  "28P01": ["PostgreSQL refuses the password of the fleet's address", "mend ORCH_DATABASE_URL"],
  "28000": [
    "PostgreSQL refuses the user of the fleet's address",
    "mend ORCH_DATABASE_URL, or its pg_hba.conf",
  ],
  "3D000": ["the database in the fleet's address is not there", "make it with `createdb`"],
  "42501": [
    "the user of the fleet's address may not do that there",
    "grant it, or name another user",
  ],
  "53300": ["PostgreSQL takes no more connections", "raise max_connections; a worker needs 5"],
};

/** Also of a statement that failed because the server went away. */
export function notReached(error: unknown): OrchError {
  if (error instanceof OrchError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const [message, hint] = NOT_REACHED[code] ?? [
    `the fleet's PostgreSQL cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    "`orch fleet status` tries it again",
  ];
  return unavailable(message, hint, error);
}

function rejectNotReached(error: unknown): never {
  throw notReached(error);
}

/**
 * Throws where statements of one session come to the server over different connections, as a pooler of transactions
 * sends them: locks and messages would be lost there. Two sessions at once never share a connection otherwise.
 */
export async function requireSessions(db: Database): Promise<void> {
  const [one, other] = [await db.hold(() => {}), await db.hold(() => {})];
  try {
    const ids: unknown[] = [];
    for (const session of [one, other, one])
      ids.push((await session.rows<{ id: number }>("select pg_backend_pid() as id"))[0]?.id);
    if (ids[0] === ids[1] || ids[0] !== ids[2])
      throw unavailable(
        "the fleet's address leads through a pooler of transactions, where locks do not last",
        "name the server itself, or a pooler of sessions, in ORCH_DATABASE_URL",
      );
  } finally {
    await one.close();
    await other.close();
  }
}
