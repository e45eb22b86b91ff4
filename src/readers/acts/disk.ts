// Which calls change a disk, or what belongs to the whole machine?

import { hasLetter, hasOption, positionals, setOf, type Call } from "../shell/call.ts";
import { absolutePath, type Standpoint } from "../shell/folder.ts";
import { isKnown } from "../shell/word.ts";
import { placeOf } from "./place.ts";
import type { Rule, Rules } from "./rule.ts";

/** A device; a loop device stands for a file. */
const DEVICE = /^\/dev\/(?!null$|zero$|stdout$|stderr$|tty|fd\/|pts\/|shm\/|loop|full$|u?random$)/;

/** A disk image in the work tree is a file like any other. */
const format: Rule = ({ args }) =>
  args.some((arg) => DEVICE.test(arg)) || positionals(args).some((arg) => !isKnown(arg))
    ? "disk"
    : null;

const LISTS = setOf(
  "-l --list -d --dump -n --no-act -J --json -p --print -i --info --verify print",
);

const partition: Rule = ({ args }) =>
  args.some((arg) => DEVICE.test(arg)) && !args.some((arg) => LISTS.has(arg)) ? "disk" : null;

const dd: Rule = ({ args }) =>
  args.some((arg) => arg.startsWith("of=") && DEVICE.test(arg.slice(3))) ? "disk" : null;

/** `shutdown -c` takes one back. */
const shutdown: Rule = ({ args }) => (hasLetter(args, "ck") ? null : "disk");

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
const rights: Rule = ({ args, where }) => {
  if (!hasLetter(args, "R") && !hasOption(args, setOf("--recursive"))) return null;
  const paths = positionals(args).slice(hasOption(args, setOf("--reference")) ? 0 : 1);
  return paths.some((path) => isOfMachine(path, where)) ? "disk" : null;
};

/** Process -1 is all of them; before it stands a signal. */
const kill: Rule = ({ args }) => (args.indexOf("-1", 1) >= 1 ? "disk" : null);

/** One of the words says it. */
const saying =
  (words: RegExp): Rule =>
  ({ args }) =>
    args.some((arg) => words.test(arg)) ? "disk" : null;

export const DISK_RULES: Rules = [
  [
    "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mke2fs mkswap newfs blkdiscard",
    format,
  ],
  ["fdisk sfdisk gdisk sgdisk cfdisk parted", partition],
  ["wipefs", ({ args }) => (hasLetter(args, "ao") && !hasLetter(args, "n") ? "disk" : null)],
  ["dd", dd],
  ["badblocks", ({ args }) => (hasLetter(args, "w") ? "disk" : null)],
  ["diskutil", saying(/^(?:erase\w*|partitionDisk|secureErase|zeroDisk|randomDisk|delete\w*)$/i)],
  ["shutdown reboot poweroff halt", shutdown],
  ["systemctl", saying(/^(?:reboot|poweroff|halt|kexec|emergency|rescue)$/)],
  ["init telinit", saying(/^[06]$/)],
  ["crontab", crontab],
  ["chmod chown chgrp", rights],
  ["kill", kill],
  ["zpool zfs", saying(/^(?:destroy|labelclear)$/)],
  ["cryptsetup", saying(/^(?:luksFormat|erase|luksErase)$/)],
  ["hdparm nvme mdadm", saying(/^(?:--security-erase\S*|format|sanitize|--zero-superblock)$/)],
  ["lvremove vgremove pvremove", () => "disk"],
];

/** `> /dev/sda`, whatever the program is. */
export function writesDevice({ redirects }: Pick<Call, "redirects">): boolean {
  return redirects.some(
    ({ operator, target }) =>
      operator.startsWith(">") &&
      /^\/dev\/(?:sd|nvme|hd|vd|xvd|disk|rdisk|mmcblk|mapper\/)/.test(target),
  );
}
