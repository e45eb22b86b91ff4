// How well is finished work proven, and which checks speak against it?

import { firstOf } from "../model/excerpt.ts";
import { checkedNothing, findingsIn, titleOf } from "../model/verdict.ts";
import type { Comparison, Named, GateResult, Verdict } from "../model/verdict.ts";
import type { ChangedCheck, Grade } from "../model/decision.ts";
import type { Evidence } from "../model/evidence.ts";
import type { AgentReport } from "../model/report.ts";
import { allowsCheck, disputed, type AllowRule } from "../model/alarm.ts";
import { byFile, isLostIn, reasonFor, unnamed, withoutMoved } from "./lost-checks.ts";
import type { Compared, LostCheck } from "./lost-checks.ts";

export interface Proof {
  /** What the work earns where it is accepted. */
  readonly grade: Grade;
  /** Why it is "not-verified"; null: it is better than that. */
  readonly unproven: string | null;
  /** Red before the work, and red as they were then: what is green now is not what was asked for. */
  readonly refused: readonly string[];
  /** Passed before the work, and are gone, skipped, or fail as they were; without what the task allows. */
  readonly changed: readonly ChangedCheck[];
}

/** Of work whose required gates are all green. `allow` is the task's. */
export function proofOf(
  evidence: Evidence,
  report: AgentReport | null,
  allow: readonly AllowRule[],
): Proof {
  const gates = evidence.gates.flatMap((gate) => (gate.required ? [provenBy(gate, evidence)] : []));
  const changes = gates.flatMap(changedIn);
  const lost = changes
    .filter(
      ({ check, how }) =>
        !allowsCheck(allow, EDITED.has(how) ? "checks-changed" : "checks-lost", check),
    )
    .map((one) => ({ ...one, reason: reasonFor(one, evidence, report) }));
  const isBeside = evidence.unheld.length > 0;
  const unproven = whyUnproven(evidence, gates);
  const isTurned = evidence.control.kind === "not-known" || gates.some(hasTurned);
  const { integrity } = evidence;
  // Files that the task names and that are nowhere, whatever the report says of them.
  const notes = integrity.kind === "checked" ? disputed(integrity.notes, allow) : [];
  const isWhole = !notes.some(({ kind }) => kind === "named-file-absent");
  const whole = isTurned && isWhole ? "proven" : "nothing-broke";
  const best = changes.length > 0 ? "proven-checks-changed" : whole;
  return {
    grade: unproven === null ? best : "not-verified",
    unproven,
    refused: isBeside
      ? []
      : gates.flatMap((gate) => [...refusedBy(gate, allow), ...unshown(gate, evidence, report)]),
    changed: byFile(lost, integrity).map((one) =>
      one.how === "turned-elsewhere" ? { ...one, file: turnedBy(evidence) } : one,
    ),
  };
}

/** All that was changed beside the product may have. */
function turnedBy({ control }: Evidence): ChangedCheck["file"] {
  const left = control.kind === "made" ? control.left : [];
  return left.length === 0 ? null : { path: firstOf(left, LISTED_MAX), how: "edited", to: null };
}

const EDITED: ReadonlySet<ChangedCheck["how"]> = new Set(["fails-as-it-was", "turned-elsewhere"]);

/** One gate as it was on the base, is now, and says of the original checks. */
interface ProvingGate {
  readonly name: string;
  readonly now: GateResult;
  readonly base: GateResult | null;
  /** null: it was not run with the original checks. */
  readonly copy: GateResult | null;
  /** The base against now; null: one of them names and counts nothing. */
  readonly since: Compared | null;
  /** The base against the original checks. */
  readonly original: Compared | null;
  /** Now against the same checks on the product as it was; null: it was not run so. */
  readonly control: Compared | null;
  readonly isRedWithout: boolean;
  /** Else what was red on the base, and is green there, was turned by what no commit holds. */
  readonly isBesideProduct: boolean;
  /** They could not be run, which the grade tells. */
  readonly isUnknown: boolean;
  /** The work added no check, and edited no test. */
  readonly hasOldChecks: boolean;
}

type CheckChange = Omit<LostCheck, "reason">;

function provenBy(now: GateResult, evidence: Evidence): ProvingGate {
  const { name } = now;
  const { comparisons, originals, control, baseline, integrity } = evidence;
  const named = (gate: { readonly name: string }): boolean => gate.name === name;
  const made = originals.kind === "made" ? originals : null;
  const without = control.kind === "made" ? control : null;
  const [was, then] = [comparedIn(comparisons, name), comparedIn(made?.comparisons ?? [], name)];
  const passing = (then ?? was)?.added.names ?? [];
  const tests = integrity.kind === "checked" ? integrity.tests : [];
  const since = withoutMoved(was, passing, tests);
  return {
    name,
    now,
    base: baseline.find(named) ?? null,
    copy: made?.gates.find(named) ?? null,
    since,
    original: withoutMoved(then, passing, tests),
    control: comparedIn(without?.comparisons ?? [], name),
    isBesideProduct: without?.isBase === false,
    isRedWithout: without?.gates.find(named)?.verdict.kind === "failed",
    isUnknown: originals.kind === "not-made",
    hasOldChecks: tests.length === 0 && since?.added.count === 0,
  };
}

