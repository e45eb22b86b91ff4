// Is one call of a program an act?

import type {
  IrreversibleAction,
  FolderOfAction,
  DetectedAct,
} from "../../core/model/irreversible.ts";
import {
  eachOf,
  fromWord,
  hasLetter,
  hasOption,
  optionValues,
  positionals,
  setOf,
  subcommand,
  VALUED,
  absolutePath,
  tidyPath,
  type Call,
  type Standpoint,
  type Where,
} from "../shell/call.ts";
import { tableAct } from "./table.ts";
import { excerpt, visible } from "../../core/model/excerpt.ts";
import { shortHash } from "../../core/model/ids.ts";
import { eachCall } from "../shell/each-call.ts";

/** null: this call is none of the acts that the rule knows. */
type Rule = (call: Call, script: string) => IrreversibleAction | null;

/** null: none that is known. `script` is the whole that the call stands in. */
export function actOf(call: Call, script: string): IrreversibleAction | null {
  const action = isHarmless(call) ? null : ruledAct(call, script);
  if (call.isContained) return action !== null && LEAVES_CONTAINER.has(action) ? action : null;
  return action ?? overwrittenBy(call);
}

function ruledAct(call: Call, script: string): IrreversibleAction | null {
  const rule = RULES.get(call.program) ?? tableAct;
  const action = rule(call, script);
  return action !== null && HAS_PLACE.has(action) && isNear(call, script) ? null : action;
}

/** What leaves a container as it leaves this machine; its files are its own. */
const LEAVES_CONTAINER: ReadonlySet<IrreversibleAction> = new Set(["push", "publish", "deploy"]);

/** What is one only on a server that others use. */
const HAS_PLACE: ReadonlySet<IrreversibleAction> = new Set(["publish", "deploy", "message"]);
const NEAR =
  /localhost|localstack|\b127\.0\.0\.1\b|\bregistry:\d|verdaccio|\bkind\b|minikube|\bk3[ds]\b|docker-desktop|(?<![\w/-])local(?![\w-])|MavenLocal/;
/** Their cluster is chosen by another command. */
const CLUSTER = setOf("kubectl oc helm");

