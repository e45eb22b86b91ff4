// What does an edit make of a project's files, and which acts of a scripted agent bring it about?

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** In the file all occurrences of the first text become the second. */
export type Edit = readonly [path: string, find: string, replace: string];

/** Files over those of a folder: null is removed. */
export class Tree {
  private readonly changed = new Map<string, string | null>();
  private readonly commands: string[] = [];
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  has(path: string): boolean {
    const text = this.changed.get(path);
    return text === undefined ? existsSync(join(this.root, path)) : text !== null;
  }

  read(path: string): string {
    const text = this.changed.get(path);
    if (text === null) throw new Error(`${path} was removed`);
    return text ?? readFileSync(join(this.root, path), "utf8");
  }

  write(path: string, text: string): void {
    this.changed.set(path, text);
  }

  remove(path: string): void {
    this.changed.set(path, null);
  }

  move(from: string, to: string): void {
    this.write(to, this.read(from));
    this.remove(from);
  }

  edit(edits: readonly Edit[]): void {
    for (const [path, find, replace] of edits) {
      const text = this.read(path);
      if (!text.includes(find)) throw new Error(`${path} has no ${JSON.stringify(find)}`);
      this.write(
        path,
        text.replaceAll(find, () => replace),
      );
    }
  }

  /** Takes edits back, the last first. */
  revert(edits: readonly Edit[]): void {
    this.edit(edits.toReversed().map(([path, find, replace]) => [path, replace, find]));
  }

  /** A line of shell in the folder, once its files are written. */
  run(command: string): void {
    this.commands.push(command);
  }

  /** Brings the folder to this state. */
  apply(env: NodeJS.ProcessEnv = process.env): void {
    for (const [path, text] of this.changed) {
      rmSync(join(this.root, path), { force: true });
      if (text !== null) writeText(join(this.root, path), text);
    }
    for (const command of this.commands)
      execFileSync("/bin/sh", ["-c", command], { cwd: this.root, env, stdio: "ignore" });
  }

  /** The same as acts of a script. What is no file of the repository may be a link, and is replaced. */
  acts(): readonly object[] {
    const files = [...this.changed].flatMap(([path, text]): readonly object[] => {
      if (text === null) return [{ remove: path }];
      const write = { write: { path, text } };
      if (!path.startsWith("node_modules/")) return [write];
      return [{ run: `rm -f ${path}` }, write, { run: `chmod +x ${path}` }];
    });
    return [...files, ...this.commands.map((run) => ({ run }))];
  }
}

export function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  if (text.startsWith("#!")) chmodSync(path, 0o755);
}

/** A test in its file, from its head to its end, by the indentation of its lines. */
export interface Block {
  readonly text: string;
  readonly head: string;
  readonly body: string;
  readonly tail: string;
  /** The file's text with something else in its place. */
  with(text: string): string;
}

/** By the first line that holds `name`; attributes and comments right above are a part of it. */
export function blockOf(text: string, name: string): Block {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes(name));
  if (at === -1) throw new Error(`no test ${JSON.stringify(name)}`);
  const indent = indentOf(lines[at] ?? "");
  const isPython = /^\s*def .*:\s*$/.test(lines[at] ?? "");
  let end = at;
  if (isPython || !/;\s*$/.test(lines[at] ?? "")) {
    end = lines.findIndex(
      (line, n) =>
        n > at && line.trim() !== "" && indentOf(line) <= indent && (isPython || isEnd(line)),
    );
    if (isPython) end = end === -1 ? lines.length - 1 : end - 1;
  }
  const start = /^\s*#\[/.test(lines[at - 1] ?? "") ? at - 1 : at;
  const bodyEnd = isPython ? end + 1 : end;
  return {
    text: lines.slice(start, end + 1).join("\n"),
    head: lines.slice(start, at + 1).join("\n"),
    body: lines.slice(at + 1, bodyEnd).join("\n"),
    tail: isPython || end === at ? "" : (lines[end] ?? ""),
    with: (other) => [...lines.slice(0, start), other, ...lines.slice(end + 1)].join("\n"),
  };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A line that is no part of a text, and after which the head does not go on, as after `}) => {`. */
function isEnd(line: string): boolean {
  return /^\s*[)}]/.test(line) && !line.trimEnd().endsWith("{");
}
