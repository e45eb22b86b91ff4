// What did the agent do with checks that are lost or changed, in what words is that told, and why did it?

import type { ChangedCheck } from "../model/decision.ts";
import type { Evidence, Integrity, TestFile } from "../model/evidence.ts";
import { titleOf, type Comparison } from "../model/verdict.ts";
import type { AgentReport } from "../model/report.ts";

export type LostCheck = Omit<ChangedCheck, "file" | "count">;

export type Compared = Extract<Comparison, { kind: "compared" }>;

/** Without the tests inside of a source of Rust that are gone with it, and are among those that pass where it went. */
export function withoutMoved(
  compared: Compared | null,
  passing: readonly string[],
  files: readonly TestFile[],
): Compared | null {
  if (compared === null) return null;
  const { count, names: all } = compared.gone;
  const isIn = (check: string, path: string | null): boolean =>
    `::${check}`.includes(`::${/([^/]+?)(?:\/mod)?\.rs$/.exec(path ?? "")?.[1]}::`);
  const names = all.filter((check) => {
    const alike = passing.filter((one) => titleOf(one) === titleOf(check));
    return !files.some(({ path, to }) => isIn(check, path) && alike.some((one) => isIn(one, to)));
  });
  return { ...compared, gone: { count: count - all.length + names.length, names } };
}

export function isLostIn({ gone, skipped, broken }: Compared, check: string): boolean {
  const lists = [gone, skipped, broken];
  const isNamed = lists.some(({ names }) => names.includes(check));
  return isNamed || lists.some(({ count, names }) => count > names.length);
}

/** Stands for all of them where the runner names none. */
export function unnamed(count: number, gate: string): string {
  return `${count} checks of ${gate}`;
}

const UNNAMED = /^(\d+) checks of /;

/** Worst first, each once with the file that it stood in; those that went with their file are one. */
export function byFile(lost: readonly LostCheck[], integrity: Integrity): readonly ChangedCheck[] {
  const tests = integrity.kind === "checked" ? integrity.tests : [];
  const each = new Map(lost.map((one) => [[one.how, one.check, one.reason].join("\n"), one]));
  const changed = new Map<string, ChangedCheck>();
  for (const [name, one] of each) {
    const file = fileOf(one.check, tests);
    const key = isWhole({ ...one, file }) ? [one.how, file?.path, one.reason].join("\n") : name;
    const count = (changed.get(key)?.count ?? 0) + Number(UNNAMED.exec(one.check)?.[1] ?? 1);
    changed.set(key, { ...(changed.get(key) ?? one), file, count });
  }
  const order = Object.keys(HOW);
  return [...changed.values()].toSorted((a, b) => order.indexOf(a.how) - order.indexOf(b.how));
}

/** Where several may be meant, none is. */
function fileOf(check: string, tests: readonly TestFile[]): ChangedCheck["file"] {
  const isUnnamed = UNNAMED.test(check);
  const [one, ...others] = tests.filter(({ checks }) => isUnnamed || checks.includes(check));
  const isOpen = others.length > 0 || (isUnnamed && one?.how === "edited");
  return one === undefined || isOpen ? null : { path: one.path, how: one.how, to: one.to };
}

/** Not one check of it was dealt with, but all of the file. */
function isWhole({ how, file }: Pick<ChangedCheck, "how" | "file">): boolean {
  return (how === "gone" || how === "replaced") && file !== null && file.how !== "edited";
}

/** What was done, and what follows; worst first. */
const HOW = {
  "fails-as-it-was": ["changed", "; as it was before the work, it fails"],
  "turned-elsewhere": ["turned green", "; it is green even with the sources as they were"],
  gone: ["removed", ", which passed before the work"],
  skipped: ["skipped", ", which passed before the work"],
  replaced: ["replaced", "; as it was before the work, it still passes"],
} as const satisfies Record<ChangedCheck["how"], readonly [verb: string, follows: string]>;

/** `skipped "adds two" in test/a.test.js, which passed before the work (the agent says: …)`. */
export function changedWords(changed: ChangedCheck): string {
  const { how, reason } = changed;
  return `${deed(changed)}${HOW[how][1]}${reason === null ? "" : ` (the agent says: ${reason})`}`;
}

function deed({ gate, check, how, file, count }: ChangedCheck): string {
  const [verb] = HOW[how];
  if (check === gate) return `${verb} what ${gate} checks`;
  const name = UNNAMED.test(check) ? check : `"${check}"`;
  // Settings may leave a check out, too.
  if (file === null) return `${how === "gone" ? "lost" : verb} ${name}`;
  const to = file.to === null ? "" : ` to ${file.to}`;
  if (isWhole({ how, file }))
    return `${file.how} ${file.path}${to} (${count === 1 ? "1 test" : `${count} tests`})`;
  const inFile = name.replace(/^"\S+\.\w+(?: [>›] |::)/, '"');
  const where = how === "gone" ? "from" : how === "turned-elsewhere" ? "by" : "in";
  return `${verb} ${inFile} ${where} ${file.path}`;
}

const REASON_NAME_MIN = 4;

/** Of a gate without a count it is enough to name it, or one thing it says: it lists no checks. */
export function explainsFailing(evidence: Evidence, report: AgentReport | null): boolean {
  const red = evidence.gates.flatMap(({ name, required, verdict, counts }) =>
    required && verdict.kind === "failed" ? [{ name, findings: verdict.findings, counts }] : [],
  );
  return red.every(({ name, findings, counts }) => {
    const isExplained = (check: string): boolean =>
      reasonFor({ gate: name, check, how: null }, evidence, report) !== null;
    const checks = findings.map(({ check }) => check);
    return counts === null
      ? [name, ...checks].some(isExplained)
      : checks.length >= counts.failed && checks.every(isExplained);
  });
}

/**
 * The agent may name a check, or a file of checks that it changed; in any attempt so far. Of a check that something
 * else than the product turned it may name that. Of a gate that names no checks it may name the gate, or one in the output.
 */
export function reasonFor(
  { gate, check, how }: Pick<LostCheck, "gate" | "check"> & { how: LostCheck["how"] | null },
  { reasons, originals, control }: Evidence,
  report: AgentReport | null,
): string | null {
  const { putBack, gates } = originals.kind === "made" ? originals : { putBack: [], gates: [] };
  const output = check === gate ? gates.find(({ name }) => name === gate)?.excerpt : undefined;
  const plainCheck = plain(check);
  const printed = plain(output ?? "");
  const files = how === "turned-elsewhere" && control.kind === "made" ? control.left : putBack;
  const isFile = (name: string): boolean =>
    files.some((path) => path === name || path.endsWith(`/${name}`));
  const about = [...(report?.changedChecks ?? []), ...reasons].find(({ check: name }) => {
    if (name === gate) return check === gate || UNNAMED.test(check);
    const plainName = plain(name);
    const isIn = plainCheck.includes(plainName) || printed.includes(plainName);
    const fits = plainName.length >= REASON_NAME_MIN && (isIn || plainName.includes(plainCheck));
    return plainCheck === plainName || fits || isFile(name.trim());
  });
  return about?.reason ?? null;
}

/** Runners and their reports write the same name with other marks, and with or without the file's ending. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.[cm]?(?:[jt]sx?|py|rb|go|rs|php)\b/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
