// How does this project run its tests?

import { isObject, jsonIn } from "../../core/model/json.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../process/find-program.ts";

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

interface KindOfProject {
  readonly kind: ProjectKind;
  /** Any of these files says that it is one. */
  readonly marks: readonly string[];
  /** null: no way to test it was found. */
  readonly run: (root: string, path: string) => string | null;
}

const KINDS: readonly KindOfProject[] = [
  { kind: "node", marks: ["package.json"], run: nodeTests },
  {
    kind: "python",
    marks: ["pyproject.toml", "pytest.ini", "setup.py", "setup.cfg", "tox.ini", "conftest.py"],
    run: (_root, path) => {
      const isThree = findProgram("python", path) === null && findProgram("python3", path) !== null;
      return `${isThree ? "python3" : "python"} -m pytest`;
    },
  },
  { kind: "go", marks: ["go.mod"], run: () => "go test ./..." },
  { kind: "rust", marks: ["Cargo.toml"], run: () => "cargo test" },
];

/** `path` is the PATH variable, to tell `python` from `python3`. */
export function detectProject(root: string, path: string): Project {
  const kinds = KINDS.filter(({ marks }) => marks.some((mark) => existsSync(join(root, mark))));
  const gates = kinds.flatMap(({ kind, run }) => {
    const line = run(root, path);
    return line === null ? [] : [{ name: kinds.length === 1 ? "test" : `${kind}-test`, run: line }];
  });
  // Without a package.json, Node finds out by itself and says nothing; with one, its type counts.
  const isPackage = kinds.some(({ kind }) => kind === "node");
  const readsModules = !isPackage || manifestOf(root)["type"] === "module";
  return { kinds: kinds.map(({ kind }) => kind), gates, readsModules };
}

/** What `npm init` writes where there are no tests. */
const PLACEHOLDER = /no test specified/;

const RUNNERS = [
  ["pnpm-lock.yaml", "pnpm test"],
  ["yarn.lock", "yarn test"],
  ["bun.lock", "bun run test"],
  ["bun.lockb", "bun run test"],
] as const;

/** Of package.json. */
export function npmScripts(root: string): Readonly<Record<string, unknown>> {
  const { scripts } = manifestOf(root);
  return isObject(scripts) ? scripts : {};
}

function nodeTests(root: string): string | null {
  const { test } = npmScripts(root);
  if (typeof test !== "string" || test.trim() === "" || PLACEHOLDER.test(test)) return null;
  return RUNNERS.find(([lock]) => existsSync(join(root, lock)))?.[1] ?? "npm test";
}

function manifestOf(root: string): Readonly<Record<string, unknown>> {
  try {
    const raw = jsonIn(readFileSync(join(root, "package.json"), "utf8"));
    return isObject(raw) ? raw : {};
  } catch {
    return {}; // npm will say so better than orch could.
  }
}