/** Whether it says, other than in a text, that it is about this machine, or a cluster or registry on it. */
function isNear({ program, text }: Call, script: string): boolean {
  const words = CLUSTER.has(program) ? script : text;
  return NEAR.test(words.replace(/"[^"]*"|'[^']*'/g, (one) => (/\s/.test(one) ? "" : one)));
}

/** Options with which a program changes nothing. */
const HARMLESS = setOf(
  "--dry-run --dryrun --dry --help -help --just-print --noop --check --analyze --list --local --snapshot --preview-only --build-only --skip-publish",
);
/** Where `-n` means that as well. */
const SHORT_DRY_RUN = setOf("git make rsync");

function isHarmless({ program, args }: Call): boolean {
  if (hasOption(args, HARMLESS) || args.at(-1) === "-h") return true;
  return SHORT_DRY_RUN.has(program) && hasLetter(args, "n");
}

const git: Rule = (call, script) => {
  const [verb = "", ...args] = fromWord(call.args, VALUED);
  const options = call.args.slice(0, call.args.length - args.length - 1);
  let { cwd } = call.where;
  for (const folder of optionValues(options, "-C"))
    cwd = absolutePath(folder, { ...call.where, cwd });
  const where = { ...call.where, cwd };
  if (verb === "push") return pushed(args, where, script);
  // A repository in a temporary folder is a copy to try things with.
  return placeOf(".", where) === "passing" ? null : tableAct(call);
};

const PUSH_VALUED = setOf("-o --push-option --repo");

/** A repository in the work tree or in a temporary folder, or one that the script makes, is a test's. */
function pushed(args: readonly string[], where: Call["where"], script: string): "push" | null {
  const remote = optionValues(args, "--repo")[0] ?? positionals(args, PUSH_VALUED)[0] ?? "";
  const path = remote.startsWith("file://") ? remote.slice("file://".length) : remote;
  if (/^[/~.$]/.test(path)) return placeOf(path, where) === "outside" ? "push" : null;
  const isMadeHere = /\bgit\b[^\n;&|]{0,200}\binit\b/.test(script) && !/:\/\/|\w@\w/.test(script);
  return isMadeHere ? null : "push";
}

/** Hosts of this machine and of private networks, and what only a run knows. */
const NEAR_HOST =
  /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01])|0\.0\.0)\.|(?:^|\.)(?:localhost|local|test|internal|lvh\.me|localtest\.me)$|[$`]/i;

/** A name without a dot is a container of the same network. */
function isFarHost(host: string): boolean {
  return host.includes(".") && !NEAR_HOST.test(host.slice(0, 300));
}

/** An address with a scheme, whose host is not near. */
function isFarAddress(arg: string): boolean {
  const host = /^[a-z][a-z+.-]{0,20}:\/\/(?:[^@/]{0,200}@)?([^/:?#]{1,300})/i.exec(arg)?.[1];
  return host !== undefined && isFarHost(host);
}

const READS = setOf("GET HEAD OPTIONS");

/** Whether the method says that it writes, or a body where no method is named. */
function isRequestWrite(args: readonly string[], body: RegExp): boolean {
  const at = args.findIndex((arg) => /^(?:-[a-zA-Z]{0,5}X|--(?:request|method)(?:=|$))/.test(arg));
  if (at === -1)
    return args.some((arg) => body.test(arg)) && !args.includes("-G") && !args.includes("--get");
  const option = args[at] ?? "";
  const glued = option.startsWith("--") ? option.split("=", 2)[1] : option.split("X", 2)[1];
  const method = glued || (args[at + 1] ?? "");
  return /^[a-z]+$/i.test(method) && !READS.has(method.toUpperCase());
}

const UPLOADS = /^(?:-[a-zA-Z]{0,5}[dFT]$|-[dF]|--(?:data|form|json|upload-file))/;
const http: Rule = ({ program, args }) => {
  const addresses = args.filter(isFarAddress);
  const body = program === "curl" ? UPLOADS : /^--(?:post|body)-/;
  return addresses.length > 0 && isRequestWrite(args, body) ? "message" : null;
};

/** `gh api` posts as soon as it has a field. */
const api: Rule = (call) => {
  if (subcommand(call)[0] !== "api") return tableAct(call);
  return isRequestWrite(call.args, /^(?:-[fF]|--(?:field|raw-field|input))/) ? "message" : null;
};

const DESTROYS =
  /^\s*(?:drop\s+(?:database|schema|table)|truncate|flushall|flushdb|(?:delete\s+from|update)(?![^]*\bwhere\b)|alter\s+table[^]*\bdrop\s+column)\b|\.drop(?:Database)?\(/i;
const SQL_CHARS_MAX = 100_000;

/**
 * A database on this machine is none: tests drop it and make it again. So a call counts only where
 * it names a server elsewhere.
 */
const database: Rule = ({ program, args, input }) => {
  const isFar =
    args.some(isFarAddress) || optionValues(args, "-h --host").some((host) => isFarHost(host));
  const statements = [...args, input ?? ""].flatMap((text) =>
    text.slice(0, SQL_CHARS_MAX).split(";"),
  );
  const destroys = program === "dropdb" || statements.some((one) => DESTROYS.test(one));
  return isFar && destroys ? "drop-data" : null;
};

/** "host:path", "s3://bucket". */
const REMOTE = /^[\w.@-]+:/;
const COPIES = setOf("cp mv copy sync rsync");

/** Only the last path is written to. */
const copy: Rule = (call) => {
  const words = positionals(call.args, VALUED);
  const isCopy =
    call.program === "scp" || call.program === "rsync" || words.some((word) => COPIES.has(word));
  return isCopy && REMOTE.test(words.at(-1) ?? "") ? "deploy" : tableAct(call);
};

const CHANGES =
  /(?:^|[\s;&|/])(?:rm|mv|kill|reboot|shutdown|restart|stop|start|reload|up|down|apply|delete|install)(?=\s|$)/;

/** What a command on another host changes, as far as plain words say so. */
const ssh: Rule = ({ args, input }) => {
  const command = [...positionals(args, VALUED).slice(1), input ?? ""].join(" ");
  return CHANGES.test(command) ? "deploy" : null;
};

const DEVICE = /^(?:of=)?\/dev\/(?:sd|nvme|hd|vd|xvd|r?disk|mmcblk|mapper\/)/;

const format: Rule = ({ args }) => {
  const isListing = ["-l", "--list", "print"].some((word) => args.includes(word));
  return !isListing && args.some((arg) => DEVICE.test(arg)) ? "disk" : null;
};

const RULES = eachOf<Rule>({
  git,
  "rm unlink shred rimraf": deletedBy,
  "curl wget": http,
  "gh glab": api,
  "psql mysql mariadb clickhouse-client mongosh mongo redis-cli dropdb": database,
  "scp rsync aws gcloud gsutil rclone": copy,
  ssh,
  "mkfs mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkswap wipefs fdisk sfdisk sgdisk parted dd badblocks blkdiscard cryptsetup nvme":
    format,
});

const COMMAND_CHARS_MAX = 150_000;
const COMMAND_START_CHARS = 220;
const COMMAND_END_CHARS = 60;
const ACTS_MAX = 20;

/**
 * What of this a script would do, each command once, in its order; the first twenty. null: the
 * script is too long or nested too deeply to be read.
 *
 * This guards against accidents, and is no sandbox: whoever wants to hide an act from it can, in a
 * file, in a variable, in another language. Nothing is run or looked up: where only a run would
 * know (a variable, a remote, a context), the call counts as harmless. What happens to files in the
 * work tree is no such act, because checkpoints keep them. What is shown of a command is redacted
 * before it is shortened.
 */
export function irreversibleIn(
  script: string,
  where: Where,
  redact = (text: string): string => text,
): readonly DetectedAct[] | null {
  const acts = new Map<string, DetectedAct>();
  const isWhole = eachCall(script, where, (call) => {
    const action = acts.size < ACTS_MAX ? actOf(call, script) : null;
    if (action === null) return;
    const act = { action, command: shown(redact(call.text)), folder: folderOf(call.where) };
    const key = JSON.stringify([act.command, act.folder]);
    if (!acts.has(key)) acts.set(key, act);
  });
  return isWhole ? [...acts.values()] : null;
}

function folderOf({ root, cwd }: Standpoint): FolderOfAction {
  if (cwd === null) return { kind: "unknown" };
  return cwd === root ? { kind: "root" } : { kind: "other", path: cwd };
}

/** Beginning and end of a long one, and what tells it from others that begin and end alike. */
function shown(text: string): string {
  const line = excerpt(visible(text), COMMAND_CHARS_MAX);
  if (line.length <= COMMAND_START_CHARS + COMMAND_END_CHARS) return line;
  const [start, end] = [line.slice(0, COMMAND_START_CHARS), line.slice(-COMMAND_END_CHARS)];
  return `${start} … ${end} [${line.length} characters, ${shortHash(line).slice(0, 12)}]`;
}

/**
 * "inside": kept by checkpoints. "history": what they are made of, so nothing keeps that. "passing":
 * temporary folders, and what tools make again. "unknown": only a run would know.
 */
type Place = "inside" | "history" | "passing" | "outside" | "unknown";

function placeOf(path: string, where: Standpoint): Place {
  const full = path === "" ? null : absolutePath(path, where);
  const root = tidyPath(where.root);
  if (full === null) return "unknown";
  if (full === root) return "history";
  const below = root === "/" ? root : `${root}/`;
  if (full.startsWith(below)) return HISTORY.test(full.slice(below.length)) ? "history" : "inside";
  // A folder that holds the repository, or all that is in one, goes with what is in it.
  if (below.startsWith(full.endsWith("/*") ? full.slice(0, -1) : `${full}/`)) return "outside";
  const isMadeAgain = MADE_AGAIN.some((folder) => `${full}/`.includes(`/${folder}/`));
  return isMadeAgain || TEMPORARY.test(full) ? "passing" : "outside";
}

/**
 * What of `.git` and `.orch` is more than a lock, a half-done rebase, or the folder in which a
 * session leaves its report.
 */
const HISTORY =
  /^(?:\.\*|\.git(?:\/(?:\*|(?:objects|refs|logs)(?:\/\*)?|packed-refs|HEAD))?|\.orch(?:\/(?!session(?:\/|$)).*)?)$/;

const TEMPORARY = /^\/(?:tmp|dev\/shm|run|var\/(?:tmp|folders|cache|run|lib\/apt\/lists))(?:\/|$)/;

/** Folders that an installation, a build or a program fills again, wherever they are. */
const MADE_AGAIN = [
  "node_modules __pycache__ dist build target coverage venv .venv .next .nuxt .turbo .terraform",
  ".cache Caches caches DerivedData Trash .tmp .npm .pnpm-store .ccache .nuget/packages",
  ".cargo/registry .cargo/git .rustup/toolchains .gradle/daemon .m2/repository .nvm/versions",
  ".pyenv/versions go/pkg .yarn/cache .bun/install .local/share/pnpm .local/share/uv",
].flatMap((row) => row.split(" "));

function deletedBy({ args, where }: Call): IrreversibleAction | null {
  const places = positionals(args).map((path) => placeOf(path, where));
  if (places.includes("history")) return "delete-history";
  return places.includes("outside") ? "delete-outside" : null;
}

/** `> ~/.bashrc`, whatever the program is: what the file held is gone. */
function overwrittenBy({ redirects, where }: Call): IrreversibleAction | null {
  const { home } = where;
  const isSetting = ({ operator, target }: Call["redirects"][number]): boolean => {
    if (home === null || !/^>\|?$/.test(operator)) return false;
    const isHidden = absolutePath(target, where)?.startsWith(`${tidyPath(home)}/.`) ?? false;
    return isHidden && placeOf(target, where) === "outside";
  };
  return redirects.some(isSetting) ? "delete-outside" : null;
}
