// Who may see the page of a project's runs, and who may answer there?

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import type { WebData } from "../../src/web/api.ts";
import { startWeb } from "../../src/web/server.ts";
import { eventsOf, filesOf } from "../support/run-record.ts";
import { COMPLETED, shellAgent, smallProject } from "../support/small-project.ts";
import { messageOf, openWeb } from "../support/web.ts";

const REPORTS = `echo '${JSON.stringify(COMPLETED.report)}' > "$ORCH_REPORT"`;
const HOSTILE = "\u001b[31m<script>alert(1)</script>\u001b]52;c;aGk=\u0007 \u202eevil";
const ASKS = `cat > /dev/null; orch ask "${HOSTILE.replaceAll("$", "")}" --option good --option bad --impact major --hold 10m > answer.txt; cat answer.txt > good.txt; ${REPORTS}`;

const asking = () => smallProject({ config: shellAgent(ASKS) });
const answerTo = (run: string, text: string) => ({
  method: "POST",
  body: JSON.stringify({ run, question: "q1", action: "answer", text }),
});

test("a question is seen at once, answered on the page, and the second answer is told that it came late", async () => {
  const box = asking();
  const run = box.start(["run", "task.md", "--threshold", "3", "--wait", "--json"]);
  await run.event(({ type }) => type === "question-asked");
  const web = await openWeb(box);
  const [live] = JSON.parse(await messageOf(web, (message) => message.includes('"q1"')));
  expect(live).toMatchObject({ title: "Task", questions: [{ id: "q1", task: "task" }] });
  expect(live.questions[0].choices.map(({ label }: { label: string }) => label)).toEqual([
    "good",
    "bad",
    "skip this task",
    "abort the run",
  ]);
  const first = await web.ask("/api/answer", answerTo(live.run, "good"));
  expect([first.status, JSON.parse(first.body)]).toEqual([
    200,
    { next: "the run continues with it" },
  ]);
  const second = await web.ask("/api/answer", answerTo(live.run, "bad"));
  expect([second.status, JSON.parse(second.body).message]).toEqual([
    400,
    expect.stringMatching(/q1 (?:was answered already|does not wait)/),
  ]);
  expect((await run.ended).exitCode).toBe(0);
  expect(
    eventsOf(box, "answered").map(({ answer: { by, text } }) => [by.slice(0, 8), text]),
  ).toEqual([["orch web", "good"]]);
  web.program.kill("SIGTERM");
  expect((await web.program.ended).exitCode).toBe(0);
});

test("what an agent wrote reaches the page as plain text, and the page may load nothing else", async () => {
  const box = asking();
  const run = box.start(["run", "task.md", "--threshold", "3", "--wait", "--json"]);
  await run.event(({ type }) => type === "question-asked");
  const web = await openWeb(box);
  const [live] = JSON.parse(await messageOf(web, (message) => message.includes('"q1"')));
  expect(live.questions[0].question).toContain("<script>alert(1)</script>");
  for (const control of ["\u001b", "\u0007", "\u202e"])
    expect(live.questions[0].question).not.toContain(control);
  const { headers, body } = await web.ask("/");
  expect(String(headers["content-security-policy"])).toContain(
    "default-src 'none'; script-src 'self'",
  );
  expect(body).not.toContain("alert");
  run.kill("SIGTERM");
  await run.ended;
});

test("the record of a run, of a task, its log, its change and the statistics are there", async () => {
  const box = smallProject();
  await box.inProcess(["run", "task.md"]);
  const { id } = filesOf(box);
  const web = await openWeb(box);
  const got = async (path: string) => JSON.parse((await web.ask(path)).body);
  expect(await got("/api/runs")).toMatchObject([{ run: id, words: "done" }]);
  expect(await got(`/api/runs/${id}`)).toMatchObject({ waves: [["task"]], heading: "done" });
  const task = await got(`/api/runs/${id}/tasks/task`);
  expect(task.words).toContain("done, proven by its gates");
  expect(task.attempts[0].explain).toContainEqual([
    "rule",
    "gate-green: every required gate passed",
  ]);
  const lines = await got(`/api/runs/${id}/log`);
  expect(lines.at(-1).text).toContain("done");
  expect(await got(`/api/runs/${id}/log?after=${lines.at(-1).seq}`)).toEqual([]);
  expect(await got(`/api/runs/${id}/diff?task=task`)).toContain("+good");
  expect(await got("/api/stats?since=7d&by=agent")).toMatchObject({
    heading: expect.stringContaining("1 run · 1 task"),
    rows: [
      ["scripted", "1 task", "100 % done", "100 % proven", expect.anything(), expect.anything()],
    ],
  });
});

