// How is one session run, or found again after orch died?

import { endingWhileAsked } from "../core/decide/asking.ts";
import { limitsNear, runUse, taskUse } from "../core/run/budget.ts";
import { invariant } from "../core/model/assert.ts";
import type { RunEvent, SessionStart } from "../core/model/event.ts";
import type { SessionToken, TaskId } from "../core/model/ids.ts";
import type { PlanFinding, ReportFinding } from "../core/model/report.ts";
import { planFrom } from "../readers/task-text/read-plan.ts";
import { assemblePrompt, templateOf, type PromptParts } from "../core/run/prompt.ts";
import { sessionDue } from "../core/run/session-due.ts";
import { beatMs, charged, workOfLost, shareFor } from "../core/run/charge.ts";
import {
  conversationOf,
  currentSession,
  limitsOf,
  runLimitsOf,
  runSpent,
  taskOf,
} from "../core/run/select.ts";
import { NO_TRACE, silentEnd, type SessionEnd, type SessionTotals } from "../core/model/session.ts";
import type { SessionState, TaskState } from "../core/model/state.ts";
import type { Ports, AttemptPlace, SessionRequest } from "./ports.ts";
import { placeOf, type Place, type Log } from "./log.ts";
import { watchSession, type Watch, requestFor, totalsBefore } from "./session-request.ts";

/** Intent first, then the process, then the outcome: each is on disk before the next begins. */
export async function runSession(
  id: TaskId,
  wanted: SessionStart,
  log: Log,
  ports: Ports,
): Promise<void> {
  const place = placeOf(log, id);
  const due = sessionDue(log.state, place.task, wanted, ports.clock.nowMs());
  const { agent, model, start, successorOf } = due;
  const driver = ports.agents.driver(agent);
  const token = ports.clock.newToken();
  const where = attemptPlace(place, token);
  const { attemptDir, reportPath, planPath } = await ports.files.open(where);
  const prompt = await promptFor(place, start, { reportPath, planPath, successorOf }, ports);
  await ports.files.keepPrompt(attemptDir, prompt);
  const reserved = shareFor(log.state, taskOf(log.state, id));
  const { name, abilities } = driver;
  const started = { token, start, agent, driver: name, model, abilities, reserved };
  await log.append({ type: "session-started", ...place.at, ...started });
  const watch = watchSession(started, ports.stop.signal, () => ports.clock.nowMs());
  const prepared = { token, start, model, prompt, reportPath, attemptDir, watch, reserved };
  const beat = (): void => void recordUse(watch, { place, token }, log);
  const request = bookedFirst(requestFor(place, prepared, log, ports), watch, beat);
  const stopBeats = ports.clock.every(beatMs(reserved), beat);
  const end = await driver.run(request, watch.signal);
  stopBeats();
  log.takers.delete(id);
  const use = useOf(watch, end, { session: runningIn(log, id), before: request.totalsBefore });
  const left = await leftBehind(place, where, ports.files);
  await log.append({
    type: "session-ended",
    ...place.at,
    token,
    ...end,
    ...use,
    ...left,
    ending: endingWhileAsked(use.ending, taskOf(log.state, id).pendingQuestion),
    trace: watch.trace(),
  });
  await warnOfLimits(id, log);
}

/**
 * The first use is recorded at once, and that which spends all: sessions that never live to a beat must cost
 * something, and one that reached a limit has reached it for who resumes the run.
 */
function bookedFirst(request: SessionRequest, watch: Watch, beat: () => void): SessionRequest {
  let isBooked = false;
  return {
    ...request,
    onUsage: (usage) => {
      request.onUsage(usage);
      if (!isBooked || watch.isSpent()) beat();
      isBooked = true;
    },
  };
}

/** How it ended, and what it is charged. */
function useOf(
  watch: Watch,
  end: SessionEnd,
  { session, before }: { readonly session: SessionState; readonly before: SessionTotals | null },
) {
  const seen = watch.progress();
  const { elapsedMs } = seen;
  const ending = watch.ending(end);
  return {
    ending,
    elapsedMs,
    ...charged({ ...session, seen }, { ...end, ending }, { elapsedMs, before }),
  };
}

