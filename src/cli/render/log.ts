// How does a recorded event read as one line of a story?

import { clip, excerpt } from "../../core/model/excerpt.ts";
import type { Conflict, Recorded, RunEvent, Workspace } from "../../core/model/event.ts";
import { crossingWords, refusedWords, unusableWords } from "../../core/model/fence.ts";
import { troubleWords } from "../../core/run/merging.ts";
import { isLong } from "../../core/run/wanted.ts";
import { exitMeaning } from "../../core/model/exit-code.ts";
import { SIGNALS } from "../../core/model/signals.ts";
import type { Style } from "../io.ts";
import { dotted, paint, wrap } from "../layout.ts";
import { courseWords } from "./decision.ts";
import { endWords } from "./facts.ts";
import { endingWords } from "./live.ts";
import { MEASURED_ON, tellGate, type GateSentence } from "./gate.ts";
import { coachWords, findingWords, objectionsOf } from "../../core/model/coach.ts";
import { BLIND, UNHEEDING, UNTRIED } from "../../core/decide/proof.ts";
import { landedWords } from "./landing.ts";
import { agentWords, clock, duration, money, plural, STARTS } from "./text.ts";

type Events = { readonly [Type in RunEvent["type"]]: Extract<RunEvent, { type: Type }> };
type Tellers = {
  readonly [Type in keyof Events]: (event: Events[Type]) => GateSentence | null;
};

const LINE_CHARS_MAX = 300;

const strong = (text: string): GateSentence => ({ text, tone: "strong" });
const calm = (text: string): GateSentence => ({ text, tone: null });
const quiet = (text: string): GateSentence => ({ text, tone: "quiet" });
const urgent = (text: string): GateSentence => ({ text, tone: "attention" });

/**
 * Tells each event as a line with its time; null: nothing a person needs to read.
 *
 * On a terminal the story is indented: a task, its attempts, and what happened in each. Where tasks
 * work side by side, a line that is not of the task before it names its own. Elsewhere every line
 * names its place, so that one line found by a search says it all.
 */
export function createStory(style: Style): (recorded: Recorded) => string | null {
  let before = "";
  return (recorded) => {
    const line = renderEvent(recorded, style, before);
    if (line !== null) before = taskIn(recorded.event) || before;
    return line;
  };
}

/** `before`: the task that was told of last. */
function renderEvent({ event, at }: Recorded, style: Style, before: string): string | null {
  const sentence = tell(event.type, event);
  if (sentence === null) return null;
  const time = clock(at);
  const { place, indent } = style.wraps ? indented(event, before) : flat(event);
  const line = clip(`${place}${sentence.text}`, LINE_CHARS_MAX);
  const lead = " ".repeat(time.length + 2 + indent);
  const hanging = indent === 0 ? lead : `${lead}  `;
  const body = style.wraps ? wrap(line, style.columns, lead, hanging).slice(lead.length) : line;
  return `${paint(style, "quiet", time)}${" ".repeat(2 + indent)}${paint(style, sentence.tone, body)}`;
}

function flat(event: RunEvent) {
  const isInAttempt = "attempt" in event && event.attempt > 0;
  const place = isInAttempt ? `${event.task} ${event.step}/${event.attempt}` : taskIn(event);
  return { place: place === "" ? "" : `${place}: `, indent: 0 };
}

function indented(event: RunEvent, before: string) {
  const [task, { place, indent }] = [taskIn(event), below(event)];
  return task === "" || task === before || indent === 0
    ? { place, indent }
    : { place: `${task}: ${place}`, indent: 0 };
}

/** In the story of one task. */
function below(event: RunEvent) {
  if (event.type === "measured" && event.of === "base") return { place: "", indent: 2 };
  if (event.type === "session-started")
    return { place: `${event.step}, attempt ${event.attempt}: `, indent: 2 };
  const isOfPeople = ["question-asked", "answered", "person-spoke"].includes(event.type);
  if ("attempt" in event || isOfPeople) return { place: "", indent: 4 };
  return flat(event);
}

export function taskIn(event: RunEvent): string {
  if (event.type === "question-asked") return event.question.task;
  return "task" in event && typeof event.task === "string" ? event.task : "";
}

/** The two of a pair belong together, which the compiler sees in this form. */
function tell<Type extends keyof Events>(type: Type, event: Events[Type]): GateSentence | null {
  return TELLERS[type](event);
}

