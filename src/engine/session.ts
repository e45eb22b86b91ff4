// How is one session run, or found again after orch died?

import { limitsNear } from "../core/budget.ts";
import type { AttemptRole, RunEvent, SessionStart } from "../core/event.ts";
import type { SessionToken, TaskId } from "../core/ids.ts";
import type { PlanFinding } from "../core/plan.ts";
import { assemblePrompt } from "../core/prompt.ts";
import type { PromptParts } from "../core/prompt.ts";
import type { ReportFinding } from "../core/report.ts";
import { conversationOf, runSpent, taskOf } from "../core/select.ts";
import { NO_TRACE, NO_USAGE } from "../core/session.ts";
import type { SessionTotals } from "../core/session.ts";
import type { AttemptState, SessionState, TaskState } from "../core/state.ts";
import type { Outside } from "./outside.ts";
import { placeOf } from "./place.ts";
import type { Place } from "./place.ts";
import type { Log } from "./log.ts";
import type { AttemptPlace, SessionRequest } from "./ports.ts";
import { watchSession } from "./watch.ts";
import type { Watch } from "./watch.ts";

/** Intent first, then the process, then the outcome: each is on disk before the next begins. */
export async function runSession(
  id: TaskId,
  start: SessionStart,
  log: Log,
  outside: Outside,
): Promise<void> {
  const place = placeOf(log, id);
  const driver = outside.agents.driver(place.step.agent);
  const token = outside.clock.newToken();
  const where = attemptPlace(place, token, 0);
  const { attemptDir, reportPath, planPath } = await outside.files.open(where);
  const prompt = await promptFor(place, start, { reportPath, planPath }, outside);
  await outside.files.keepPrompt(attemptDir, prompt);
  await log.append({
    type: "session-started",
    ...place.at,
    token,
    start,
    agent: place.step.agent,
    driver: driver.name,
    model: place.step.model,
    abilities: driver.abilities,
    promptChars: prompt.length,
  });
  const startedAtMs = outside.clock.nowMs();
  const watch = watchSession(driver.abilities, outside.stop.signal);
  const prepared = { token, start, prompt, reportPath, attemptDir, watch };
  const end = await driver.run(requestFor(place, prepared, log, outside), watch.signal);
  const left = await leftBehind(place, { ...where, startedAtMs }, outside.files);
  await log.append({
    type: "session-ended",
    ...place.at,
    token,
    ...end,
    ...left,
    ending: watch.ending(end),
    trace: watch.trace(),
    elapsedMs: Math.max(0, outside.clock.nowMs() - startedAtMs),
  });
  await warnOfLimits(id, log);
}

/**
 * orch died while this session ran. Nothing of it may go on working, and a report that it finished
 * writing is believed: the path is its own.
 */
export async function recoverSession(
  id: TaskId,
  session: SessionState,
  log: Log,
  { orphans, files }: Outside,
): Promise<void> {
  const place = placeOf(log, id);
  const pids = await orphans.end(session.token, session.process);
  const where = attemptPlace(place, session.token, Date.parse(session.startedAt));
  const left = await leftBehind(place, where, files);
  const orphaned: readonly RunEvent[] =
    pids.length === 0 ? [] : [{ type: "orphan-ended", token: session.token, pids }];
  await log.append(...orphaned, {
    type: "session-ended",
    ...place.at,
    token: session.token,
    ending: { kind: "lost" },
    ...left,
    trace: NO_TRACE,
    usage: NO_USAGE,
    sessionId: conversationOf(session),
    totals: null,
    agentVersion: null,
    unasked: [],
    elapsedMs: 0,
  });
}

/** The report, and the plan where one was to be written. */
async function leftBehind(
  { task, attempt }: Place,
  where: AttemptPlace,
  files: Outside["files"],
): Promise<{ readonly report: ReportFinding; readonly plan: PlanFinding }> {
  const plan: PlanFinding =
    attempt.role === "plan" ? await planOf(attempt, where, files) : { kind: "not-asked" };
  const earlier = tokensOf(task).filter((token) => token !== where.token);
  return { plan, report: await files.collectReport(where, earlier) };
}

/**
 * A planning session may be interrupted, asked for its report, or wait for an answer: the plan may
 * lie where any of the attempt's sessions was told to leave it, or have been found before.
 */
