// Does a command that runs on another machine only look at it?

import { hasOption, positionals, setOf } from "../shell/call.ts";
import type { Redirect } from "./item.ts";
import { readShell } from "../shell/read-shell.ts";
import { programName } from "../shell/wrappers.ts";

const SCRIPT_CHARS_MAX = 4_000;
/** Programs that start programs: `sudo sh -c …`. */
const HOPS_MAX = 4;

/** Whatever their arguments are. */
const READERS = setOf(
  "ls cat head tail grep egrep rg wc uptime df du free ps whoami hostname uname date id pwd echo printf stat printenv which journalctl cd sort uniq cut tr ss netstat lsof nproc lscpu lsblk nvidia-smi last w who true test [ md5sum sha256sum file nslookup dig getent ping sleep awk jq zcat less readlink realpath tree",
);

/** Those with such a first word. */
const READING_VERBS: Readonly<Record<string, RegExp>> = {
  systemctl: /^(?:status|is-\w+|list-[\w-]+|show|cat)$/,
  supervisorctl: /^(?:status|tail|avail|pid)$/,
  pm2: /^(?:ls|list|status|logs?|show|describe|info|jlist)$/,
  git: /^(?:status|log|diff|show|rev-parse|describe|ls-files|ls-remote|blame|rev-list)$/,
  kubectl: /^(?:get|describe|logs|top|version|explain|cluster-info)$/,
  "docker podman": /^(?:ps|logs|inspect|images|stats|top|version|info|port|diff|events)$/,
  "docker-compose": /^(?:ps|logs|config|images|top|ls|events|port|version)$/,
  "redis-cli valkey-cli":
    /^(?:ping|info|get|keys|scan|ttl|type|exists|dbsize|llen|lrange|hget|hgetall|smembers|zrange)$/i,
};

const GROUPS = /^(?:compose|container|image|volume|network|system|node|service|stack)$/;
const GROUP_VERBS =
  /^(?:ls|list|ps|logs|inspect|config|images|top|events|port|version|df|info|history|stats)$/;

const VALUED = setOf("-C -c -n --namespace -H -f -p --context --project-name --file");
const REQUEST_BODY =
  /^(?:-[a-zA-Z]{0,8}[XdFT]|--(?:request|data|form|json|upload-file|post|body|method))/;

/** Does every command of a script only look? */
export function reads(script: string): boolean {
  return readsWithin(script, HOPS_MAX);
}

/** Does a program with these words after it only look? */
export function readsVerb(program: string, words: readonly string[]): boolean {
  const [verb = "", second = ""] = words;
  if (/^(?:docker|podman)$/.test(program) && GROUPS.test(verb)) return GROUP_VERBS.test(second);
  return verbsOf(program).test(verb);
}

function verbsOf(program: string): RegExp {
  const row = Object.entries(READING_VERBS).find(([names]) => names.split(" ").includes(program));
  return row?.[1] ?? /^\b$/;
}

function readsWithin(script: string, hops: number): boolean {
  if (hops === 0 || script.length > SCRIPT_CHARS_MAX) return false;
  return readShell(script).every(
    (item) =>
      item.kind !== "command" ||
      (readsWords(item.words, hops - 1) && item.redirects.every(isHarmless)),
  );
}

function isHarmless({ operator, target }: Redirect): boolean {
  return !operator.startsWith(">") || /^(?:\/dev\/null|\d)$/.test(target);
}

/** Does a program with its arguments only look? */
export function readsWords(words: readonly string[], hops = HOPS_MAX): boolean {
  const [first = "echo", ...args] = words;
  const program = programName(first);
  if (READERS.has(program)) return true;
  if (program === "env") return hops > 0 && readsAfterEnv(args, hops - 1);
  if (/^(?:--version|--help|-V|-v)$/.test(args.join(" "))) return true;
  if (program === "sudo" && hops > 0 && !args[0]?.startsWith("-"))
    return readsWords(args, hops - 1);
  if (/^(?:bash|sh|dash|zsh|ash)$/.test(program))
    return /^-[a-z]{0,3}c$/.test(args[0] ?? "") && readsWithin(args[1] ?? "", hops);
  if (/^(?:psql|mysql|mariadb)$/.test(program)) return asks(args);
  if (program === "curl") return !args.some((arg) => REQUEST_BODY.test(arg));
  if (program === "find") return !args.some((arg) => /^-(?:delete|exec|ok|fprint)/.test(arg));
  if (program === "sed") return !args.some((arg) => /^(?:-[a-zA-Z]*i|--in-place)/.test(arg));
  if (program === "nginx") return hasOption(args, setOf("-t -T -v -V"));
  if (program === "service") return args[1] === "status";
  return readsVerb(program, positionals(args, VALUED));
}

/** Alone it prints; with a program behind its variables, it starts that. */
function readsAfterEnv(args: readonly string[], hops: number): boolean {
  const at = args.findIndex((arg) => !arg.includes("="));
  return at === -1 || readsWords(args.slice(at), hops);
}

const QUERY = /^\s*(?:(?:select|show|explain|describe|values|with)\b|\\|$)/i;

/** Statements of SQL that ask, and no file of them. */
function asks(args: readonly string[]): boolean {
  const at = args.findIndex((arg) => /^(?:-[a-zA-Z]{0,4}[ce]|--command|--execute)$/.test(arg));
  if (at === -1) return hasOption(args, setOf("-l --list"));
  return (args[at + 1] ?? "").split(";").every((statement) => QUERY.test(statement));
}
