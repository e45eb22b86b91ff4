// Do the scripts that the gates run still check as much?

import type { Alarm } from "../../core/model/alarm.ts";
import type { ReadFile } from "./reading.ts";
import { CHECK_NAME, isCheck, isNarrower, purposeOf, softenerIn, stepsOf } from "./shell-words.ts";
import type { Step } from "./shell-words.ts";
import { settingsIn } from "./setting-values.ts";
import type { Setting } from "./setting-values.ts";

type Scripts = ReadonlyMap<string, Setting>;

/** Scripts of package.json, and the options that pytest reads from its configuration. */
export function scriptAlarms(
  files: readonly ReadFile[],
  commands: readonly string[],
): readonly Alarm[] {
  return files.flatMap((file) => {
    const { before, after, role, path } = file;
    if (role.settings === null || before === null || after === null) return [];
    const { tool, syntax } = role.settings;
    const isPackage = tool === "package";
    if (!isPackage && tool !== "python" && tool !== "pytest") return [];
    const scripts = isPackage ? scriptsIn : optionsIn;
    const [base, now] = [settingsIn(before, syntax), settingsIn(after, syntax)];
    if (now.length === 0) return [];
    const both = { base: scripts(base), now: scripts(now) };
    const lost = isPackage ? lessChecked(path, both, commands) : [];
    return [...lost, ...lineAlarms(path, both.base, both.now)];
  });
}

function lessChecked(
  path: string,
  { base, now }: Omit<Both, "isRun">,
  commands: readonly string[],
): readonly Alarm[] {
  const run = commands.flatMap((command) => scriptNames(stepsOf(command)));
  const isRun = run.some((name) => base.has(name));
  return [...base.keys()]
    .filter((name) => (isRun ? run.includes(name) : isChecking(name, base)))
    .flatMap((name) => lessReached(path, name, { base, now, isRun }));
}

function scriptsIn(settings: readonly Setting[]): Scripts {
  const found = settings.filter(({ path }) => path.startsWith("scripts."));
  return new Map(found.map((setting) => [setting.path.slice(8), setting] as const));
}

function optionsIn(settings: readonly Setting[]): Scripts {
  const found = settings.filter(({ path }) => /pytest(?:\.ini_options)?\.addopts$/.test(path));
  return new Map(
    found.map((setting) => {
      const value = `pytest ${setting.value.replace(/[\s,"'[\]]+/g, " ")}`;
      return ["addopts", { ...setting, value }] as const;
    }),
  );
}

function isChecking(name: string, scripts: Scripts): boolean {
  return CHECK_NAME.test(name) || stepsOf(scripts.get(name)?.value ?? "").some(isCheck);
}

function scriptNames(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ tool }) => (tool.startsWith("script:") ? [tool.slice(7)] : []));
}

interface Both {
  readonly base: Scripts;
  readonly now: Scripts;
  /** It is known which scripts the gates run, so a check that moved elsewhere is no longer run. */
  readonly isRun: boolean;
}

function lessReached(path: string, name: string, { base, now, isRun }: Both): readonly Alarm[] {
  const others = [...now.keys()].filter((other) => !base.has(other));
  // A new script may have taken a check over; one that no gate runs has not.
  const names = isRun ? [name] : now.has(name) ? [name, ...others] : [...now.keys()];
  const kept = new Set(names.flatMap((each) => toolsFrom(each, now)).map(purposeOf));
  const lost = toolsFrom(name, base).filter((tool) => !kept.has(purposeOf(tool)));
  if (lost.length === 0) return [];
  const what = now.has(name) ? "no longer runs" : "was removed; it ran";
  const detail = `script ${JSON.stringify(name)} ${what} ${lost.join(", ")}`;
  return [{ kind: "gate-weakened", path, detail, line: now.get(name)?.line ?? null }];
}

const DEPTH_MAX = 6;
const SCRIPTS_MAX = 100;

