// Which commands test, lint, type-check and build this project, as far as its files tell?

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { isObject, jsonIn, nameAt, objectAt } from "../../core/model/json.ts";
import { filesBelow, readFileBounded } from "../files/small-file.ts";
import * as table from "./gate-table.ts";
import type { GateName, PackageManager, ProjectKind, ScriptFile } from "./gate-table.ts";

export interface DetectedGate {
  readonly name: string;
  readonly run: string;
  /** Other commands that the files tell of, for where the program of the first is missing. */
  readonly others: readonly string[];
}

export interface Project {
  /** In the order in which they are worth running; empty: none could be found. */
  readonly gates: readonly DetectedGate[];
  readonly kinds: readonly ProjectKind[];
  /** A `.js` file with `export` is read as a module without further ado. */
  readonly readsModules: boolean;
}

/** A project's folder, and the root of its repository, where lock files may lie. */
interface Place {
  readonly folder: string;
  readonly root: string;
}

interface Candidate {
  readonly kind: ProjectKind;
  readonly gate: GateName;
  readonly run: string;
  /** "named": a script; "target": one of what may run all the others; "inferred": nobody says so. */
  readonly by: "named" | "target" | "inferred";
  readonly others: readonly string[];
}

export function detectProject(folder: string, root = folder): Project {
  const place = { folder, root };
  const found = table.GATE_NAMES.flatMap((gate) => ofGate(gate, place));
  const gates = found.map(({ kind, gate, run, others }) => {
    const isOnly = found.every((other) => other.gate !== gate || other.kind === kind);
    return { name: isOnly ? gate : `${kind}-${gate}`, run, others };
  });
  // Without a package.json, Node finds out by itself and says nothing; with one, its type counts.
  const manifest = existsSync(join(folder, "package.json")) ? manifestOf(folder) : null;
  const readsModules = manifest === null || manifest["type"] === "module";
  return { gates, kinds: [...new Set(found.map(({ kind }) => kind))], readsModules };
}

/** Whether a package of its own lies there, of whatever kind. */
export function isPackage(folder: string): boolean {
  const marks = ["package.json", "pyproject.toml", "go.mod", "Cargo.toml", "composer.json"];
  return [...marks, "Gemfile", "mix.exs", "pom.xml"].some((name) => existsSync(join(folder, name)));
}

/** One for each kind. A target such as make's, which may run all the others, gives way to scripts only. */
function ofGate(gate: GateName, place: Place): readonly Candidate[] {
  const named = table.SCRIPT_FILES.flatMap((file) => scriptOf(file, gate, place));
  const inferred = table.INFERENCES.filter((one) => one[1] === gate && isMeant(one, place));
  const each = inferred.map(([kind, , line]) => ({ kind, run: filled(line, place) }));
  const all = [
    ...named,
    ...each.map(({ kind, run }) => {
      const runs = new Set(each.flatMap((one) => (one.kind === kind ? [one.run] : [])));
      return { kind, gate, run, by: "inferred", others: [...runs].slice(1) } as const;
    }),
  ].filter(({ kind }, at, every) => every.findIndex((one) => one.kind === kind) === at);
  const target = all.find(({ by }) => by === "target");
  if (target === undefined) return all;
  const scripts = all.filter(({ by }) => by === "named");
  return scripts.length === 0 ? [target] : all.filter(({ by }) => by !== "target");
}

function scriptOf(file: ScriptFile, gate: GateName, place: Place): readonly Candidate[] {
  const scripts = scriptsIn(file, place.folder);
  const isMake = file.kind === "make" && gate === "test";
  const names = [...table.SCRIPT_NAMES[gate], ...(isMake ? [table.TESTS_OF_MAKE] : [])];
  const isFit = (name: string): boolean => {
    const all = scriptsRunBy(name, scripts);
    return (scripts.get(name) ?? "").trim() !== "" && !all.some((line) => table.UNFIT.test(line));
  };
  const script = names.find(isFit);
  const by = file.json === null ? "target" : "named";
  if (script !== undefined) {
    const line = filled(file.run.replace("{script}", script), place);
    // As people write it.
    const run = line.replace(/^(npm|pnpm|yarn) run test$/, "$1 test");
    return [{ kind: file.kind, gate, run, by, others: [] }];
  }
  if (file.kind !== "node" || !hasWorkspaces(place.folder)) return [];
  const inPackages = names.find((name) => isScriptOfPackages(name, place.folder));
  if (inPackages === undefined) return [];
  const line = table.IN_WORKSPACES[managerOf(place)].replace("{script}", inPackages);
  return [{ kind: "node", gate, run: filled(line, place), by, others: [] }];
}

