// Which part of an absolute path is the same on every machine and in every run?

/**
 * What identifies the file: its path from a source folder on, or from the package it was installed
 * with, else its base name. Paths of the system itself stay whole: /etc/hosts is the same everywhere.
 */
export function withoutFolders(match: string): string {
  const path = match.startsWith("file://") ? match.slice("file://".length) : match;
  const names = path.split(/[\\/]+/).filter((name) => name !== "");
  if (!isOfOneMachine(names)) return match;
  const kept = names.slice(start(names));
  const last = kept.at(-1) ?? "";
  // What stands right under a temporary folder was named by dice.
  const isRandom = names.length <= 1 + depthOf(names) && kept.length === 1;
  return isRandom ? last.replace(DICE, "$1<id>$2") : kept.join("/");
}

/** With a digit in it: "cart-service" was named by a person. */
const DICE = /([-_.]|^tmp)(?=[a-z_]{0,11}\d)(?=[a-z0-9_]{6,12}(?:\.|$))[a-z0-9_]+(\.[a-z]{1,5})?$/;
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const SYSTEM = words("etc usr bin sbin lib lib64 dev proc sys var run boot nonexistent");
/** First names under which a work tree or a home is found. */
const ROOTS = words(
  "private home users root ~ build builds workspace workspaces work __w github runner app srv code repo repos project projects media mnt volumes data",
);
const SOURCES = words(
  "src lib test tests spec packages apps app components pages scripts internal cmd pkg crates",
);
const INSTALLED = words("node_modules site-packages dist-packages");
const SCRATCH =
  /^(?:(?:private\/)?(?:(?:var\/)?tmp|var\/folders)|usr\/tmp|dev\/shm|%temp%)(?=\/|$)/;

function isOfOneMachine(names: readonly string[]): boolean {
  const [first = ""] = names;
  if (depthOf(names) > 0 || isDrive(first)) return true;
  if (ROOTS.has(first)) return names.length > 1;
  // "/api/users" is a route; "/elsewhere/shop/cart.ts" is a file.
  return !SYSTEM.has(first) && names.length > 2 && /\.[a-z]\w{0,4}$/.test(names.at(-1) ?? "");
}

function isDrive(name: string): boolean {
  return /^[a-z]:$/.test(name);
}

/** How many names the scratch folder itself takes; 0: it is none. */
function depthOf(names: readonly string[]): number {
  return SCRATCH.exec(names.slice(0, 3).join("/"))?.[0].split("/").length ?? 0;
}

function start(names: readonly string[]): number {
  const installed = names.findLastIndex((name) => INSTALLED.has(name));
  if (installed !== -1 && installed < names.length - 1) return installed + 1;
  // The first names belong to the machine, whatever they are called: /home/ann/src is no source.
  const from = names[0] === "home" || names[0] === "users" || isDrive(names[0] ?? "") ? 3 : 2;
  const source = names.findIndex((name, at) => at >= from && SOURCES.has(name));
  return source !== -1 && source < names.length - 1 ? source : names.length - 1;
}