const TELLERS: Tellers = {
  "run-started": ({ run }) => strong(`run ${run}`),
  "run-resumed": ({ stopped }) =>
    strong(stopped === "killed" ? "resumed: the previous process was killed" : "resumed"),
  "settings-pinned": ({ changed }) => {
    const named = changed.length === 0 ? "" : `: ${excerpt(changed.join(", "), 200)}`;
    return urgent(`config and tasks were read again${named}`);
  },
  "level-changed": ({ level, by }) =>
    strong(`the interaction threshold is ${level} from here on (by ${by})`),
  "run-interrupted": ({ signal }) =>
    urgent(`stopped by ${signal === "stop" ? "you" : signal}; everything is kept`),
  "run-ended": ({ exitCode }) =>
    strong(`left with exit code ${exitCode}: ${exitMeaning(exitCode)}`),
  "task-defined": tellDefined,
  "task-change-refused": ({ paths }) => urgent(`alarm: ${refusedWords(paths)}`),
  "tasks-read": ({ unusable }) =>
    unusable.length === 0 ? null : urgent(`alarm: ${unusableWords(unusable)}`),
  // What begins here is told when it is through.
  "tree-planned": () => null,
  "tree-kept": ({ root }) => urgent(`its tree stays, with files that no commit holds: ${root}`),
  "conflicts-predicted": ({ conflicts }) =>
    conflicts.length === 0 ? null : urgent(conflicts.map(conflictWords).join("; ")),
  "tree-made": ({ notes }) => (notes.length === 0 ? null : quiet(notes.join("; "))),
  "merge-started": () => null,
  "merge-ended": tellMerge,
  "landing-started": ({ how, branch }) =>
    quiet(how === "merge" ? `merging into ${branch}` : "opening a pull request"),
  landed: ({ result }) => ({
    text: landedWords(result),
    tone: result.kind === "landed" ? "good" : "attention",
  }),
  "scope-crossed": ({ task: by, peer: into, paths }) =>
    urgent(`alarm: ${crossingWords({ by, into, paths })}`),
  "task-started": ({ workspace }) => strong(`started ${workspaceWords(workspace)}`),
  "task-weighed": tellSignals,
  "contest-decided": ({ ranking }) => strong(`the best of ${ranking.length} candidates`),
  "task-ended": ({ end }) => ({
    text: endWords(end),
    tone: end.kind === "done" ? "good" : end.kind === "outdone" ? null : "bad",
  }),
  // The session that carries it out says the rest.
  "attempt-started": ({ attempt, plan, role }) =>
    plan > 1
      ? calm(role === "plan" ? `plan ${plan} is made` : `attempt ${attempt}, plan ${plan}`)
      : null,
  "session-started": ({ agent, model, start }) =>
    calm(`${agentWords(agent, model)} ${STARTS[start.kind]}`),
  "session-spawned": () => null,
  "session-progressed": () => null,
  "session-ended": tellSessionEnd,
  "work-taken": () => null,
  // What is measured with them says so.
  "mixed-taken": () => null,
  "unheld-found": () => null,
  measured: ({ of, result, notes, checks }) => {
    // Red is what is hoped for.
    const isGreen = result.verdict.kind === "passed";
    if (of === "canary" && isGreen) return urgent(`${result.name} ${UNHEEDING}`);
    if (of === "control" || of === "canary") return null;
    if (of === "trial")
      return isGreen && isAsOnBase(checks) ? urgent(`${result.name} ${BLIND}`) : null;
    const { text, tone } = tellGate(result);
    const on = MEASURED_ON[of];
    const untried = of === "base" && isLong(result) ? UNTRIED : null;
    return { text: dotted([on === null ? text : `${on}: ${text}`, ...notes, untried]), tone };
  },
  "coach-started": ({ agent, model }) => calm(`${agentWords(agent, model)} looks at the work`),
  "coach-ended": ({ verdict }) => {
    const objections = objectionsOf(verdict);
    const words =
      objections.length === 0
        ? coachWords(verdict)
        : `the coach: ${objections.map(findingWords).join("; ")}`;
    return { text: excerpt(words, 280), tone: objections.length === 0 ? null : "attention" };
  },
  decided: tellDecision,
  "rollback-started": ({ to }) => urgent(`the tree goes back to ${to.ref}, which passed`),
  "attempt-settled": ({ commit }) =>
    commit === null ? null : calm(`committed ${commit.slice(0, 10)}`),
  "question-asked": ({ question }) =>
    urgent(`question ${question.id}: ${excerpt(question.question, 200)}`.replace(/: $/, "")),
  answered: tellAnswer,
  "person-spoke": ({ text, way }) => ({
    text: `person: ${excerpt(text, 200)}${way === "at once" ? "" : ` (${way})`}`,
    tone: "accent",
  }),
  "answer-refused": ({ by, question, why }) =>
    quiet(`an answer by ${excerpt(by, 60)} to ${excerpt(question, 80)} was ignored (${why})`),
  notified: tellNotified,
  "wait-ended": () => calm("the wait is over"),
  "budget-warned": ({ limit }) => urgent(`${limit}: 80 % of the limit is used`),
  rescued: ({ ref, why }) => calm(`kept: ${excerpt(why, 120)} as ${ref}: orch rescue`),
};

