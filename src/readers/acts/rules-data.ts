// Which calls delete data of a database that others may use?

import { each, hasLetter, hasOption, optionValues, positionals, setOf } from "../shell/call.ts";
import type { Call, Rule, Rules } from "../shell/call.ts";
import { reachOfServers } from "./host.ts";
import { destroysCollection, destroysData } from "./sql.ts";
import { valuedOptions } from "../shell/valued.ts";
import { isKnown } from "../shell/word.ts";

/*
 * A database on this machine is none: tests drop it and make it again, and so does everybody who
 * works on a migration. So a call counts only where it names a server elsewhere, or takes its
 * address from a variable that is named for a server and not for tests. Nothing named is this
 * machine, as it is for the clients themselves.
 */

/** How a client is told where, and what. */
interface Client {
  /** Options with a host. */
  readonly hosts: string;
  /** Options with the name of a database, which may be a whole address. */
  readonly databases: string;
  /** What a word without an option is. */
  readonly word: "database" | "host";
  /** The variable it reads when no option names a host. */
  readonly variable: string;
  readonly statements: string;
}

const CLIENTS: Rules = {
  ...each(
    "psql pgcli usql",
    client({
      hosts: "-h --host",
      databases: "-d --dbname",
      word: "database",
      variable: "PGHOST",
      statements: "-c --command",
    }),
  ),
  ...each(
    "mysql mariadb mycli",
    client({
      hosts: "-h --host",
      databases: "",
      word: "database",
      variable: "MYSQL_HOST",
      statements: "-e --execute",
    }),
  ),
  sqlcmd: client({
    hosts: "-S",
    databases: "",
    word: "database",
    variable: "SQLCMDSERVER",
    statements: "-Q -q",
  }),
  ...each(
    "clickhouse-client clickhouse",
    client({
      hosts: "-h --host",
      databases: "",
      word: "database",
      variable: "CLICKHOUSE_HOST",
      statements: "-q --query",
    }),
  ),
  ...each(
    "cqlsh cockroach trino presto",
    client({
      hosts: "--host --url --server",
      databases: "",
      word: "host",
      variable: "CQLSH_HOST",
      statements: "-e --execute",
    }),
  ),
};

function client(told: Client): Rule {
  return (call) => {
    const said = [...optionValues(call.args, told.statements), call.input() ?? ""];
    if (!said.some(destroysData)) return null;
    return isFar(addressesOf(call, told)) ? "drop-data" : null;
  };
}

function addressesOf({ program, args, env }: Call, told: Client): readonly string[] {
  const words = positionals(args, valuedOptions(program)).slice(0, 1);
  const databases = optionValues(args, told.databases);
  const found = [
    ...optionValues(args, told.hosts).map(plainServer),
    ...(told.word === "host" ? words : [...databases, ...words].flatMap(addressIn)),
  ];
  return found.length > 0 ? found : [env(told.variable) ?? ""];
}

/** A name of a database is no address; "host=a dbname=b", an URL and an unknown variable are. */
function addressIn(word: string): readonly string[] {
  const host = /(?:^|\s)host=(\S{1,200})/.exec(word.slice(0, 2_000))?.[1];
  if (host !== undefined) return [host];
  return word.includes("://") || !isKnown(word) ? [word] : [];
}

/** "tcp:host,1433" and "host\\INSTANCE" of sqlcmd. */
function plainServer(word: string): string {
  const server = word.replace(/^tcp:/, "").split("\\", 1)[0] ?? "";
  return /^(?:\.|\(local\)|\(localdb\))$/i.test(server) ? "localhost" : server;
}

function isFar(addresses: readonly string[]): boolean {
  return addresses.length > 0 && reachOfServers(addresses) === "far";
}

const mongo: Rule = (call) => {
  const said = [...optionValues(call.args, "--eval"), call.input() ?? ""];
  if (!said.some(destroysCollection)) return null;
  const words = positionals(call.args, valuedOptions("mongosh"));
  const addresses = [
    ...optionValues(call.args, "--host"),
    ...words.slice(0, 1).filter((word) => !/^\w+$/.test(word)),
  ];
  return isFar(addresses) ? "drop-data" : null;
};

const redis: Rule = (call) => {
  const words = positionals(call.args, valuedOptions("redis-cli"));
  const isFlush =
    words.some((word) => /^flush(?:all|db)$/i.test(word)) ||
    /^\s*flush(?:all|db)\b/im.test((call.input() ?? "").slice(0, 10_000));
  const addresses = [
    ...optionValues(call.args, "-h -u"),
    ...[call.env("REDIS_URL")].filter((one) => one !== null),
  ];
  return isFlush && isFar(addresses) ? "drop-data" : null;
};

