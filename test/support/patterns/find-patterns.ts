// Which regular expressions does the program have?

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compileFunction } from "node:vm";

import ts from "typescript";

import { patternOf, phrases, phrasesIn } from "../../../src/readers/match/phrases.ts";

export interface Found {
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

const SRC = join(import.meta.dirname, "../../../src");

/** Literals as the parser sees them; what is put together, as it is when its module has been loaded. */
export function patternsOfProgram(): readonly Found[] {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const made: Found[] = [];
  const load = loader(made);
  return files
    .flatMap((name) => {
      const text = readFileSync(join(SRC, name), "utf8");
      if (/new RegExp\(|phrases`/.test(text)) load(join(SRC, name));
      return literalsIn(name, text);
    })
    .concat(made);
}

function literalsIn(name: string, text: string): readonly Found[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push({
        at: `${name}:${line + 1}`,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function loader(made: Found[]) {
  const loaded = new Map<string, object>();
  const recording: typeof phrases = (source, ...parts) => {
    for (const tokens of phrasesIn(source, parts))
      made.push({ at: tokens.join(" "), ...spelt(patternOf(tokens)) });
    return phrases(source, ...parts);
  };
  const load = (path: string): object => {
    const before = loaded.get(path);
    if (before !== undefined) return before;
    if (path.endsWith("/match/phrases.ts")) return { phrases: recording };
    const exports = {};
    loaded.set(path, exports);
    const { outputText } = ts.transpileModule(readFileSync(path, "utf8"), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
    });
    const outer = createRequire(path);
    const require = (name: string): unknown =>
      name.startsWith(".") ? load(join(dirname(path), name)) : outer(name);
    const at = path.slice(SRC.length + 1);
    const Recorder = new Proxy(RegExp, {
      construct: (target, [source, flags]) => {
        const regex = new target(source, flags);
        made.push({ at, ...spelt(regex) });
        return regex;
      },
    });
    const run: unknown = compileFunction(outputText, ["require", "exports", "RegExp"]);
    if (typeof run === "function") run(require, exports, Recorder);
    return exports;
  };
  return load;
}

function spelt({ source, flags }: RegExp) {
  return { source, flags };
}
