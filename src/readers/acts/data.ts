// Which calls delete data of a database that others may use?

import { eachOf, hasLetter, hasOption, optionValues, setOf, subcommand } from "../shell/call.ts";
import type { Call } from "../shell/call.ts";
import { isKnown } from "../shell/word.ts";
import { isFarServer } from "./host.ts";
import type { Rule, Rules } from "./rule.ts";
import { destroysCollection, destroysData } from "./sql.ts";

/*
 * A database on this machine is none: tests drop it and make it again, and so does everybody who
 * works on a migration. So a call counts only where it names a server elsewhere, or takes its
 * address from a variable that is named for a server and not for tests. Nothing named is this
 * machine, as it is for the clients themselves.
 */

/** How a client is told where, and what; words are names of options and variables. */
interface Client {
  readonly hosts: string;
  /** Options with the name of a database, which may be a whole address. */
  readonly databases: string;
  /** The variable it reads when no option names a host. */
  readonly variable: string;
  readonly statements: string;
  readonly destroys: (statement: string) => boolean;
}

const FLUSHES = /(?:^|\n)\s*flush(?:all|db)\b/i;

const CLIENTS = eachOf<Client>([
  [
    "psql",
    {
      hosts: "-h --host",
      databases: "-d --dbname",
      variable: "PGHOST",
      statements: "-c --command",
      destroys: destroysData,
    },
  ],
  [
    "mysql mariadb",
    {
      hosts: "-h --host",
      databases: "",
      variable: "MYSQL_HOST",
      statements: "-e --execute",
      destroys: destroysData,
    },
  ],
  [
    "mongosh mongo",
    {
      hosts: "--host",
      databases: "",
      variable: "",
      statements: "--eval",
      destroys: destroysCollection,
    },
  ],
  [
    "redis-cli valkey-cli",
    {
      hosts: "-h -u",
      databases: "",
      variable: "REDIS_URL",
      statements: "",
      destroys: (said) => FLUSHES.test(said.slice(0, 10_000)),
    },
  ],
  [
    "dropdb",
    {
      hosts: "-h --host --maintenance-db",
      databases: "",
      variable: "PGHOST",
      statements: "",
      destroys: () => true,
    },
  ],
  [
    "mysqladmin",
    {
      hosts: "-h --host",
      databases: "",
      variable: "",
      statements: "",
      destroys: (said) => said === "drop",
    },
  ],
]);

const client: Rule = (call) => {
  const told = CLIENTS.get(call.program);
  if (told === undefined) return null;
  const words = subcommand(call);
  const said = [...optionValues(call.args, told.statements), call.input() ?? "", ...words];
  return said.some(told.destroys) && isFarServer(addressesOf(call, told)) ? "drop-data" : null;
};

function addressesOf(call: Call, told: Client): readonly string[] {
  const words = [...optionValues(call.args, told.databases), ...subcommand(call).slice(0, 1)];
  const found = [...optionValues(call.args, told.hosts), ...words.flatMap(addressIn)];
  return found.length > 0 ? found : [call.env(told.variable) ?? ""];
}

/** A name of a database is no address; "host=a dbname=b", an URL and an unknown variable are. */
function addressIn(word: string): readonly string[] {
  const host = /(?:^|\s)host=(\S{1,200})/.exec(word.slice(0, 2_000))?.[1];
  if (host !== undefined) return [host];
  return word.includes("://") || !isKnown(word) ? [word] : [];
}

const restore: Rule = ({ args }) => {
  const cleans = hasLetter(args, "c") || hasOption(args, setOf("--clean"));
  const addresses = optionValues(args, "-d --dbname").flatMap(addressIn);
  return cleans && isFarServer([...optionValues(args, "-h --host"), ...addresses])
    ? "drop-data"
    : null;
};

/** What a framework calls the end of a database. */
const RESETS = eachOf<RegExp>([
  ["rails rake", /^db:(?:drop|reset|purge|truncate_all|schema:load|setup|migrate:reset)(?::|$)/],
  ["artisan", /^(?:migrate:(?:fresh|reset|refresh|rollback)|db:wipe)$/],
  ["manage.py", /^(?:flush|reset_db)$/],
  ["prisma", /^(?:reset|--force-reset|--accept-data-loss)$/],
]);

const PRODUCTION = /^(?:prod|stag|live)/i;
const STAGE_VARIABLES = ["RAILS_ENV", "RACK_ENV", "APP_ENV", "NODE_ENV", "DJANGO_SETTINGS_MODULE"];

/** Without a word about the stage it is development's own database. */
const reset: Rule = (call) => {
  const { args, env, program } = call;
  if (!args.some((arg) => RESETS.get(program)?.test(arg))) return null;
  // Rake takes variables among its arguments.
  const variable = (name: string): string =>
    env(name) ?? args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const stages = [
    ...optionValues(args, "-e --env --environment --settings"),
    ...STAGE_VARIABLES.map(variable),
  ].map((stage) => stage.slice(stage.lastIndexOf(".") + 1));
  const isProduction = stages.some((stage) => PRODUCTION.test(stage));
  return isProduction || isFarServer([variable("DATABASE_URL")]) ? "drop-data" : null;
};

export const DATA_RULES: Rules = [
  [[...CLIENTS.keys()].join(" "), client],
  ["pg_restore", restore],
  [[...RESETS.keys()].join(" "), reset],
];
