// Which calls reach into another machine, or into a container on one?

import {
  fromWord,
  hasOption,
  optionValues,
  positionals,
  setOf,
  valuedOptions,
} from "../shell/call.ts";
import type { Call } from "../shell/call.ts";
import { hostOf, isLocalCluster, isLoopback, reachOfHost } from "./host.ts";
import { placeOf } from "./place.ts";
import { isReadOnly, isReadOnlyVerb } from "./read-only.ts";
import type { Rule, Rules } from "./rule.ts";
import { isKnown } from "../shell/word.ts";

function isFed({ feeders, redirects }: Call): boolean {
  return feeders().length > 0 || redirects.some(({ operator }) => /^<(?!&)/.test(operator));
}

const SSH_VALUED = setOf("-b -B -c -D -E -e -F -I -i -J -L -l -m -o -P -p -R -S -w");
/** A tunnel, a question about the program itself. */
const SSH_IDLE = setOf("-N -V -G -Q -O -W");

/** Without a command it is a person's login; git's own accounts run nothing else. */
const ssh: Rule = (call) => {
  const [target = "", ...after] = fromWord(call.args, SSH_VALUED);
  const own = call.args.slice(0, call.args.length - after.length);
  if (own.some((arg) => SSH_IDLE.has(arg)) || target === "") return null;
  if (isLoopback(hostOf(target)) || /^(?:ssh:\/\/)?git@/.test(target)) return null;
  const command = fromWord(after, SSH_VALUED);
  const script = command.length > 0 ? command.join(" ") : call.input();
  if (command.length === 0 && !isFed(call)) return null;
  return script !== null && isReadOnly(script) ? null : "deploy";
};

/** "host:path" and "rsync://host/path", but neither "./a:b" nor "C:". */
const REMOTE_PATH = /^(?:[^/:]{1,200}@)?[^/:.][^/:]{0,200}::?|^(?:rsync|scp|sftp):\/\//;

function isRemote(path: string): boolean {
  if (!REMOTE_PATH.test(path) || /^[A-Za-z]:[\\/]/.test(path)) return false;
  return !isLoopback(hostOf(path.replace(/^([^/:]{1,200})::?.*$/s, "$1")));
}

const COPY_VALUED = setOf(
  "-c -D -F -i -J -l -o -P -S -X -e --rsh -f --filter --exclude --include --exclude-from --include-from --files-from --rsync-path --bwlimit --timeout --port --log-file --chown --chmod --backup-dir --partial-dir --temp-dir -T -B -M --max-size --min-size --info --out-format --link-dest --password-file",
);
const RSYNC_DELETES = setOf(
  "--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded",
);

function lastWord(args: readonly string[]): string {
  const words = positionals(args, COPY_VALUED);
  return words.length < 2 ? "" : (words.at(-1) ?? "");
}

const scp: Rule = ({ args }) => (isRemote(lastWord(args)) ? "deploy" : null);

const rsync: Rule = ({ args, where }) => {
  if (args.some((arg) => /^-[A-Za-z]*n[A-Za-z]*$/.test(arg))) return null;
  const target = lastWord(args);
  if (isRemote(target)) return "deploy";
  const isDeletion = hasOption(args, RSYNC_DELETES) && target !== "";
  return isDeletion && placeOf(target, where) === "outside" ? "delete-outside" : null;
};

/** Those of programs that run containers on this machine. */
const LOCAL_CONTEXT =
  /^(?:default|desktop-.*|colima.*|orbstack|rootless|lima.*|rancher-.*|kind.*)$/;
/** They send a folder to be built, or fetch something. */
const BUILDS = setOf("build buildx bake pull login logout context");

/** What it does on another machine, it does to a server. */
const docker: Rule = (call) => {
  const words = fromWord(call.args, valuedOptions(call.program));
  const [verb = ""] = words;
  if (verb === "" || BUILDS.has(verb) || isReadOnlyVerb(call.program, words)) return null;
  return isElsewhere(call, call.args.slice(0, call.args.length - words.length)) ? "deploy" : null;
};

function isElsewhere(call: Call, options: readonly string[]): boolean {
  const host = optionValues(options, "-H --host --url")[0] ?? call.env("DOCKER_HOST") ?? "";
  if (host !== "") {
    if (!isKnown(host) || /^(?:unix|npipe|fd):|^\//.test(host)) return false;
    const name = hostOf(host);
    return host.startsWith("ssh://") ? !isLoopback(name) : reachOfHost(name) === "far";
  }
  const context = optionValues(options, "--context -c")[0] ?? call.env("DOCKER_CONTEXT") ?? "";
  return context !== "" && isKnown(context) && !LOCAL_CONTEXT.test(context);
}

const SHELL = /^(?:(?:\/bin\/)?(?:ba|z|da|a)?sh|psql|mysql|redis-cli)$/;

/** A shell without a script is a person's login. */
const kubectl: Rule = (call, { cluster }) => {
  if (isLocalCluster(call, cluster)) return null;
  const valued = new Set([...valuedOptions("kubectl"), "-c", "--container"]);
  const end = call.args.indexOf("--");
  const own = positionals(end === -1 ? call.args : call.args.slice(0, end), valued);
  const [verb = "", first = "", second = ""] = own;
  // "pod:/path"; the pod may have a namespace and a slash before it.
  if (verb === "cp") return first !== "" && /^[\w./-]{1,200}:/.test(second) ? "deploy" : null;
  const started = end === -1 ? own.slice(2) : call.args.slice(end + 1);
  if (verb !== "exec" || started.length === 0) return null;
  if (started.length === 1 && !isFed(call) && SHELL.test(started[0] ?? "")) return null;
  return isReadOnly(started) ? null : "deploy";
};

export const REMOTE_RULES: Rules = [
  ["ssh", ssh],
  ["scp", scp],
  ["rsync", rsync],
  ["docker podman docker-compose", docker],
  ["kubectl oc k", kubectl],
];
