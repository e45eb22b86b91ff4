// Which calls change a disk, or what belongs to the whole machine?

import { each, hasLetter, hasOption, positionals, setOf } from "../shell/call.ts";
import type { Call, Rule, Rules } from "../shell/call.ts";
import { absolutePath, placeOf } from "./place.ts";
import type { Standpoint } from "./place.ts";
import { isKnown } from "../shell/word.ts";

/** A device; a loop device stands for a file. */
const DEVICE = /^\/dev\/(?!null$|zero$|stdout$|stderr$|tty|fd\/|pts\/|shm\/|loop|full$|u?random$)/;

function namesDevice(args: readonly string[]): boolean {
  return args.some((arg) => DEVICE.test(arg));
}

/** A disk image in the work tree is a file like any other. */
const format: Rule = ({ args }) =>
  namesDevice(args) || positionals(args).some((arg) => !isKnown(arg)) ? "disk" : null;

const device =
  (idle: string): Rule =>
  ({ args }) =>
    namesDevice(args) && !hasOption(args, setOf(idle)) && !args.includes("print") ? "disk" : null;

const wipefs: Rule = ({ args }) =>
  namesDevice(args) && hasLetter(args, "ao") && !hasLetter(args, "n") ? "disk" : null;

const dd: Rule = ({ args }) =>
  args.some((arg) => arg.startsWith("of=") && DEVICE.test(arg.slice(3))) ? "disk" : null;

const DISKUTIL = /^(?:erase\w*|partitionDisk|reformat|secureErase|zeroDisk|randomDisk|delete\w*)$/i;

const diskutil: Rule = ({ args }) =>
  args.slice(0, 2).some((arg) => DISKUTIL.test(arg)) ? "disk" : null;

/** `shutdown -c` takes one back. */
const shutdown: Rule = ({ args }) => (hasLetter(args, "ck") ? null : "disk");

const systemctl: Rule = ({ args }) =>
  /^(?:reboot|poweroff|halt|kexec|suspend|hibernate|emergency|rescue)$/.test(
    positionals(args)[0] ?? "",
  )
    ? "disk"
    : null;

const init: Rule = ({ args }) => (/^[06]$/.test(args[0] ?? "") ? "disk" : null);

const crontab: Rule = ({ args }) => (hasLetter(args, "r") ? "disk" : null);

/** What programs of the whole machine need; one tool or one folder below it is put right again. */
const SYSTEM =
  /^\/(?:(?:bin|boot|etc|home|lib|lib64|root|sbin|usr|var|Users|Library|System)(?:\/[^/]+)?|opt|srv)?$/;

function isOfMachine(path: string, where: Standpoint): boolean {
  if (placeOf(path, where) !== "outside") return false;
  const full = absolutePath(path, where.cwd);
  if (full === null) return false;
  const folder = full.replace(/(?<=.)\/\*$/, "").replace(/^\/\*$/, "/");
  return SYSTEM.test(folder) || folder === where.home;
}

/** Their first word is a mode or an owner. */
const rights: Rule = (call: Call) => {
  if (!hasLetter(call.args, "R") && !hasOption(call.args, setOf("--recursive"))) return null;
  const isReference = hasOption(call.args, setOf("--reference"));
  const paths = positionals(call.args).slice(isReference ? 0 : 1);
  return paths.some((path) => isOfMachine(path, call.where)) ? "disk" : null;
};

/** Process -1 is all of them; before it stands a signal. */
const kill: Rule = ({ args }) => (args.indexOf("-1", 1) >= 1 ? "disk" : null);

const volumes: Rule = ({ program, args }) => {
  const verbs = VOLUME_VERBS[program];
  return verbs !== undefined && args.some((arg) => verbs.test(arg)) ? "disk" : null;
};

const VOLUME_VERBS: Readonly<Record<string, RegExp>> = {
  zpool: /^(?:destroy|labelclear)$/,
  zfs: /^destroy$/,
  cryptsetup: /^(?:luksFormat|erase|luksErase)$/,
  mdadm: /^--zero-superblock$/,
  nvme: /^(?:format|sanitize)$/,
  hdparm: /^--security-erase/,
  badblocks: /^-[a-z]{0,8}w/,
};

const always: Rule = () => "disk";

export const DISK_RULES: Rules = {
  ...each(
    "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mke2fs mkswap newfs blkdiscard",
    format,
  ),
  ...each("fdisk sfdisk", device("-l --list -d --dump -s -n --no-act -J --json")),
  ...each("gdisk sgdisk cfdisk", device("-p --print -l -i --info -v --verify")),
  parted: device("-l --list"),
  wipefs,
  dd,
  diskutil,
  ...each("shutdown reboot poweroff halt", shutdown),
  systemctl,
  ...each("init telinit", init),
  crontab,
  ...each("chmod chown chgrp gchmod gchown", rights),
  kill,
  ...each("killall5 lvremove vgremove pvremove", always),
  ...each(Object.keys(VOLUME_VERBS).join(" "), volumes),
};

/** `> /dev/sda`, whatever the program is. */
export function writesDevice({ redirects }: Pick<Call, "redirects">): boolean {
  return redirects.some(
    ({ operator, target }) =>
      operator.startsWith(">") &&
      /^\/dev\/(?:sd|nvme|hd|vd|xvd|disk|rdisk|mmcblk|mapper\/)/.test(target),
  );
}
