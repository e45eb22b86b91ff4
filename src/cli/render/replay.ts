// Which decisions of a recorded run differ, and what would that have changed?

import { assertNever } from "../../core/model/assert.ts";
import { excerpt, inert } from "../../core/model/excerpt.ts";
import type { Reasoned, Replayed } from "../../core/views/replay.ts";
import type { Amount, ReplaySum, TaskSum } from "../../core/views/replay-sum.ts";
import type { Style } from "../io.ts";
import { decisionWords } from "./decision.ts";
import { cost, dotted, money, paint, plural, wrap } from "./text.ts";

export interface ReplayedRun {
  readonly run: string;
  readonly decisions: readonly Replayed[];
  readonly sum: ReplaySum;
  /** The versions of orch that wrote the log. */
  readonly writtenBy: readonly string[];
  /** The version that decides now. */
  readonly version: string;
}

export interface ReplayShown {
  readonly replays: readonly ReplayedRun[];
  /** What is laid over the recorded policy; empty: nothing is, the rules are checked. */
  readonly chosen: readonly {
    readonly key: string;
    readonly value: unknown;
    readonly from: string;
  }[];
  /** Also the decisions that do not differ. */
  readonly all: boolean;
}

const REASON_CHARS_MAX = 240;
const HYPOTHETICAL = "~";

/** For programs: every decision, whether it differs or not. */
export function replaysForPrograms({ replays, chosen }: ReplayShown) {
  return {
    policy: chosen,
    reproduced: replays.every(({ sum }) => sum.byRules === 0),
    runs: replays.map(({ run, writtenBy, version, sum, decisions }) => ({
      run,
      writtenBy,
      version,
      sum,
      decisions,
    })),
  };
}

export function renderReplays(shown: ReplayShown, style: Style): string {
  const runs = shown.replays.map((one) => runLines(one, shown, style).join("\n"));
  const many = shown.replays.length > 1 ? [totalLines(shown, style).join("\n")] : [];
  return [...runs, ...many].join("\n\n");
}

function runLines(one: ReplayedRun, shown: ReplayShown, style: Style): readonly string[] {
  const { run, decisions, sum } = one;
  const listed = decisions.filter((each) => shown.all || isListed(each, shown));
  const heading = wrap(`run ${run}`, style.columns);
  if (decisions.length === 0) return [paint(style, "strong", heading), "nothing was decided yet"];
  return [
    paint(style, "strong", heading),
    ...underLines(shown, style),
    ...headlines(one, shown, style),
    ...listed.flatMap((each) => ["", ...decisionLines(each, one, shown, style)]),
    ...(sum.byPolicy === 0 ? [] : ["", ...sumLines(sum, style)]),
  ];
}

/** Without another policy only the rules can make a difference. */
function isListed({ byRules, byPolicy }: Replayed, { chosen }: ReplayShown): boolean {
  return byRules === "differs" || (chosen.length > 0 && byPolicy === "differs");
}

function underLines({ chosen }: ReplayShown, style: Style): readonly string[] {
  if (chosen.length === 0) return [];
  const words = chosen.map(({ key, value, from }) => {
    const text = `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`;
    return from.startsWith("--") ? text : `${text} (${from})`;
  });
  return [paint(style, "quiet", wrap(inert(`under ${words.join(", ")}`), style.columns, "", "  "))];
}

function headlines(one: ReplayedRun, shown: ReplayShown, style: Style): readonly string[] {
  const { sum, writtenBy, version } = one;
  const all = plural(sum.decisions, "decision");
  const said = (tone: "good" | "attention", text: string): string =>
    paint(style, tone, wrap(text, style.columns, "", "  "));
  const others =
    sum.otherWords === 0
      ? ""
      : `, ${sum.otherWords} of them in other words: the decision is the same`;
  const rules =
    sum.byRules === 0
      ? []
      : [
          said(
            "attention",
            `${sum.byRules} of ${all} ${sum.byRules === 1 ? "is" : "are"} not what these rules decide: the log was written by other rules (by orch ${writtenBy.join(", ")}; this is ${version})`,
          ),
        ];
  if (shown.chosen.length === 0)
    return sum.byRules > 0 ? rules : [said("good", `${all}, all as recorded${others}`)];
  const tasks = plural(sum.tasks.length, "task");
  return [
    ...rules,
    sum.byPolicy === 0
      ? said("good", `${all}, none differs`)
      : said(
          "attention",
          `${sum.byPolicy} of ${all} ${sum.byPolicy === 1 ? "differs" : "differ"}, in ${tasks}`,
        ),
  ];
}

function decisionLines(
  each: Replayed,
  { sum }: ReplayedRun,
  shown: ReplayShown,
  style: Style,
): readonly string[] {
  const { recorded, again, other, byRules, byPolicy } = each;
  const place = dotted([
    each.task,
    each.step,
    `attempt ${each.attempt}`,
    each.plan > 1 ? `plan ${each.plan}` : null,
  ]);
  const mark = each.hypothetical && byPolicy === "differs" ? `${HYPOTHETICAL} ` : "";
  const turn = sum.tasks.find((task) => task.turn?.seq === each.seq);
  const isChosen = shown.chosen.length > 0;
  return [
    paint(style, "strong", wrap(`${mark}${place}`, style.columns, "", "  ")),
    labelled("recorded", decisionWords(recorded.decision), style),
    ...(byRules === "differs" ? reasonedLines(isChosen ? "rules" : "instead", again, style) : []),
    ...(byPolicy === "differs" ? reasonedLines("instead", other, style) : []),
    ...(turn === undefined ? [] : [labelled("then", turnWords(turn), style)]),
  ];
}

