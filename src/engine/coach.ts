// How does a second session look at finished work?

import { invariant } from "../core/model/assert.ts";
import type { Reserved, RunEvent } from "../core/model/event.ts";
import { excerpt } from "../core/model/excerpt.ts";
import type { TaskId } from "../core/model/ids.ts";
import type { ReportFinding } from "../core/model/report.ts";
import { NO_USAGE, type SessionEnd } from "../core/model/session.ts";
import type { TaskState } from "../core/model/state.ts";
import { charged, shareFor } from "../core/run/charge.ts";
import { endingDetail } from "../core/views/projection-attempt.ts";
import { coachMoneyLeft, coachRefusal, coachValues } from "../core/run/coach.ts";
import { fillPrompt } from "../core/run/prompt.ts";
import { placeOf, type Log, type Place } from "./log.ts";
import type { Ports, ReviewCopy, SessionRequest } from "./ports.ts";
import { requestFor, watchSession } from "./session-request.ts";

/**
 * In a copy of the work that is thrown away, without questions. Whatever goes wrong with it is no verdict,
 * and the work is judged without one.
 */
export async function askCoach(id: TaskId, log: Log, ports: Ports): Promise<void> {
  const place = placeOf(log, id);
  const { at, attempt, step, task, workspace } = place;
  const { work, coach } = attempt;
  const left = coach?.kind === "looks" ? coach : null;
  // Of a process that died: what it left goes, and it is asked anew with what was kept for it.
  if (left !== null) await ports.orphans.end(left.token, null);
  const why = coachRefusal(task);
  if (why !== null || work === null || work === "not-taken" || step.coach === null) {
    const seen = noVerdict(why ?? "there is no commit to look at");
    return log.append({ type: "coach-ended", ...at, ...seen, elapsedMs: 0 });
  }
  const { agent, model } = step.coach;
  const token = ports.clock.newToken();
  const reserved = left?.reserved ?? reservedFor(task, log);
  await log.append({ type: "coach-started", ...at, token, agent, model, reserved });
  const startedMs = ports.clock.nowMs();
  const look = (copy: ReviewCopy) => lookAt({ place, token, reserved, copy }, log, ports);
  const of = { work, token, left: left?.token ?? null };
  const seen = await ports.workspaces
    .review(workspace, of, look)
    .catch((error) => noVerdict(excerpt(String(error), 200)));
  // A session that orch itself stopped said nothing; it is asked again when the run goes on.
  if (ports.stop.signal.aborted) return;
  const elapsedMs = Math.max(0, ports.clock.nowMs() - startedMs);
  await log.append({ type: "coach-ended", ...at, ...seen, elapsedMs });
}

type Seen = Pick<Extract<RunEvent, { type: "coach-ended" }>, "verdict" | "usage">;

function noVerdict(why: string, usage = NO_USAGE): Seen {
  return { verdict: { kind: "unknown", why }, usage };
}

interface Look {
  readonly place: Place;
  readonly token: SessionRequest["token"];
  readonly reserved: Reserved;
  readonly copy: ReviewCopy;
}

async function lookAt(
  { place, token, reserved, copy }: Look,
  log: Log,
  ports: Ports,
): Promise<Seen> {
  const { at, attempt, step, task } = place;
  const { agents, clock, files, stop } = ports;
  const { coach } = step;
  invariant(coach !== null, `the step ${step.id} has a coach`);
  const where = { ...at, step: `${at.step}.coach`, root: copy.root, token };
  const { attemptDir, reportPath } = await files.open(where);
  const template = await files.template(coach.prompt);
  const values = { ...coachValues(task, attempt, copy.diff), report_path: reportPath };
  const prompt = fillPrompt(template, task, values);
  await files.keepPrompt(attemptDir, prompt);
  const driver = agents.driver(coach.agent);
  const { abilities } = driver;
  const watch = watchSession({ abilities, reserved }, stop.signal, () => clock.nowMs());
  const given = { prompt, reportPath, attemptDir, reserved };
  const session = { token, start: FRESH, model: coach.model, watch, ...given };
  const request = requestFor(place, session, log, ports);
  const ran = await driver.run({ ...request, ...READ_ONLY, cwd: copy.root }, watch.signal);
  const end = { ...ran, ending: watch.ending(ran) };
  const report = await files.collectReport(where);
  const seen = watch.progress();
  const { usage } = charged({ seen, reserved, abilities }, end, { ...seen, before: null });
  if (report.kind !== "read") return noVerdict(whyNone(report, end), usage);
  const { findings, criteria } = report.report;
  return { verdict: { kind: "given", findings, criteria }, usage };
}

function reservedFor(task: TaskState, log: Log): Reserved {
  const share = shareFor(log.state, task);
  const least = [share.costUsd, coachMoneyLeft(task)].filter((one) => one !== null);
  return { ...share, costUsd: least.length === 0 ? null : Math.min(...least) };
}

const FRESH = { kind: "fresh" } as const;

/** Nobody is asked, nothing may be written, and no person's words are taken. */
const READ_ONLY = {
  level: 0,
  holdMs: 0,
  questionsLeft: 0,
  history: [],
  allowedActions: [],
  totalsBefore: null,
  fence: { allowWrite: [], scope: [], conflicts: [] },
  onSpawn: async () => {},
  onAsked: async () => null,
  followWords: () => {},
} satisfies Partial<SessionRequest>;

function whyNone(report: ReportFinding, { ending }: SessionEnd): string {
  const detail = report.kind === "unreadable" ? report.problems[0] : endingDetail(ending);
  return `it left no verdict that can be read (${ending.kind}${detail ? `: ${detail}` : ""})`;
}
