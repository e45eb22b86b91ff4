// Which dependencies does a commit declare, and by which commands are they installed?

import { isObject, jsonIn, objectAt } from "../../core/model/json.ts";
import { isDependencyList, split } from "./put-back.ts";

/** A line for the shell, in a folder of the checkout; "": the topmost. */
export interface Install {
  readonly folder: string;
  readonly run: string;
  /** Changes what is installed as far as needed, where there is no network; null: the tool has no such way. */
  readonly offline: string | null;
}

/** Of each list of dependencies what it declares, by path; without those that declare nothing. */
export type Declared = ReadonlyMap<string, string>;

/** `paths` are all files of the commit; `textOf` reads one of them, null where it is not there. */
export function declaredIn(
  paths: Iterable<string>,
  textOf: (path: string) => string | null,
): Declared {
  const lists = new Set([...paths].filter(isDependencyList));
  const declared = new Map<string, string>();
  for (const path of lists) {
    const [folder, name] = split(path);
    const lock = LOCKED_BY[name];
    // A lock says it all; what stands beside it also sets the project's tools up.
    if (lock?.some((one) => lists.has(folder + one)) === true) continue;
    const text = declarationsIn(name, textOf(path) ?? "");
    if (text !== "") declared.set(path, text);
  }
  return declared;
}

const LOCKED_BY: Readonly<Record<string, readonly string[]>> = {
  "pyproject.toml": ["uv.lock", "poetry.lock", "pdm.lock"],
  Gemfile: ["Gemfile.lock"],
  "composer.json": ["composer.lock"],
};

const PACKAGE_KEYS =
  /[dD]ependencies|^(?:bundledDependencies|workspaces|overrides|resolutions|packageManager|pnpm)$/;

/** Of npm's files without the project's own name, version, scripts and settings. */
function declarationsIn(name: string, text: string): string {
  if (name !== "package.json" && name !== "package-lock.json") return text;
  const read = jsonIn(text);
  if (!isObject(read)) return text;
  const rows =
    name === "package.json"
      ? Object.entries(read).filter(([key]) => PACKAGE_KEYS.test(key))
      : Object.entries(objectAt(read, "packages") ?? objectAt(read, "dependencies") ?? {}).filter(
          ([path]) => path !== "",
        );
  return rows.length === 0 ? "" : JSON.stringify(rows);
}

const npm = (command: string): string =>
  `npm ${command} --prefer-offline --no-audit --no-fund --fetch-retries=1`;

/** By the lock file that a project has: the first that fits. */
const LOCKS: readonly (readonly [lists: string, lock: string, run: string, offline?: string])[] = [
  ["package.json package-lock.json", "package-lock.json", npm("ci"), npm("install")],
  ["package.json pnpm-lock.yaml", "pnpm-lock.yaml", "pnpm install --frozen-lockfile"],
  ["package.json yarn.lock", "yarn.lock", "yarn install --frozen-lockfile"],
  ["package.json bun.lock", "bun.lock", "bun install --frozen-lockfile"],
  ["pyproject.toml uv.lock", "uv.lock", "uv sync --frozen"],
  ["pyproject.toml poetry.lock", "poetry.lock", "poetry install"],
  ["Gemfile Gemfile.lock", "Gemfile.lock", "bundle install"],
  ["composer.json composer.lock", "composer.lock", "composer install --no-interaction"],
];

/**
 * How what differs between two commits is installed: each command once. Empty where no tool of ours installs
 * it into the checkout, as those of Rust and Go do not. `here` is what the commit declares, `there` what was installed.
 */
export function installsFor(here: Declared, there: Declared): readonly Install[] {
  const installs = [...here].flatMap(([path, declared]) =>
    there.get(path) === declared ? [] : (installOf(path, here) ?? []),
  );
  return [...new Map(installs.map((one) => [`${one.folder}\n${one.run}`, one])).values()];
}

/** In the folder of the nearest lock above. */
function installOf(path: string, here: Declared): Install | null {
  const [inside, name] = split(path);
  const rows = LOCKS.filter(([lists]) => lists.split(" ").includes(name));
  for (let folder: string | null = inside; folder !== null; folder = above(folder)) {
    const row = rows.find(([, lock]) => here.has(`${folder}${lock}`));
    if (row !== undefined) return { folder, run: row[2], offline: row[3] ?? null };
  }
  const run = npm("install --no-package-lock");
  return name === "package.json" ? { folder: inside, run, offline: null } : null;
}

function above(folder: string): string | null {
  return folder === "" ? null : folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
}