function reasonedLines(label: string, { decision, evidence }: Reasoned, style: Style) {
  const [reason] = evidence;
  return [
    labelled(label, decisionWords(decision), style),
    ...(reason === undefined
      ? []
      : [labelled("because", excerpt(reason, REASON_CHARS_MAX), style)]),
  ];
}

/** What the difference would have meant for the task, in one sentence. */
function turnWords({ turn, saved, moreSessions, end }: TaskSum): string {
  if (turn === null) return "";
  const spent =
    saved.sessions === 0 ? "nothing was spent after it" : `${amount(saved)} were spent after it`;
  const outcome = end === "done" && turn.to !== "completes" ? "; the task got done by that" : "";
  switch (turn.to) {
    case "goes-on":
      return moreSessions > 0
        ? "the task would have gone on: at least one session more"
        : "the task would have gone on without stopping";
    case "asks":
      return `a person would have been asked; ${spent}${saved.sessions === 0 ? "" : outcome}`;
    case "put-off":
      return `the task would have been put off; ${spent}${saved.sessions === 0 ? "" : outcome}`;
    case "completes":
      return `the task would have been complete; ${spent}`;
    case "ends":
      return `the task would have ended; ${spent}${outcome}`;
    default:
      return assertNever(turn.to, "course");
  }
}

type Totals = Pick<ReplaySum, "saved" | "savedByPausing" | "more" | "asked" | "hypothetical">;

function sumLines(sum: Totals, style: Style): readonly string[] {
  const { saved, savedByPausing, more, asked, hypothetical } = sum;
  const guess =
    more.costUsdEstimate === null
      ? "cost unknown"
      : `about ${money(more.costUsdEstimate)}, at the median of the run's sessions`;
  const note = `${HYPOTHETICAL} after the first difference of its task: this attempt might never have been`;
  return [
    paint(style, "strong", "all in all"),
    labelled("saved", savedWords(saved, savedByPausing), style),
    labelled(
      "spent",
      more.sessions === 0
        ? "nothing more that the log can tell"
        : `at least ${plural(more.sessions, "session")} more (estimate: ${guess})`,
      style,
    ),
    labelled("asked", `${asked.more} more, ${asked.fewer} fewer`, style),
    ...(hypothetical === 0 ? [] : [paint(style, "quiet", wrap(note, style.columns, "", "  "))]),
  ];
}

/** Never more than this: what was not spent in one way might have been spent in another. */
function savedWords(saved: Amount, byPausing: Amount): string {
  if (saved.sessions === 0) return "nothing that the log can tell";
  const until = "until a person answers or a limit resets";
  if (byPausing.sessions === 0) return `at most ${amount(saved)}`;
  return byPausing.sessions === saved.sessions
    ? `at most ${amount(saved)}, ${until}`
    : `at most ${amount(saved)}; of that ${amount(byPausing)} ${until}`;
}

function totalLines({ replays, chosen }: ReplayShown, style: Style): readonly string[] {
  const sums = replays.map(({ sum }) => sum);
  const count = (of: (sum: ReplaySum) => number): number =>
    sums.reduce((total, sum) => total + of(sum), 0);
  const title = `${plural(replays.length, "run")}, ${plural(
    count((sum) => sum.decisions),
    "decision",
  )}`;
  const byRules = count((sum) => sum.byRules);
  const facts = dotted([
    chosen.length === 0 ? null : `by the policy ${differ(count((sum) => sum.byPolicy))}`,
    `by the rules ${differ(byRules)}`,
  ]);
  const estimates = sums.filter(({ more }) => more.sessions > 0).map(({ more }) => more);
  const isKnown = estimates.every(({ costUsdEstimate }) => costUsdEstimate !== null);
  return [
    paint(style, "strong", wrap(title, style.columns)),
    wrap(facts, style.columns, "", "  "),
    ...(count((sum) => sum.byPolicy) === 0
      ? []
      : sumLines(
          {
            saved: amounts(sums.map(({ saved }) => saved)),
            savedByPausing: amounts(sums.map(({ savedByPausing }) => savedByPausing)),
            more: {
              sessions: count((sum) => sum.more.sessions),
              costUsdEstimate: isKnown ? count((sum) => sum.more.costUsdEstimate ?? 0) : null,
            },
            asked: {
              more: count((sum) => sum.asked.more),
              fewer: count((sum) => sum.asked.fewer),
            },
            hypothetical: 0,
          },
          style,
        )),
  ];
}

function differ(count: number): string {
  if (count === 0) return "none differs";
  return count === 1 ? "1 differs" : `${count} differ`;
}

function amounts(all: readonly Amount[]): Amount {
  return {
    sessions: all.reduce((sum, one) => sum + one.sessions, 0),
    costUsd: all.reduce((sum, one) => sum + one.costUsd, 0),
    costUnknown: all.some((one) => one.costUnknown),
  };
}

function amount(of: Amount): string {
  return `${plural(of.sessions, "session")} and ${cost(of)}`;
}

function labelled(label: string, text: string, style: Style): string {
  const lead = `  ${label.padEnd(8)}  `;
  return wrap(inert(text), style.columns, lead, " ".repeat(lead.length));
}
