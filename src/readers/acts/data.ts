// Which calls delete data of a database that others may use?

import { eachOf, optionValues, setOf, subcommand } from "../shell/call.ts";
import { isKnown } from "../shell/word.ts";
import { isFarServer } from "./host.ts";
import type { Rule, Rules } from "./rule.ts";

/*
 * A database on this machine is none: tests drop it and make it again, and so does everybody who
 * works on a migration. So a call counts only where it names a server elsewhere, or takes its
 * address from a variable that is named for a server and not for tests. Nothing named is this
 * machine, as it is for the clients themselves.
 */

type Client = readonly [
  /** Options with a host. */
  hosts: string,
  /** What it reads when no option names a host. */
  variable: string,
  /** Does one of its arguments, or what it is fed, delete data? */
  destroys: (said: string) => boolean,
];

const CLIENTS = eachOf<Client>({
  psql: ["-h --host", "PGHOST", destroysData],
  "mysql mariadb": ["-h --host", "MYSQL_HOST", destroysData],
  "clickhouse-client": ["-h --host", "CLICKHOUSE_HOST", destroysData],
  sqlcmd: ["-S", "SQLCMDSERVER", destroysData],
  "mongosh mongo": ["--host", "", destroysCollection],
  "redis-cli valkey-cli": ["-h -u", "REDIS_URL", (said) => /^\s*flush(?:all|db)\b/im.test(said)],
  dropdb: ["-h --host --maintenance-db", "PGHOST", () => true],
  mysqladmin: ["-h --host", "", (said) => said === "drop"],
  pg_restore: ["-h --host", "PGHOST", (said) => said === "-c" || said === "--clean"],
});

const SAID_CHARS_MAX = 10_000;

const client: Rule = (call) => {
  const told = CLIENTS.get(call.program);
  if (told === undefined) return null;
  const [hosts, variable, destroys] = told;
  // "--command=drop …" and "-e'drop …'" say the same as the two words.
  const said = [...call.args, call.input() ?? ""].flatMap((one) => {
    const value = /^(?:--[\w-]{1,40}=|-[a-z](?=.))/.exec(one)?.[0] ?? "";
    return [one, one.slice(value.length)].map((text) => text.slice(0, SAID_CHARS_MAX));
  });
  if (!said.some(destroys)) return null;
  const words = [...optionValues(call.args, "-d --dbname"), ...subcommand(call).slice(0, 1)];
  const found = [...optionValues(call.args, hosts), ...words.flatMap(addressIn)];
  return isFarServer(found.length > 0 ? found : [call.env(variable) ?? ""]) ? "drop-data" : null;
};

/** A name of a database is no address; "host=a dbname=b", an URL and an unknown variable are. */
function addressIn(word: string): readonly string[] {
  const host = /(?:^|\s)host=(\S{1,200})/.exec(word.slice(0, 2_000))?.[1];
  if (host !== undefined) return [host];
  return word.includes("://") || !isKnown(word) ? [word] : [];
}

const STATEMENT_CHARS_MAX = 100_000;

/** Comments and quoted texts; what nothing closes lasts to the end. */
const QUOTED =
  /--[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)|'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)/g;

const DROPS = /^drop\s+(?:database|schema|table|keyspace|collection|dataset|tablespace)\b/;
const TRUNCATES = /^truncate\b/;
const DROPS_COLUMN =
  /\bdrop\s+(?!constraint\b|index\b|default\b|not\b|foreign\b|primary\b|key\b|check\b|identity\b|expression\b)\w/;

/** In a transaction that is rolled back, nothing is. Deletions with a condition are ordinary work. */
function destroysData(sql: string): boolean {
  const statements = sql
    .slice(0, STATEMENT_CHARS_MAX)
    .replace(QUOTED, (found) => (/^(?:--|\/\*)/.test(found) ? " " : " x "))
    .toLowerCase()
    .split(";")
    .map((statement) => statement.trim());
  if (statements.includes("rollback") && !statements.includes("commit")) return false;
  return statements.some(isDestruction);
}

function isDestruction(statement: string): boolean {
  if (DROPS.test(statement) || TRUNCATES.test(statement)) return true;
  const isConditional = /\bwhere\b/.test(statement);
  if (/^delete\s+from\b/.test(statement)) return !isConditional;
  if (/^update\b/.test(statement)) return /\bset\b/.test(statement) && !isConditional;
  return /^alter\s+table\b/.test(statement) && DROPS_COLUMN.test(statement);
}

/** What mongosh is told in JavaScript. */
function destroysCollection(script: string): boolean {
  return /\.dropDatabase\(|\.drop\(\s{0,20}\)|\.(?:deleteMany|remove|updateMany)\(\s{0,20}\{\s{0,20}\}/.test(
    script.slice(0, STATEMENT_CHARS_MAX),
  );
}

/** What a framework calls the end of a database. */
const RESETS = eachOf<RegExp>({
  "rails rake sequelize typeorm":
    /^(?:schema:drop|db:(?:drop|reset|purge|truncate_all|schema:load|setup|migrate:reset))(?::|$)/,
  mix: /^ecto\.(?:drop|reset)$/,
  artisan: /^(?:migrate:(?:fresh|reset|refresh|rollback)|db:wipe)$/,
  "manage.py": /^(?:flush|reset_db)$/,
  prisma: /^(?:reset|--force-reset|--accept-data-loss)$/,
});

const PRODUCTION = /^(?:prod|stag|live)/i;
const STAGE_VARIABLES = setOf("RAILS_ENV RACK_ENV APP_ENV NODE_ENV MIX_ENV DJANGO_SETTINGS_MODULE");

/** Without a word about the stage it is development's own database. */
const reset: Rule = (call) => {
  const { args, env, program } = call;
  if (!args.some((arg) => RESETS.get(program)?.test(arg))) return null;
  // Rake takes variables among its arguments.
  const variable = (name: string): string =>
    env(name) ?? args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const stages = [
    ...optionValues(args, "-e --env --environment --settings"),
    ...[...STAGE_VARIABLES].map(variable),
  ].map((stage) => stage.slice(stage.lastIndexOf(".") + 1));
  const isProduction = stages.some((stage) => PRODUCTION.test(stage));
  return isProduction || isFarServer([variable("DATABASE_URL")]) ? "drop-data" : null;
};

export const DATA_RULES: Rules = [
  [[...CLIENTS.keys()].join(" "), client],
  [[...RESETS.keys()].join(" "), reset],
];