/** The checks that a script comes to run, through whatever other scripts. */
function toolsFrom(name: string, scripts: Scripts): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  let names: readonly string[] = [name];
  for (let depth = 0; depth < DEPTH_MAX && names.length > 0; depth++) {
    const steps = names
      .flatMap((each) => [`pre${each}`, each, `post${each}`])
      .flatMap((each) => stepsOf(scripts.get(each)?.value ?? ""));
    for (const step of steps)
      if (isCheck(step) && !step.tool.startsWith("script:")) found.add(step.tool);
    names = referred(steps, scripts)
      .filter((each) => !seen.has(each))
      .slice(0, SCRIPTS_MAX);
    for (const each of names) seen.add(each);
  }
  return [...found];
}

/** Scripts that steps run by name, also through `npm-run-all` and its like. */
function referred(steps: readonly Step[], scripts: Scripts): readonly string[] {
  const direct = scriptNames(steps);
  const many = steps
    .filter(({ tool }) =>
      /^(?:npm-run-all2?|run-s|run-p|concurrently|wireit|turbo run|nx run)/.test(tool),
    )
    .flatMap(({ args }) => args.map((arg) => arg.replace(/["']/g, "").replace(/^npm:/, "")))
    .flatMap((arg) => {
      const prefix = arg.endsWith("*") ? arg.slice(0, arg.indexOf("*")) : null;
      return [...scripts.keys()].filter(
        (name) => name === arg || (prefix !== null && name.startsWith(prefix)),
      );
    });
  return [...direct, ...many];
}

// ---- the same script, line against line ---------------------------------------------------------

function lineAlarms(path: string, base: Scripts, now: Scripts): readonly Alarm[] {
  return [...now].flatMap(([name, { value, line }]) => {
    const old = base.get(name)?.value;
    if (old === undefined || old === value) return [];
    const words = name === "addopts" ? "addopts" : `script ${JSON.stringify(name)}`;
    return [...softened(old, value), ...limits(old, value), ...narrowed(old, value)].map(
      ([kind, detail]) => ({ kind, path, detail: `${words} ${detail}`, line }),
    );
  });
}

type Finding = readonly [
  kind: "gate-weakened" | "threshold-loosened" | "test-excluded",
  detail: string,
];

function softened(base: string, now: string): readonly Finding[] {
  const softener = softenerIn(now);
  if (softener === null || softenerIn(base) !== null) return [];
  return [["gate-weakened", `can no longer fail: ${softener}`]];
}

/** More warnings are looser; of all others less is. */
const LIMIT =
  /--((?:cov-)?fail-under|lines|branches|functions|statements|(?:coverage\.)?thresholds?\.\w{1,20}|max-warnings)[=\s]\s{0,9}(\d{1,6})/g;

function limits(base: string, now: string): readonly Finding[] {
  const left = [...now.matchAll(LIMIT)];
  return [...base.matchAll(LIMIT)].flatMap(([had, option = "", was]): readonly Finding[] => {
    const [has, , is] = left.find(([, other]) => other === option) ?? [];
    if (has === undefined)
      return stepsOf(now).some(isCheck) && hasSameTool(base, now)
        ? [["threshold-loosened", `no longer has ${had}`]]
        : [];
    const isLooser = (Number(is) - Number(was)) * (option === "max-warnings" ? 1 : -1) > 0;
    return isLooser ? [["threshold-loosened", `has ${has}, had ${had}`]] : [];
  });
}

function hasSameTool(base: string, now: string): boolean {
  const tools = new Set(stepsOf(base).map(({ tool }) => tool));
  return stepsOf(now).some(({ tool }) => tools.has(tool));
}

function narrowed(base: string, now: string): readonly Finding[] {
  const steps = stepsOf(now);
  return steps.flatMap((step): readonly Finding[] => {
    const [was, ...more] = stepsOf(base).filter(({ tool }) => tool === step.tool);
    const isSplit = steps.filter(({ tool }) => tool === step.tool).length > 1;
    if (!isCheck(step) || was === undefined || more.length > 0 || isSplit) return [];
    if (!isNarrower(was.args, step.args)) return [];
    const texts = [step, was].map(({ text }) => text.slice(0, 100));
    return [["test-excluded", `runs less: ${texts.join(", was ")}`]];
  });
}
