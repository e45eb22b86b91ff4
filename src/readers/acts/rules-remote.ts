// Which calls reach into another machine?

import { each, hasOption, optionValues, setOf } from "../shell/call.ts";
import type { Call, Rule, Rules } from "../shell/call.ts";
import { hostOf, isLoopback } from "./host.ts";
import { placeOf } from "./place.ts";
import { reads } from "./readers.ts";
import { isKnown } from "../shell/word.ts";

const SSH_VALUED = setOf("-b -B -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w");
/** A tunnel, a question about the program itself. */
const SSH_IDLE = setOf("-N -V -G -Q -O -W");

/** Without a command it is a person's login; git's own accounts run nothing else. */
const ssh: Rule = ({ args, input, redirects, feeders }) => {
  const words: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (words.length === 0 && SSH_IDLE.has(arg)) return null;
    if (words.length < 2 && arg.startsWith("-")) at += SSH_VALUED.has(arg) ? 1 : 0;
    else words.push(arg);
  }
  const [target = "", ...command] = words;
  if (target === "" || isLoopback(hostOf(target)) || /^(?:ssh:\/\/)?git@/.test(target)) return null;
  if (command.length > 0) return reads(command.join(" ")) ? null : "deploy";
  const isFed = feeders().length > 0 || redirects.some(({ operator }) => /^<(?!&)/.test(operator));
  const script = input();
  return isFed && (script === null || !reads(script)) ? "deploy" : null;
};

/** "host:path" and "rsync://host/path", but neither "./a:b" nor "C:". */
const REMOTE_PATH = /^(?:[^/:]{1,200}@)?[^/:.][^/:]{0,200}::?|^(?:rsync|scp|sftp):\/\//;

function isRemote(path: string): boolean {
  if (!REMOTE_PATH.test(path) || /^[A-Za-z]:[\\/]/.test(path)) return false;
  return !isLoopback(hostOf(path.replace(/^([^/:]{1,200})::?.*$/s, "$1")));
}

const SCP_VALUED = setOf("-c -D -F -i -J -l -o -P -S -X");

const scp: Rule = ({ args }) => (isRemote(lastWord(args, SCP_VALUED)) ? "deploy" : null);

const RSYNC_VALUED = setOf(
  "-e --rsh -f --filter --exclude --include --exclude-from --include-from --files-from --rsync-path --bwlimit --timeout --port --log-file --chown --chmod --backup-dir --partial-dir --temp-dir -T -B -M --max-size --min-size --info --out-format --link-dest --compare-dest --copy-dest --password-file --suffix",
);
const RSYNC_DELETES = setOf(
  "--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded",
);

const rsync: Rule = ({ args, where }) => {
  const short = args.some((arg) => /^-[A-Za-z]*n[A-Za-z]*$/.test(arg) && !arg.startsWith("--"));
  if (short) return null;
  const target = lastWord(args, RSYNC_VALUED);
  if (isRemote(target)) return "deploy";
  if (!hasOption(args, RSYNC_DELETES) || target === "") return null;
  const place = placeOf(target, where);
  return place === "outside" ? "delete-outside" : null;
};

function lastWord(args: readonly string[], valued: ReadonlySet<string>): string {
  const words = args.filter((arg, at) => {
    return !arg.startsWith("-") && !(valued.has(args[at - 1] ?? "") && at > 0);
  });
  return words.length < 2 ? "" : (words.at(-1) ?? "");
}

/** It uploads only where it was given its commands; a person types them otherwise. */
const sftp: Rule = (call: Call) => {
  const isTold = optionValues(call.args, "-b").length > 0 || call.input() !== null;
  const target = lastWord(["", ...call.args], setOf("-b -B -c -D -F -i -J -l -o -P -R -S -s -X"));
  return isTold && isKnown(target) && !isLoopback(hostOf(target)) ? "deploy" : null;
};

export const REMOTE_RULES: Rules = { ...each("ssh autossh mosh", ssh), scp, rsync, sftp };
