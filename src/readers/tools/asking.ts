// Which runner does a gate's command run, and how is it asked for a report of its checks?

import { hasOption, optionValues, setOf, type Call, absolutePath } from "../shell/call.ts";
import { eachCall } from "../shell/each-call.ts";
import { runnerOf, type ReportFile, type Run } from "./runners.ts";

export interface Asked {
  /** The runner that must say what it checked; null: none is known. */
  readonly runner: string | null;
  /** The command, which means what it meant. */
  readonly line: string;
  readonly env: Readonly<Record<string, string>>;
  readonly reports: readonly ReportFile[];
}

export interface Asking {
  readonly line: string;
  /** Absolute: the working tree. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The scripts of the `package.json` in a folder. */
  readonly scriptsIn: (folder: string) => Readonly<Record<string, string>>;
  /** An absolute path without an ending, where a report may be written. */
  readonly report: string;
}

/** Total. A command that cannot be told apart is left alone. */
export function askForReport(asking: Asking): Asked {
  const { line, cwd, env, report } = asking;
  const ran = runnersIn(line, cwd, asking, 0);
  const runner = ran.findLast(({ counts }) => counts)?.runner.name ?? null;
  const left = ran.flatMap(({ runner: { leaves } }) => leaves ?? []);
  const silent: Asked = { runner, line, env: {}, reports: left };
  const [only] = ran;
  // Of several, the last would overwrite what the first one wrote.
  if (only === undefined || ran.length > 1) return silent;
  const { args, vars = {}, form, alreadyAsked = "" } = only.runner;
  const file = `${report}.${form === "junit" ? "xml" : "json"}`;
  const reports = form === undefined ? left : [{ form, file }, ...left];
  if (hasOption(only.args, setOf(alreadyAsked))) return silent;
  if (args !== undefined && only.gap !== null) {
    const { at, before } = only.gap;
    const asked = args.split(" ").map((word) => quoted(word.replace("{file}", () => file)));
    const words = [...before, ...asked].join(" ");
    return { ...silent, line: `${line.slice(0, at)} ${words}${line.slice(at)}`, reports };
  }
  const added = Object.entries(vars);
  if (added.length === 0 || added.some(([name]) => only.variables.has(name))) return silent;
  const joined = added.map(([name, words]) => {
    const options = words.replace("{file}", () => quoted(file));
    return [name, `${env[name] ?? ""} ${options}`.trim()];
  });
  return { ...silent, env: Object.fromEntries(joined), reports };
}

interface Ran extends Run {
  readonly variables: Call["variables"];
  /** Where words for it can be put, and what has to stand before them; null: nowhere. */
  readonly gap: { readonly at: number; readonly before: readonly string[] } | null;
}

const SCRIPTS_DEEP_MAX = 8;
const RUNNERS_MAX = 50;
/** What hands on the output as it is. */
const COPIES = setOf("tee cat");

function runnersIn(line: string, cwd: string, asking: Asking, depth: number): readonly Ran[] {
  const runs: Ran[] = [];
  const where = { root: asking.cwd, cwd, home: asking.env["HOME"] ?? null };
  eachCall(line, where, (call) => {
    if (runs.length >= RUNNERS_MAX) return;
    const fed = call.isPiped ? runs.at(-1) : undefined;
    // Another program retells it in words of its own.
    if (fed !== undefined && !COPIES.has(call.program))
      runs.splice(-1, 1, { ...fed, counts: false });
    const gap = gapBehind(call, line, depth);
    const runner = runnerOf(call.program, call.args);
    if (runner !== null && !call.isWrapper) {
      runs.push({ ...runner, variables: call.variables, gap: call.isContained ? null : gap });
      return;
    }
    const script = scriptOf(call, asking);
    if (script === null || depth >= SCRIPTS_DEEP_MAX) return;
    const inner = runnersIn(script.line, script.folder, asking, depth + 1);
    runs.push(...inner.map((ran) => ({ ...ran, gap: through(gap, script, ran) })));
  });
  return runs;
}

/** Behind the command, where it is the last one, or the next runs only once it has passed. */
function gapBehind({ text, isFallback, isInner }: Call, line: string, depth: number): Ran["gap"] {
  const start = line.indexOf(text);
  if (text === "" || start === -1 || line.includes(text, start + 1)) return null;
  // npm takes options for its own.
  if (/\bnpm (?:exec|x) /.test(text) && !text.includes(" -- ")) return null;
  const at = start + text.length;
  const rest = line.slice(at).trimStart();
  if (rest !== "" && (depth > 0 || !rest.startsWith("&&"))) return null;
  return isFallback || isInner ? null : { at, before: [] };
}

interface Script {
  readonly line: string;
  readonly folder: string;
  /** What npm wants before words that it hands on; null: the others hand on all of them. */
  readonly before: readonly string[] | null;
}

/** Where words for a script reach what it runs. */
function through(gap: Ran["gap"], { before }: Script, { gap: inner }: Ran): Ran["gap"] {
  if (gap === null || inner === null) return null;
  if (before === null) return inner.before.length === 0 ? gap : null;
  return { at: gap.at, before: [...before, ...inner.before] };
}

const MANAGERS = setOf("npm yarn pnpm bun");
/** Scripts of other folders, or of many. */
const ELSEWHERE = setOf("-w -W -ws -r -F --workspace --workspaces --recursive --filter");
const RUN = setOf("run run-script rum urn");
const SHORT: Readonly<Record<string, string>> = { t: "test", tst: "test" };

/** The script of package.json that a call runs, with what is handed on to it; null: none. */
function scriptOf(call: Call, { scriptsIn }: Asking): Script | null {
  const { program: manager, args, where } = call;
  if (!MANAGERS.has(manager) || call.isContained) return null;
  const managerArgs = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (hasOption(managerArgs, ELSEWHERE)) return null;
  const [into = "."] = optionValues(managerArgs, "--prefix -C --cwd --dir");
  const folder = absolutePath(into, where);
  const words = args.filter((arg) => !arg.startsWith("-") && arg !== into);
  const isRun = RUN.has(words[0] ?? "");
  const [word = ""] = isRun ? words.slice(1) : words;
  const name = isRun ? word : (SHORT[word] ?? word);
  if (folder === null || (manager === "npm" && !isRun && name !== "test")) return null;
  const scripts = scriptsIn(folder);
  const script = Object.hasOwn(scripts, name) ? (scripts[name] ?? "") : "";
  if (script === "") return null;
  const rest = args.slice(args.indexOf(word) + 1).filter((arg) => arg !== "--");
  const isOpen = args.includes("--");
  const handedOn = manager === "npm" && !isOpen ? rest.filter((arg) => !arg.startsWith("-")) : rest;
  const line = [script.trim(), ...handedOn.map(quoted)].join(" ");
  return { line, folder, before: manager === "npm" ? (isOpen ? [] : ["--"]) : null };
}

/** One word for a shell, and for those who split words as it does. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