/** For the process that finds this session when orch was killed: so much was spent by then. */
async function recordUse(
  watch: Watch,
  { place, token }: { readonly place: Place; readonly token: SessionToken },
  log: Log,
): Promise<void> {
  const progress = watch.progress();
  if (progress.elapsedMs === runningIn(log, place.at.task).seen.elapsedMs) return; // A person is asked.
  const event = { type: "session-progressed", ...place.at, token, ...progress } as const;
  // What cannot be booked must not be spent.
  await log.append(event).then(log.stir, () => watch.end());
}

function runningIn(log: Log, id: TaskId): SessionState {
  const session = currentSession(taskOf(log.state, id));
  invariant(session !== null, `task ${id} has a session`);
  return session;
}

/**
 * orch died while this session ran. Nothing of it may go on working, and a report that it finished
 * writing is believed: the path is its own.
 */
export async function recoverSession(
  id: TaskId,
  session: SessionState,
  log: Log,
  { orphans, files, clock, workspaces }: Pick<Ports, "orphans" | "files" | "clock" | "workspaces">,
): Promise<void> {
  const place = placeOf(log, id);
  const elapsedMs = workOfLost(session, clock.nowMs());
  await orphans.end(session.token, session.process);
  await workspaces.unlock(place.workspace);
  const where = attemptPlace(place, session.token);
  const left = await leftBehind(place, where, files);
  const end = silentEnd({ kind: "lost" }, conversationOf(session));
  await log.append({
    type: "session-ended",
    ...place.at,
    token: session.token,
    ...end,
    ...charged(session, end, { elapsedMs, before: totalsBefore(place.task, session.start) }),
    ...left,
    trace: NO_TRACE,
    elapsedMs,
  });
}

/** The report, and the plan where one was to be written. */
async function leftBehind(
  { task, attempt }: Place,
  where: AttemptPlace,
  files: Ports["files"],
): Promise<{ readonly report: ReportFinding; readonly plan: PlanFinding }> {
  const report = await files.collectReport(where);
  if (attempt.role !== "plan") return { plan: { kind: "not-asked" }, report };
  const plan = await planOf(attempt, where, files);
  return { plan: plan.kind === "missing" ? handedOn(task, report, plan) : plan, report };
}

/** The prompt for a first plan asks for it in the report, too: that is where steps hand plans on. */
function handedOn(task: TaskState, report: ReportFinding, missing: PlanFinding): PlanFinding {
  const words = report.kind === "read" ? (report.report.nextSteps ?? "") : "";
  return task.replans > 0 || words.trim() === ""
    ? missing
    : { kind: "written", plan: planFrom(words) };
}

/**
 * A planning session may be interrupted, or wait for an answer: the plan may lie where any of the attempt's
 * sessions was told to leave it.
 */
async function planOf(
  { sessions }: Place["attempt"],
  where: AttemptPlace,
  files: Ports["files"],
): Promise<PlanFinding> {
  for (const { token } of [...sessions, where].toReversed()) {
    const plan = await files.collectPlan({ ...where, token });
    if (plan.kind !== "missing") return plan;
  }
  return { kind: "missing" };
}

async function promptFor(
  place: Place,
  start: SessionStart,
  parts: Omit<PromptParts, "template" | "contract">,
  { files }: Ports,
): Promise<string> {
  if (start.kind === "deliver") return "";
  const contract = await files.template("report-contract");
  const name = templateOf(place.task);
  const template = name === null ? "{{task}}" : await files.template(name);
  return assemblePrompt(place.task, start, { template, contract, ...parts });
}

function attemptPlace({ workspace, at }: Place, token: SessionToken): AttemptPlace {
  return { root: workspace.root, ...at, token };
}

async function warnOfLimits(id: TaskId, log: Log): Promise<void> {
  const task = taskOf(log.state, id);
  const warned = [...task.warned, ...log.state.warned];
  const ofRun = runUse(runSpent(log.state), runLimitsOf(log.state));
  const use = [...taskUse(task.spent, limitsOf(task)), ...ofRun];
  const near = limitsNear(use).filter(({ name }) => !warned.includes(name));
  if (near.length === 0) return;
  await log.append(
    ...near.map(({ name }): RunEvent => ({ type: "budget-warned", task: id, limit: name })),
  );
}