function comparedIn(all: readonly Comparison[], gate: string): Compared | null {
  return all.find((one): one is Compared => one.kind === "compared" && one.gate === gate) ?? null;
}

/** Red before the work and green now, or new; and red without the work. Where no check is named, the gate is one. */
function hasTurned({ base, since, control, isRedWithout }: ProvingGate): boolean {
  const turned = since === null ? [] : [...since.mended.names, ...since.added.names];
  // A test inside of a product's source is not there without it, and that says nothing.
  if (control !== null) return isRedWithout && turned.some((check) => isLostIn(control, check));
  const isMended = base?.verdict.kind === "failed" || (since?.mended.count ?? 0) > 0;
  return isMended || (isRedWithout && turned.length > 0);
}

/** Were red before the work, and would be green without it. */
function greenWithout({ since, control }: ProvingGate): readonly string[] {
  if (since === null || control === null) return [];
  return since.mended.names.filter((check) => !isLostIn(control, check));
}

function changedIn(gate: ProvingGate): readonly CheckChange[] {
  const { name, since, original, base, copy, isUnknown } = gate;
  const entries = ({ count, names }: Named, how: CheckChange["how"]): readonly CheckChange[] => {
    // Where a runner names no checks, how many there are stands for all of them.
    const checks = count > 0 && names.length === 0 ? [unnamed(count, name)] : names;
    return checks.map((check) => ({ gate: name, check, how }));
  };
  const missing = since === null ? [] : entries(since.gone, "gone");
  const titles = new Set(since?.added.names.map(titleOf));
  for (const { check } of findingsIn(copy)) titles.delete(titleOf(check));
  // Where one of its title passes, and it cannot be loaded as it was, the grade tells that.
  const isUnloaded = (check: string): boolean =>
    titles.has(titleOf(check)) && original?.gone.names.includes(check) === true;
  const lostThere = missing.filter(({ check }) =>
    original === null ? !isUnknown : isLostIn(original, check) && !isUnloaded(check),
  );
  // As it was it still passes, as far as that is known: moved where one of its title is new, or else
  // another one is in its place, which is listed.
  const isReplaced = (since?.gone.count ?? 0) - lostThere.length <= (since?.added.count ?? 0);
  const passing = missing
    .filter((one) => !lostThere.includes(one) && !titles.has(titleOf(one.check)))
    .map((one): CheckChange => (isReplaced ? { ...one, how: "replaced" } : one));
  const skipped = since === null ? [] : entries(since.skipped, "skipped");
  const gone = [...lostThere, ...passing, ...skipped];
  const failing = original === null ? [] : entries(original.broken, "fails-as-it-was");
  const listed = new Set(gone.map(({ check }) => check));
  const whole = isGreen(base) ? redAsWhole(gate) : [];
  return [
    ...(gate.isBesideProduct ? greenWithout(gate) : []).map(
      (check) => ({ gate: name, check, how: "turned-elsewhere" }) as const,
    ),
    ...gone,
    ...failing.filter(({ check }) => !listed.has(check)),
    ...whole.map((check) => ({ gate: name, check, how: "fails-as-it-was" }) as const),
  ];
}

/**
 * What fails where it is red with the original checks, and none of them is: checks that another runner names, else the
 * gate: it names none, or holds a limit, as on coverage, that the work must keep where it brought no checks of its own.
 */
function redAsWhole({ name, copy, base, original, hasOldChecks }: ProvingGate): readonly string[] {
  if (copy?.verdict.kind !== "failed") return [];
  if (original === null) return base?.counts ? [] : [name];
  const { gone, broken, stillFailing } = original;
  if ([gone, broken, stillFailing].some(({ count }) => count > 0)) return [];
  const others = findingsIn(copy).flatMap(({ check }) => (check === name ? [] : [check]));
  if (copy.counts?.failed === 0 && others.length > 0) return others;
  return hasOldChecks ? [name] : [];
}

function isGreen(gate: { readonly verdict: Verdict } | null): boolean {
  return gate?.verdict.kind === "passed";
}

