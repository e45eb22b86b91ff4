// Does a command that runs on another machine only look at it?

import { eachOf, hasOption, positionals, setOf, type Call } from "../shell/call.ts";
import { eachCall } from "../shell/each-call.ts";

const SCRIPT_CHARS_MAX = 4_000;

/** Whatever their arguments are. */
const READERS = setOf(
  "ls cat head tail grep egrep rg wc uptime df du free ps whoami hostname uname date id pwd echo printf stat printenv which journalctl cd sort uniq cut tr ss netstat lsof nproc lscpu lsblk nvidia-smi last w who true test [ md5sum sha256sum file nslookup dig getent ping sleep awk jq zcat less readlink realpath tree env",
);

/** Those with such a first word. */
const READING_VERBS = eachOf<RegExp>({
  systemctl: /^(?:status|is-\w+|list-[\w-]+|show|cat)$/,
  git: /^(?:status|log|diff|show|rev-parse|describe|ls-files|ls-remote|blame|rev-list)$/,
  kubectl: /^(?:get|describe|logs|top|version|explain|cluster-info)$/,
  "docker podman": /^(?:ps|logs|inspect|images|stats|top|version|info|port|diff|events)$/,
  "docker-compose": /^(?:ps|logs|config|images|top|ls|events|port|version)$/,
  "redis-cli valkey-cli":
    /^(?:ping|info|get|keys|scan|ttl|type|exists|dbsize|llen|lrange|hget|hgetall|smembers|zrange)$/i,
});

const GROUPS = /^(?:compose|container|image|volume|network|system|node|service|stack)$/;
const GROUP_VERBS =
  /^(?:ls|list|ps|logs|inspect|config|images|top|events|port|version|df|info|history|stats)$/;

/** Does a program with these words after it only look? */
export function isReadOnlyVerb(program: string, words: readonly string[]): boolean {
  const [verb = "", second = ""] = words;
  if (/^(?:docker|podman)$/.test(program) && GROUPS.test(verb)) return GROUP_VERBS.test(second);
  return READING_VERBS.get(program)?.test(verb) ?? false;
}

/** Does every command of a script, or the one command of these words, only look? */
export function isReadOnly(script: string | readonly string[]): boolean {
  if (typeof script === "string" && script.length > SCRIPT_CHARS_MAX) return false;
  let readsOnly = true;
  const isWhole = eachCall(script, { root: "/", cwd: "/", home: null }, (call) => {
    readsOnly &&= isReadOnlyCall(call);
  });
  return readsOnly && isWhole;
}

const VALUED = setOf("-C -c -n --namespace -H -f -p --context --project-name --file");
const REQUEST_BODY =
  /^(?:-[a-zA-Z]{0,8}[XdFT]|--(?:request|data|form|json|upload-file|post|body|method))/;

function isReadOnlyCall({ program, args, redirects, isWrapper }: Call): boolean {
  const isWriting = redirects.some(
    ({ operator, target }) => operator.startsWith(">") && !/^(?:\/dev\/null|\d)$/.test(target),
  );
  if (isWriting) return false;
  if (READERS.has(program) || isWrapper) return true;
  if (/^(?:--version|--help|-V|-v)$/.test(args.join(" "))) return true;
  if (/^(?:psql|mysql|mariadb)$/.test(program)) return asks(args);
  if (program === "curl") return !args.some((arg) => REQUEST_BODY.test(arg));
  if (program === "find") return !args.some((arg) => /^-(?:delete|fprint)/.test(arg));
  if (program === "sed") return !args.some((arg) => /^(?:-[a-zA-Z]*i|--in-place)/.test(arg));
  return isReadOnlyVerb(program, positionals(args, VALUED));
}

const QUERY = /^\s*(?:(?:select|show|explain|describe|values|with)\b|\\|$)/i;

/** Statements of SQL that ask, and no file of them. */
function asks(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => /^(?:-[a-zA-Z]{0,4}[ce]|--command|--execute)$/.test(arg));
  if (at === -1) return hasOption(args, setOf("-l --list"));
  return (args[at + 1] ?? "").split(";").every((statement) => QUERY.test(statement));
}