/** The command of a script, and those of all scripts whose names stand in it. */
function scriptsRunBy(name: string, scripts: ReadonlyMap<string, string>): readonly string[] {
  const seen = new Set([name]);
  for (const one of seen)
    for (const word of (scripts.get(one) ?? "").split(/[\s;&|"']+/))
      if (scripts.has(word)) seen.add(word);
  return [...seen].map((one) => scripts.get(one) ?? "");
}

function isMeant([kind, , , files, says]: table.Inference, { folder }: Place): boolean {
  const needs = table.NEEDS[kind] ?? [];
  if (needs.length > 0 && !needs.some((name) => existsSync(join(folder, name)))) return false;
  const there = files.flatMap((pattern) => matching(folder, pattern));
  return says === undefined
    ? there.length > 0
    : there.slice(0, FILES_READ_MAX).some((name) => says.test(textOf(join(folder, name))));
}

const FILES_READ_MAX = 40;
const FILE_BYTES_MAX = 1024 * 1024;

/** Names that are there: of a pattern with "*" in its last part all that fit. */
function matching(folder: string, pattern: string): readonly string[] {
  const [before = "", after] = pattern.split("*");
  if (after === undefined) return existsSync(join(folder, pattern)) ? [pattern] : [];
  const at = before.lastIndexOf("/") + 1;
  const names = namesOf(join(folder, before.slice(0, at)));
  const fitting = names.filter((name) => name.startsWith(before.slice(at)) && name.endsWith(after));
  return fitting.toSorted().map((name) => before.slice(0, at) + name);
}

function namesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Not there, or nobody may look.
  }
}

function filled(line: string, { folder, root }: Place): string {
  return line.replace(/\{(\w+)\}/g, (all, word: string) => {
    if (word === "npm") return managerOf({ folder, root });
    if (word === "exec") return table.EXEC[managerOf({ folder, root })];
    const choices = Object.entries(table.WORDS[word] ?? {});
    // The last one has no file: the folder itself is there.
    const isThere = (name: string): boolean =>
      [folder, root].some((one) => existsSync(join(one, name)));
    return choices.find(([name]) => isThere(name))?.[1] ?? all;
  });
}

/** What package.json says, else whose lock file is there. */
function managerOf({ folder, root }: Place): PackageManager {
  const said = [folder, root].map((one) => String(manifestOf(one)["packageManager"]).split("@")[0]);
  const locks: readonly (readonly [string, PackageManager])[] = table.LOCKS;
  const lock = locks.find(([name]) => [folder, root].some((one) => existsSync(join(one, name))));
  return table.MANAGERS.find((name) => said.includes(name)) ?? lock?.[1] ?? "npm";
}

function hasWorkspaces(folder: string): boolean {
  const isPnpm = existsSync(join(folder, "pnpm-workspace.yaml"));
  return isPnpm || manifestOf(folder)["workspaces"] !== undefined;
}

const PACKAGES_MAX = 200;

function isScriptOfPackages(name: string, folder: string): boolean {
  return filesBelow(folder)
    .paths.filter((path) => path.endsWith("/package.json"))
    .slice(0, PACKAGES_MAX)
    .some((path) => {
      const line = npmScripts(join(folder, path, ".."))[name];
      return typeof line === "string" && line !== "" && !table.UNFIT.test(line);
    });
}

/** What the file names, each with its command; of a target only that it is there. */
function scriptsIn({ files, json }: ScriptFile, folder: string): ReadonlyMap<string, string> {
  const text = files.map((name) => textOf(join(folder, name))).find((one) => one !== "") ?? "";
  if (json === null)
    return new Map(
      text
        .split("\n")
        .flatMap(targetsIn)
        .map((name) => [name, name]),
    );
  const scripts = objectAt(objectOf(text), json) ?? {};
  return new Map(Object.entries(scripts).map(([name, line]) => [name, commandOf(line)]));
}

/** What stands before the colon of a rule, or begins a recipe; an assignment is neither. */
function targetsIn(line: string): readonly string[] {
  const [before = "", after] = line.split(":", 2);
  if (after === undefined || after.startsWith("=") || !/^@?[\w.-]/.test(before)) return [];
  const [first = "", ...more] = before.replace(/^@/, "").trim().split(/ +/);
  return more.every((name) => /^[\w.-]+$/.test(name)) ? [first, ...more] : [first];
}

/** Composer allows a list, Deno an object. */
function commandOf(line: unknown): string {
  if (Array.isArray(line)) return line.join(" && ");
  return isObject(line) ? nameAt(line, "command") : typeof line === "string" ? line : "";
}

/** Of package.json. */
export function npmScripts(root: string): Readonly<Record<string, unknown>> {
  return objectAt(manifestOf(root), "scripts") ?? {};
}

/** What is wrong with it npm will say better than orch could. */
function manifestOf(folder: string): Readonly<Record<string, unknown>> {
  return objectOf(textOf(join(folder, "package.json")));
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  const value = jsonIn(text.replace(/^\uFEFF/, ""));
  return isObject(value) ? value : {};
}

function textOf(path: string): string {
  const found = readFileBounded(path, FILE_BYTES_MAX, "followed");
  return found.kind === "read" ? found.text : "";
}