/** "test: still fails with its checks as they were before the work: adds two numbers". */
function refusedBy(gate: ProvingGate, allow: readonly AllowRule[]): readonly string[] {
  const { name, now, base, copy, original, since, isUnknown } = gate;
  // A gate that counts its checks only now had none before the work.
  const isFirst = base?.counts === null && now.counts !== null;
  const measured = copy === null && !isUnknown ? since : original;
  if (measured !== null) {
    const { count, names } = measured.stillFailing;
    const open = names.filter((check) => !allowsCheck(allow, "checks-changed", check));
    // Names are bounded: those that are not told are still open.
    const left = count - (names.length - open.length);
    if (left === 0) return !isGreen(base) && redAsWhole(gate).length > 0 ? [stillFails(name)] : [];
    const which =
      names.length === 0 ? `${count} of its checks` : firstOf(open, LISTED_MAX, { count: left });
    return [`${stillFails(name)}: ${which}`];
  }
  if (copy === null) return [];
  const isUncounted = copy.verdict.kind === "passed" && copy.counts === null;
  // Where checks were counted and it fails without any, it may be that they are not built any more,
  // after something was renamed: that says nothing of the work.
  if (base?.counts)
    return isUncounted ? [`${name}: its runner does not report the original checks`] : [];
  const isRed = copy.verdict.kind === "failed" && base?.verdict.kind === "failed" && !isFirst;
  return isRed ? [stillFails(name)] : [];
}

/** What was red, and cannot be run as it was then: that it is mended is not known. */
function unshown(
  { name, base, since, copy, original }: ProvingGate,
  evidence: Evidence,
  report: AgentReport | null,
): readonly string[] {
  if (base?.verdict.kind !== "failed" || copy?.verdict.kind !== "failed") return [];
  const open = since?.mended.names.filter(
    (check) =>
      original?.mended.names.includes(check) !== true &&
      original?.stillFailing.names.includes(check) !== true &&
      reasonFor({ gate: name, check, how: null }, evidence, report) === null,
  );
  if (open === undefined || open.length === 0) return [];
  const which = firstOf(open, LISTED_MAX);
  return [`${name}: cannot be run as it was before the work, when it failed: ${which}`];
}

function stillFails(gate: string): string {
  return `${gate}: still fails with its checks as they were before the work`;
}

const LISTED_MAX = 5;

/** After the name of a gate, or of several. */
export const BLIND = "says the same of sources that nothing can read";

/** Of a gate that is too long for a trial. */
export const UNTRIED =
  "takes too long to be tried on sources that nothing can read: `orch doctor --deep` does that";

export const UNHEEDING = "passes although a check that must fail was added";

function whyUnproven(
  { unheld, originals, inTree, stale, elsewhere, unheeding }: Evidence,
  gates: readonly ProvingGate[],
): string | null {
  const beside = unheld.map(({ path }) => path);
  if (beside.length > 0)
    return `measured with ${firstOf(beside, LISTED_MAX)}, which no commit holds`;
  if (inTree) return "measured in the agent's tree";
  if (stale !== null) return stale;
  // Of a file that is there nothing was known before.
  const compared = gates.filter(({ base }) => base !== null);
  if (compared.length > 0 && compared.every(({ name }) => elsewhere.includes(name)))
    return `${firstOf(elsewhere, LISTED_MAX)} ${BLIND}, so no gate looks at the work`;
  if (unheeding.length > 0) return `${firstOf(unheeding, LISTED_MAX)} ${UNHEEDING}`;
  if (originals.kind === "not-made")
    return `the original checks could not be run: ${originals.why}`;
  for (const gate of gates) {
    const { name, now, base, copy } = gate;
    const [green] = gate.isBesideProduct ? [] : greenWithout(gate);
    if (green !== undefined)
      return `what ${name} says of one commit changed in the meantime: ${green} failed, and passes`;
    if (base !== null && checkedNothing(base))
      return `${name} checked nothing before the work, so every check of it is new`;
    if (copy !== null && base?.counts === null && now.counts !== null && !isGreen(copy))
      return `${name} counted no check before the work`;
    if (copy !== null && base?.counts && isIncomplete(gate, copy))
      return `${name} no longer runs its original checks: ${firstWords(copy)}`;
    if (base?.verdict.kind === "unknown")
      return `${name} could not be run before the work: ${base.verdict.detail}`;
    if (copy?.verdict.kind === "unknown")
      return `${name} could not be run with the original checks: ${copy.verdict.detail}`;
  }
  return null;
}

/** Checks that passed are not made there, or none is. */
function isIncomplete({ original }: ProvingGate, { verdict }: GateResult): boolean {
  return original === null ? verdict.kind === "failed" : original.gone.count > 0;
}

function firstWords(gate: GateResult): string {
  const [first] = findingsIn(gate);
  return first === undefined ? "some are gone" : `${first.check}: ${first.message}`;
}