async function planOf(
  { sessions }: Place["attempt"],
  where: AttemptPlace,
  files: Outside["files"],
): Promise<PlanFinding> {
  const found = await files.collectPlan(where);
  if (found.kind !== "missing") return found;
  for (const { token, ended } of sessions.toReversed()) {
    const earlier = token === where.token ? found : await files.collectPlan({ ...where, token });
    if (earlier.kind !== "missing") return earlier;
    if (ended?.plan.kind === "written") return ended.plan;
  }
  return found;
}

interface Prepared {
  readonly watch: Watch;
  readonly token: SessionToken;
  readonly start: SessionStart;
  readonly prompt: string;
  readonly reportPath: string;
  readonly attemptDir: string;
}

function requestFor(
  place: Place,
  { watch, ...prepared }: Prepared,
  log: Log,
  outside: Outside,
): SessionRequest {
  const { task, step, at, workspace } = place;
  const { turns, idleMs, sessionMs } = step.limits;
  return {
    ...prepared,
    cwd: workspace.root,
    model: step.model,
    limits: { turns, idleMs, sessionMs },
    costLeftUsd: costLeft(place, log),
    level: step.level,
    history: task.interactionHistory,
    questionsLeft: questionsLeft(place, log),
    totalsBefore: totalsBefore(task, prepared.start),
    names: {
      run: log.state.run?.id ?? "",
      task: at.task,
      step: at.step,
      attempt: `${at.attempt}`,
    },
    onSpawn: (process, program) =>
      log.append({ type: "session-spawned", ...at, token: prepared.token, process, program }),
    onEvent: (event) => {
      watch.hear(event);
      outside.view.activity(at.task, at.step, event);
    },
  };
}

async function promptFor(
  { task, step, attempt }: Place,
  start: SessionStart,
  paths: Pick<PromptParts, "reportPath" | "planPath">,
  { files }: Outside,
): Promise<string> {
  if (start.kind === "deliver") return "";
  const contract = await files.template("report-contract");
  const template = await templateOf(attempt.role, step.prompt, files);
  return assemblePrompt(task, start, { template, contract, ...paths });
}

/** After a replan one session plans anew; else the step's own template speaks. */
async function templateOf(
  role: AttemptRole,
  prompt: Place["step"]["prompt"],
  files: Outside["files"],
): Promise<string> {
  if (role === "plan") return files.template("replan");
  return prompt.kind === "self" ? "{{task}}" : files.template(prompt.name);
}

function attemptPlace(
  { workspace, at }: Place,
  token: SessionToken,
  startedAtMs: number,
): AttemptPlace {
  return { root: workspace.root, ...at, token, startedAtMs };
}

function allSessions(task: TaskState): readonly SessionState[] {
  return task.steps.flatMap((s) => s.attempts.flatMap((a: AttemptState) => a.sessions));
}

function tokensOf(task: TaskState): readonly SessionToken[] {
  return allSessions(task).map((session) => session.token);
}

/** The newest totals of the conversation that is taken up again; a fresh one begins at nothing. */
function totalsBefore(task: TaskState, start: SessionStart): SessionTotals | null {
  if (start.kind === "fresh") return null;
  const same = allSessions(task).filter((s) => s.ended?.sessionId === start.sessionId);
  return same.flatMap((s) => (s.ended?.totals ? [s.ended.totals] : [])).at(-1) ?? null;
}

/** What the task and the run may both still spend; null: no limit. */
function costLeft({ task, step }: Place, log: Log): number | null {
  const ofTask = step.limits.costUsd === null ? [] : [step.limits.costUsd - task.spent.costUsd];
  const most = log.state.run?.limits.costUsd ?? null;
  const ofRun = most === null ? [] : [most - runSpent(log.state).costUsd];
  const left = [...ofTask, ...ofRun];
  return left.length === 0 ? null : Math.max(0, Math.min(...left));
}

function questionsLeft({ task, step }: Place, log: Log): number {
  const ofTask = step.limits.questions - task.questionsAsked;
  const most = log.state.run?.limits.questions ?? ofTask;
  const ofRun = most - log.state.tasks.reduce((sum, t) => sum + t.questionsAsked, 0);
  return Math.max(0, Math.min(ofTask, ofRun));
}

async function warnOfLimits(id: TaskId, log: Log): Promise<void> {
  const task = taskOf(log.state, id);
  const limits = task.task.steps[task.stepIndex]?.limits;
  if (limits === undefined) return;
  const near = limitsNear(task.spent, limits).filter(({ name }) => !task.warned.includes(name));
  if (near.length === 0) return;
  await log.append(
    ...near.map(({ name }): RunEvent => ({ type: "budget-warned", task: id, limit: name })),
  );
}