test("a run folder that is half deleted spoils neither the list nor the other runs", async () => {
  const box = smallProject();
  await box.inProcess(["run", "task.md"]);
  const { id } = filesOf(box);
  const folder = join(box.root, ".orch/runs", id);
  for (const name of ["events.jsonl", "state.json"]) rmSync(join(folder, name));
  box.write(".orch/runs.jsonl", "{");
  await box.inProcess(["run", "task.md", "--quiet"]);
  const web = await openWeb(box);
  expect(JSON.parse((await web.ask("/api/runs")).body)).toHaveLength(1);
  const { status, body } = await web.ask(`/api/runs/${id}`);
  expect([status, Object.keys(JSON.parse(body))]).toEqual([400, ["message", "hint"]]);
});

test("whoever has no key, comes from elsewhere, or asks for what there is not, gets nothing", async () => {
  const box = smallProject();
  await box.inProcess(["run", "task.md"]);
  const web = await openWeb(box);
  const status = async (...of: Parameters<typeof web.ask>) => (await web.ask(...of)).status;
  const post = { method: "POST", body: "{}" };
  expect(await status("/", { headers: { cookie: "" } })).toBe(401);
  expect(await status("/?key=wrong", { headers: { cookie: "" } })).toBe(401);
  expect(await status("/api/runs", { headers: { host: "evil.example" } })).toBe(403);
  expect(await status("/api/runs", { headers: { origin: "http://evil.example" } })).toBe(403);
  expect(await status("/api/answer", { ...post, headers: { origin: "http://evil.example" } })).toBe(
    403,
  );
  expect(await status("/api/answer")).toBe(404);
  expect(await status("/api/answer", post)).toBe(400);
  const long = { ...post, body: "", headers: { "content-length": "104857600" } };
  expect(await status("/api/answer", long)).toBe(413);
  for (const path of ["/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/page.js/../../cli.cjs"])
    expect(await status(path)).toBe(404);
  expect(await status("/api/runs/..%2f..%2f..%2fetc/log")).toBe(400);
});

test("an index that cannot be written changes nothing in how a run comes out, and is not believed where it is damaged", async () => {
  const box = smallProject();
  box.write(".orch/runs.jsonl/in-the-way", "");
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(0);
  expect((await box.inProcess(["stats"])).stdout).toContain("1 run · 1 task");
  rmSync(join(box.root, ".orch/runs.jsonl"), { recursive: true });
  await box.inProcess(["stats"]);
  const kept = box.read(".orch/runs.jsonl");
  box.write(".orch/runs.jsonl", kept.replace('"tasks":[', '"tasks":[null,'));
  expect((await box.inProcess(["stats"])).stdout).toContain("1 run · 1 task");
});

test("a port that is taken is said, with what to do", async () => {
  const box = smallProject();
  await box.inProcess(["run", "task.md"]);
  const { origin } = await openWeb(box);
  const { exitCode, stderr } = await box.orch(["web", "--port", new URL(origin).port]);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining("--port 0 takes any that is free"),
  ]);
});

test("a browser that stops reading is let go, and the others go on", async () => {
  const large = { run: "r", id: "r", title: "x".repeat(1_000_000), seq: 1, heading: "", rows: [] };
  const listeners = new Set<() => void>();
  const live: WebData["live"] = (changed) => {
    const tell = (): void => changed([{ ...large, questions: [] }]);
    listeners.add(tell);
    return () => void listeners.delete(tell);
  };
  const none = () => Promise.reject(new Error("nothing else is asked for"));
  const data = { run: none, runs: none, task: none, log: none, diff: none, stats: none, live };
  const assets = join(import.meta.dirname, "../../dist/web");
  const server = await startWeb({ data: { ...data, answer: none }, port: 0, assets });
  const { headers } = await fetch(server.link, { redirect: "manual" });
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  const { origin } = new URL(server.link);
  const [silent, reading] = await Promise.all(
    [0, 1].map(() => fetch(`${origin}/api/live`, { headers: { cookie } })),
  );
  const reader = reading?.body?.getReader();
  while (listeners.size > 1) {
    for (const tell of listeners) tell();
    await reader?.read();
  }
  expect(listeners.size).toBe(1);
  await expect(silent?.text()).rejects.toThrow("terminated");
  await server.close();
});
