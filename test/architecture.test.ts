import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import ts from "typescript";
import { describe, expect, test } from "vitest";

import { RULES } from "../src/core/model/decision.ts";

const ROOT = join(import.meta.dirname, "..");

function filesUnder(folder: string, ext: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ext))
    .map((path) => join(folder, path));
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Code without comments. */
function codeOf(path: string): string {
  return textOf(path)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
}

/** Code whose texts and patterns are empty: what is said there does nothing. */
function deedsOf(path: string): string {
  const text = textOf(path);
  const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const silent: [from: number, to: number][] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isLiteralExpression(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isTemplateHead(node)
    )
      silent.push([node.getStart(parsed), node.getEnd()]);
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  const pieces = silent.map(([from], at) => text.slice(silent[at - 1]?.[1] ?? 0, from));
  return [...pieces, text.slice(silent.at(-1)?.[1] ?? 0)]
    .join('""')
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
}

/** Parsed only where the words are there at all. */
function does(pattern: RegExp, path: string): boolean {
  return pattern.test(textOf(path)) && pattern.test(deedsOf(path));
}

describe("the core and the readers are pure", () => {
  const FORBIDDEN: readonly (readonly [string, RegExp])[] = [
    ["reads the date", /\bnew Date\b(?!\(\w)|\bDate\.now\b|(?<!\bnew )\bDate\(/],
    ["rolls dice", /\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b/],
    ["looks at a clock", /\bperformance\b|\bsetTimeout\b|\bsetInterval\b|\bsetImmediate\b/],
    ["looks at its process", /\bprocess\.(?!\w*Tries)|\bglobalThis\b/],
    ["imports the platform", /from "node:(?!crypto")|import\("|require\(/],
    ["waits", /\basync\b|\bawait\b|\bPromise\b/],
  ];

  test.each(FORBIDDEN)("nothing in them %s", (what, pattern) => {
    const isGuilty = (path: string): boolean =>
      what === "imports the platform" ? pattern.test(codeOf(path)) : does(pattern, path);
    const pure = [...filesUnder("src/core", ".ts"), ...filesUnder("src/readers", ".ts")];
    expect(pure.filter(isGuilty)).toEqual([]);
  });

  test("they are not empty, so that the rules above mean something", () => {
    expect(filesUnder("src/core", ".ts").length).toBeGreaterThan(20);
    expect(filesUnder("src/readers", ".ts").length).toBeGreaterThan(20);
  });
});

/** A file and all that it imports, types included, directly or not. */
function reached(from: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(from)) return seen;
  seen.add(from);
  for (const [, path = ""] of codeOf(from).matchAll(/\b(?:from |import\()"(\.[^"]+)"/g))
    reached(join(from, "..", path), seen);
  return seen;
}

describe("what a reader opens to understand", () => {
  test.each([
    ["due", "src/core/run/due.ts", 42],
    ["reduce", "src/core/run/reduce.ts", 58],
    ["decide", "src/core/decide/decide.ts", 60],
  ])("for %s (%s) is at most %i files", (_name, file, most) => {
    expect([...reached(file)].length).toBeLessThanOrEqual(most);
  });

  test("no file lies directly in src/core", () => {
    expect(readdirSync(join(ROOT, "src/core")).filter((name) => name.endsWith(".ts"))).toEqual([]);
  });
});

describe("what is measured is what decides", () => {
  /** Still to go: the program's own streaks, plans and failures take their place. */
  const ONLY_MEASURED: readonly string[] = [];

  test("a run reaches every reader and rule that an evaluation reaches", () => {
    const run = reached(join("src", "cli", "commands", "run.ts"));
    const measured = filesUnder("bench/eval", ".ts").flatMap((file) => [...reached(file)]);
    const alone = [...new Set(measured)].filter(
      (file) => /^src\/(?:core|readers)\//.test(file) && !run.has(file),
    );
    expect(alone.toSorted()).toEqual(ONLY_MEASURED);
  });
});

describe("tests", () => {
  test("fold every kind of event at least once", () => {
    const types = [...textOf("src/core/model/event.ts").matchAll(/readonly type: "([a-z-]+)"/g)];
    const files = [
      "core/reduce.test.ts",
      "core/reduce-tree.test.ts",
      "core/merging.test.ts",
      "core/decide-coach.test.ts",
      "core/contest.test.ts",
      "support/builders.ts",
    ];
    const tested = files.map((file) => textOf(`test/${file}`)).join("\n");
    const missing = types.flatMap(([, type = ""]) => (tested.includes(`"${type}"`) ? [] : [type]));
    expect(types.length).toBeGreaterThan(15);
    expect(missing).toEqual([]);
  });

  test("fire every rule of the policy at least once", () => {
    const tables = filesUnder("test/core", ".ts")
      .filter((path) => /decide[a-z-]*\.test\.ts$/.test(path))
      .map(textOf)
      .join("\n");
    const isFired = (id: string): boolean => new RegExp(`["\\s]${id}"`).test(tables);
    expect(Object.keys(RULES).filter((id) => !isFired(id))).toEqual([]);
  });

  test("replace no module by a mock, and skip nothing", () => {
    const self = join("test", "architecture.test.ts");
    const pattern = /\bvi\.(?:mock|doMock)\b|\b(?:test|it|describe)\.(?:skip|todo|only)\b/;
    const guilty = filesUnder("test", ".test.ts").filter((path) => does(pattern, path));
    expect(guilty.filter((path) => path !== self)).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  test("names only files that are there", () => {
    const files = ["src", "test", "scripts"].flatMap((folder) => filesUnder(folder, "s"));
    const named = textOf("ARCHITECTURE.md").matchAll(/`((?!dist)[\w./-]+\.m?[jt]s)`/g);
    const gone = [...named].filter(
      ([, name]) => !files.some((file) => `/${file}`.endsWith(`/${name}`)),
    );
    expect(gone.map(([, name]) => name)).toEqual([]);
  });
});

describe("every module", () => {
  test("opens with the question that it answers, or a sentence that says what it is", () => {
    const first = (path: string): string => {
      const lines = textOf(path).split("\n");
      const code = lines.findIndex((line) => !line.startsWith("//") && !line.startsWith("#!"));
      return lines.slice(0, code).join(" ").trim();
    };
    expect(
      filesUnder("src", ".ts").filter((path) => !/^(#!.* )?\/\/ .*[?.]$/.test(first(path))),
    ).toEqual([]);
  });
});

describe("the size", () => {
  const linesUnder = (folder: string): number =>
    [...filesUnder(folder, ".ts"), ...filesUnder(folder, ".tsx")].reduce(
      (sum, path) => sum + textOf(path).split("\n").length - 1,
      0,
    );

  /** No commit raises these: a change that needs room makes it. */
  test.each([
    ["src", 53_900],
    ["test", 46_500],
  ])("of %s is at most %i lines", (folder, most) => {
    expect(linesUnder(folder)).toBeLessThanOrEqual(most);
  });
});