const dropdb: Rule = (call) => {
  const named = optionValues(call.args, "-h --host --maintenance-db");
  return isFar(named.length > 0 ? named : [call.env("PGHOST") ?? ""]) ? "drop-data" : null;
};

const mysqladmin: Rule = (call) =>
  call.args.includes("drop") && isFar(optionValues(call.args, "-h --host")) ? "drop-data" : null;

const restore: Rule = (call) => {
  const cleans = hasLetter(call.args, "c") || hasOption(call.args, setOf("--clean"));
  const addresses = optionValues(call.args, "-d --dbname").flatMap(addressIn);
  return cleans && isFar([...optionValues(call.args, "-h --host"), ...addresses])
    ? "drop-data"
    : null;
};

const kafka: Rule = (call) =>
  hasOption(call.args, setOf("--delete")) &&
  isFar(optionValues(call.args, "--bootstrap-server --zookeeper"))
    ? "drop-data"
    : null;

/** These have no server on this machine. */
const warehouse: Rule = (call) => {
  const words = positionals(call.args, setOf("-q --query -c --connection --project_id"));
  const said = [...words, ...optionValues(call.args, "-q --query"), call.input() ?? ""];
  if (call.program === "bq" && /^rm$/.test(words[0] ?? "")) return "drop-data";
  return said.some(destroysData) ? "drop-data" : null;
};

/** What a framework calls the end of a database. */
const RESETS: Readonly<Record<string, RegExp>> = {
  "rails rake":
    /^db:(?:drop|reset|purge|truncate_all|schema:load|structure:load|setup|migrate:reset|seed:replant)(?::|$)/,
  artisan: /^(?:migrate:(?:fresh|reset|refresh|rollback)|db:wipe)$/,
  mix: /^ecto\.(?:drop|reset|rollback)$/,
  "manage.py": /^(?:flush|reset_db|sqlflush)$/,
  "sequelize sequelize-cli": /^db:(?:drop|migrate:undo:all)$/,
  knex: /^migrate:rollback$/,
  typeorm: /^schema:drop$/,
  flyway: /^clean$/,
  dbmate: /^drop$/,
  console: /^doctrine:(?:database|schema):drop$/,
};

const PRODUCTION = /^(?:prod|stag|live)/i;
const STAGE_VARIABLES = [
  "RAILS_ENV",
  "RACK_ENV",
  "APP_ENV",
  "NODE_ENV",
  "MIX_ENV",
  "DJANGO_SETTINGS_MODULE",
];

/** Without a word about the stage it is development's own database. */
function isProduction(call: Call): boolean {
  const options = optionValues(call.args, "-e --env --environment --settings");
  const variables = STAGE_VARIABLES.map(
    (name) => call.env(name) ?? assigned(call.args, name) ?? "",
  );
  if (
    [...options, ...variables].some((stage) =>
      PRODUCTION.test(stage.slice(stage.lastIndexOf(".") + 1)),
    )
  )
    return true;
  const url = call.env("DATABASE_URL") ?? assigned(call.args, "DATABASE_URL");
  const urls = [...optionValues(call.args, "-url --url -u"), ...(url === null ? [] : [url])];
  return isFar(urls.map((one) => one.replace(/^jdbc:/, "")));
}

/** Rake takes variables among its arguments. */
function assigned(args: readonly string[], name: string): string | null {
  return args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

function resets(verbs: RegExp): Rule {
  return (call) =>
    call.args.some((arg) => verbs.test(arg)) && isProduction(call) ? "drop-data" : null;
}

const prisma: Rule = (call) => {
  const [group, verb] = positionals(call.args);
  const isReset =
    (group === "migrate" && verb === "reset") ||
    (group === "db" &&
      verb === "push" &&
      hasOption(call.args, setOf("--force-reset --accept-data-loss")));
  return isReset && isProduction(call) ? "drop-data" : null;
};

export const DATA_RULES: Rules = {
  ...CLIENTS,
  ...each("mongosh mongo", mongo),
  ...each("redis-cli valkey-cli", redis),
  dropdb,
  mysqladmin,
  pg_restore: restore,
  ...each("kafka-topics kafka-topics.sh", kafka),
  ...each("bq snowsql snow", warehouse),
  ...Object.fromEntries(
    Object.entries(RESETS).flatMap(([programs, verbs]) =>
      programs.split(" ").map((program) => [program, resets(verbs)]),
    ),
  ),
  prisma,
  gh: ({ args }) => {
    const [group, verb] = positionals(args, valuedOptions("gh"));
    return group === "repo" && verb === "delete" ? "drop-data" : null;
  },
};