/** No check says anything else than it did there. */
function isAsOnBase(checks: Events["measured"]["checks"]): boolean {
  if (checks.kind !== "since-base") return checks.kind === "none";
  const { passed, failed, skipped, gone } = checks;
  return [passed, failed, skipped, gone].every((names) => names.length === 0);
}

function tellDefined({ task, by, notHeeded }: Events["task-defined"]) {
  if (by === null) return null;
  const written = `task ${task.id}, written by ${by}`;
  return notHeeded.length === 0
    ? calm(written)
    : urgent(
        `${written}: not heeded, its author's policy counts: ${excerpt(notHeeded.join(", "), 240)}`,
      );
}

function tellDecision({ decision, evidence, explanation }: Events["decided"]): GateSentence | null {
  // The question is told next, in its own words.
  if (decision.kind === "pause" && decision.ask.kind === "question") return null;
  const tone = decision.kind === "continue" ? null : "attention";
  return { text: courseWords(decision, evidence, explanation.evidence), tone };
}

function conflictWords({ with: other, paths }: Conflict): string {
  return `conflicts with ${other} (${excerpt(paths.join(", "), 160)})`;
}

function tellMerge({ result }: Events["merge-ended"]): GateSentence {
  if (result.kind === "merged")
    return calm(`merged into the run's branch as ${result.commit.slice(0, 10)}`);
  if (result.kind === "to-prove")
    return calm("other work was merged meanwhile: the gates run again on both");
  return urgent(`its work ${troubleWords(result)}`);
}

function tellSignals({ signals }: Events["task-weighed"]): GateSentence | null {
  if (signals.length === 0) return null;
  return urgent(signals.map(({ signal, detail }) => `${SIGNALS[signal]}: ${detail}`).join("; "));
}

function tellSessionEnd(event: Events["session-ended"]): GateSentence {
  const { report } = event;
  const claim =
    report.kind === "read" ? `report: ${report.report.status}` : `report ${report.kind}`;
  // A session that stopped to ask owes no report yet.
  const owed = event.ending.kind === "asked" && report.kind === "missing" ? null : claim;
  const spent = event.usage.costUsd === null ? null : money(event.usage.costUsd);
  const ended = `${endingWords(event.ending)} after ${duration(event.elapsedMs)}`;
  const isCalm = event.ending.kind === "finished" || event.ending.kind === "asked";
  const { length } = event.unasked.filter(({ why }) => why === "level");
  const unasked = length === 0 ? null : `${plural(length, "question")} below your level`;
  return { text: dotted([ended, owed, unasked, spent]), tone: isCalm ? null : "attention" };
}

function tellAnswer({ answer: { action, text, by, id } }: Events["answered"]): GateSentence {
  const parts = [action === "answer" ? "" : action, excerpt(text, 200)];
  const words = parts.filter((part) => part !== "").join(": ");
  const line = `question ${id} answered by ${excerpt(by, 60)}: ${words === "" ? action : words}`;
  return { text: line, tone: "accent" };
}

function workspaceWords(workspace: Workspace): string {
  if (workspace.kind === "worktree") return `in its own worktree, branch ${workspace.branch}`;
  return workspace.kind === "in-place"
    ? "in the checkout itself"
    : "without git: no checkpoints, no measured changes";
}

function tellNotified({ question, trouble }: Events["notified"]): GateSentence | null {
  if (trouble === null) return null;
  const of = question === null ? "the end of the run" : `question ${question}`;
  return urgent(`no notification was sent of ${of}: ${excerpt(trouble, 200)}`);
}
