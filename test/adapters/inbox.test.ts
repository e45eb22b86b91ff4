import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { answersIn, inboxOf, writeRequest } from "../../src/adapters/people/inbox.ts";
import type { NewRequest, Rejected } from "../../src/adapters/people/inbox.ts";
import { idOf, type QuestionId } from "../../src/core/model/ids.ts";
import { makePipe } from "../support/pipe.ts";
import { privateFolder } from "../support/private-folder.ts";

const never = new AbortController().signal;

function answer(text: string): NewRequest {
  const question = idOf<QuestionId>("q1");
  return { kind: "answer", answer: { question, action: "answer", text, by: "orch answer" } };
}

function open(): { folder: string; inbox: ReturnType<typeof inboxOf>; rejected: Rejected[] } {
  const folder = privateFolder();
  const rejected: Rejected[] = [];
  return { folder, rejected, inbox: inboxOf(folder, (one) => rejected.push(one)) };
}

/** As if the file had been there for a while. */
function age(path: string, seconds: number): void {
  const then = Date.now() / 1000 - seconds;
  utimesSync(path, then, then);
}

test("an answer reaches the owner as it was given, and is private", () => {
  const { folder, inbox } = open();
  const { id, file } = writeRequest(folder, answer("use redis"));
  const leftAtMs = statSync(file).mtimeMs;
  expect(inbox.list()).toEqual([{ ...answer("use redis"), id, leftAtMs }]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  inbox.clear(id);
  inbox.clear(id);
  expect([inbox.list(), readdirSync(folder)]).toEqual([[], []]);
});

test("requests are taken oldest first", () => {
  const { folder, inbox } = open();
  const ids = [3, 1, 2].map((order) => {
    const { file } = writeRequest(folder, { kind: "cancel", by: `person ${order}` });
    age(file, 60 - order);
    return order;
  });
  expect(ids).toEqual([3, 1, 2]);
  const by = inbox.list().map((request) => (request.kind === "cancel" ? request.by : ""));
  expect(by).toEqual(["person 1", "person 2", "person 3"]);
});

test("an answer is seen before a thousand words that nobody asked for", () => {
  const { folder } = open();
  for (let n = 0; n < 1_000; n += 1)
    writeRequest(folder, {
      kind: "tell",
      remark: { task: idOf("a"), text: `word ${n}`, by: "ada" },
    });
  writeRequest(folder, answer("use redis"));
  expect(answersIn(folder)).toMatchObject([{ text: "use redis" }]);
});

test("of two answers to one question only the first is left", () => {
  const { folder, inbox } = open();
  writeRequest(folder, answer("use redis"));
  expect(() => writeRequest(folder, answer("use memory"))).toThrow(
    expect.objectContaining({ code: "question-answered" }),
  );
  expect(inbox.list()).toMatchObject([{ answer: { text: "use redis" } }]);
});

test.each(["answer.json", "my answer.json", "ünï.json"])(
  "a file called %s may be used again for the next answer",
  (name) => {
    const { folder, inbox } = open();
    const ids = ["q1", "q2"].map((id) => {
      writeFileSync(join(folder, name), JSON.stringify({ id, text: "use redis" }));
      const [request] = inbox.list();
      inbox.clear(request?.id ?? "");
      return request?.id;
    });
    expect(new Set(ids).size).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("a request has the same id for the next process", () => {
  const { folder, inbox } = open();
  writeFileSync(join(folder, "mine.json"), '{ "id": "q1", "text": "use redis" }');
  expect(inboxOf(folder, () => undefined).list()).toEqual(inbox.list());
});

test("an answer that could never be used is refused to the one who gives it", () => {
  expect(() => writeRequest(privateFolder(), answer("x".repeat(100_001)))).toThrow(
    expect.objectContaining({ code: "answer-invalid" }),
  );
});

test.each<[string, string, string]>([
  ["is no JSON", "{", "not JSON"],
  ["is empty", "", "not JSON"],
  ["is JSON, but no request", "[]", "expected"],
  ["asks for an unknown action", '{"id":"q1","action":"rm"}', "action: "],
  ["names a path as the question", '{"id":"../../etc"}', "id: not a question's id"],
])("a file that %s is set aside, and said", (_name, content, why) => {
  const { folder, inbox, rejected } = open();
  writeFileSync(join(folder, "bad.json"), content);
  age(join(folder, "bad.json"), 10);
  expect(inbox.list()).toEqual([]);
  expect(rejected).toEqual([
    {
      name: "bad.json",
      file: expect.stringMatching(/\/rejected\/[0-9a-f]{16}\.json$/),
      why: expect.stringContaining(why),
    },
  ]);
  expect(readFileSync(rejected[0]?.file ?? "", "utf8")).toBe(content);
  expect(existsSync(join(folder, "bad.json"))).toBe(false);
});

test("a link, a pipe, a folder and a giant are never read", () => {
  const { folder, inbox, rejected } = open();
  const secret = join(privateFolder(), "secret.json");
  writeFileSync(secret, '{"id":"q1","text":"from elsewhere"}');
  symlinkSync(secret, join(folder, "a-link.json"));
  makePipe(join(folder, "b-pipe.json"));
  mkdirSync(join(folder, "c-folder.json"));
  writeFileSync(join(folder, "d-giant.json"), `{"id":"q1","text":"x"${" ".repeat(1024 * 1024)}}`);
  expect(inbox.list()).toEqual([]);
  expect(Object.fromEntries(rejected.map(({ name, why }) => [name, why]))).toEqual({
    "a-link.json": "it is a link, and must be a file",
    "b-pipe.json": "it is not a regular file, and must be a file",
    "c-folder.json": "it is a folder, and must be a file",
    "d-giant.json": expect.stringContaining("is longer than 1048576 bytes"),
  });
  expect(readFileSync(secret, "utf8")).toContain("from elsewhere");
});

test("a name that could not be an id gets one that can", () => {
  const { folder, inbox, rejected } = open();
  writeFileSync(join(folder, "$(touch x).json"), '{"id":"q1","text":"x"}');
  expect(inbox.list()).toMatchObject([{ id: expect.stringMatching(/^file-[0-9a-f]{12}$/) }]);
  expect(rejected).toEqual([]);
});

test("files that are no requests are left alone", () => {
  const { folder, inbox, rejected } = open();
  writeFileSync(join(folder, "notes.txt"), "mine");
  writeFileSync(join(folder, ".hidden.json"), "{");
  expect([inbox.list(), rejected, readdirSync(folder).length]).toEqual([[], [], 2]);
});

test("what a writer is still writing is neither used nor thrown away", async () => {
  const { folder, inbox, rejected } = open();
  const path = join(folder, "slow.json");
  writeFileSync(path, '{"id":"q1",');
  expect([inbox.list(), rejected]).toEqual([[], []]);
  const changed = inbox.changed(never);
  writeFileSync(path, '{"id":"q1","text":"done"}');
  await changed;
  expect(inbox.list()).toMatchObject([{ answer: { text: "done" } }]);
});

test("a file left half-written is judged in the end", async () => {
  const { folder, inbox, rejected } = open();
  writeFileSync(join(folder, "half.json"), '{"id":');
  expect(inbox.list()).toEqual([]);
  await inbox.changed(never);
  expect([inbox.list(), rejected.map((one) => one.why)]).toEqual([[], ["not JSON"]]);
});

test("a request that came before the watch began is not missed", async () => {
  const { folder, inbox } = open();
  inbox.list();
  writeRequest(folder, answer("early"));
  await inbox.changed(never);
  expect(inbox.list()).toHaveLength(1);
});

test("a request that comes during the watch ends it, for everybody who waits", async () => {
  const { folder, inbox } = open();
  const first = inbox.changed(never).then(() => inbox.list());
  const second = inbox.changed(never);
  writeRequest(folder, answer("late"));
  expect(await first).toHaveLength(1);
  await second;
});

test("a request that was seen and kept does not end the watch again", async () => {
  const { folder, inbox } = open();
  writeRequest(folder, answer("kept"));
  inbox.list();
  const stop = new AbortController();
  let ended = false;
  const changed = inbox.changed(stop.signal).then(() => (ended = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(false);
  stop.abort();
  await changed;
});
