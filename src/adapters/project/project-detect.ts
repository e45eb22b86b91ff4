// How does this project run its tests?

import { isObject, jsonIn } from "../../core/model/json.ts";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

export type ProjectKind = "node" | "python" | "go" | "rust";

export interface DetectedGate {
  readonly name: string;
  readonly run: string;
}

export interface Project {
  /** A gate for each kind of project found; empty: none could be found. */
  readonly gates: readonly DetectedGate[];
  readonly kinds: readonly ProjectKind[];
  /** A `.js` file with `export` is read as a module without further ado. */
  readonly readsModules: boolean;
}

/** `path` is the PATH variable, to tell `python` from `python3`. */
export function detectProject(root: string, path: string): Project {
  const found = [nodeTests(root), pythonTests(root, path), goTests(root), rustTests(root)];
  const kinds = found.filter((each) => each !== null);
  return {
    kinds: kinds.map(({ kind }) => kind),
    gates: kinds.flatMap(({ kind, run }) =>
      run === null ? [] : [{ name: kinds.length === 1 ? "test" : `${kind}-test`, run }],
    ),
    readsModules: readsModules(root),
  };
}

/** The scripts of package.json by name; null where there is no readable one. */
export function packageScripts(root: string): Readonly<Record<string, string>> | null {
  const manifest = readManifest(root);
  const scripts = manifest?.["scripts"];
  if (manifest === null) return null;
  if (!isObject(scripts)) return {};
  const entries = Object.entries(scripts);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The absolute path of a program, or null where PATH does not lead to it. */
export function findProgram(name: string, path: string): string | null {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

interface Found {
  readonly kind: ProjectKind;
  /** null: a project of this kind, but no way to test it was found. */
  readonly run: string | null;
}

/** What `npm init` writes where there are no tests. */
const PLACEHOLDER = /no test specified/;

const RUNNERS = [
  ["pnpm-lock.yaml", "pnpm test"],
  ["yarn.lock", "yarn test"],
  ["bun.lock", "bun run test"],
  ["bun.lockb", "bun run test"],
] as const;

function nodeTests(root: string): Found | null {
  const scripts = packageScripts(root);
  if (scripts === null) return null;
  const test = scripts["test"]?.trim() ?? "";
  if (test === "" || PLACEHOLDER.test(test)) return { kind: "node", run: null };
  const runner = RUNNERS.find(([lock]) => existsSync(join(root, lock)));
  return { kind: "node", run: runner?.[1] ?? "npm test" };
}

const PYTHON_MARKS = [
  "pyproject.toml",
  "pytest.ini",
  "setup.py",
  "setup.cfg",
  "tox.ini",
  "conftest.py",
];

function pythonTests(root: string, path: string): Found | null {
  if (!PYTHON_MARKS.some((mark) => existsSync(join(root, mark)))) return null;
  const python =
    findProgram("python", path) === null && findProgram("python3", path) !== null
      ? "python3"
      : "python";
  return { kind: "python", run: `${python} -m pytest` };
}

function goTests(root: string): Found | null {
  return existsSync(join(root, "go.mod")) ? { kind: "go", run: "go test ./..." } : null;
}

function rustTests(root: string): Found | null {
  return existsSync(join(root, "Cargo.toml")) ? { kind: "rust", run: "cargo test" } : null;
}

/** Without a package.json, Node finds out by itself and says nothing; with one, its type counts. */
function readsModules(root: string): boolean {
  const manifest = readManifest(root);
  return manifest === null
    ? !existsSync(join(root, "package.json"))
    : manifest["type"] === "module";
}

function readManifest(root: string): Readonly<Record<string, unknown>> | null {
  try {
    const raw = jsonIn(readFileSync(join(root, "package.json"), "utf8"));
    return isObject(raw) ? raw : null;
  } catch {
    return null; // Missing: npm will say so better than orch could.
  }
}
