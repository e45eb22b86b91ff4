import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { notify } from "../../src/adapters/people/notify.ts";
import { desktopLine, type Notice } from "../../src/adapters/people/targets.ts";
import { createRedactor } from "../../src/adapters/redact.ts";
import type { NotifySettings } from "../../src/core/model/settings.ts";
import { question, RUN } from "../support/builders.ts";
import { privateFolder } from "../support/private-folder.ts";
import { PROGRAM } from "../support/run-orch.ts";
import { serve } from "../support/scripted-server.ts";
import { givenTo, waitingProject } from "../support/waiting-run.ts";

const asks: Notice = {
  type: "question",
  run: RUN,
  question: question({ question: "Ask @everyone? <!channel> & [wait](x)" }),
  answerWith: ["orch answer q1 1"],
};
const TITLE = "orch: add-login asks";
const TEXT = "Ask @everyone? <!channel> & [wait](x)\norch answer q1 1\n1. redis\n2. memory";

function tell(settings: Partial<NotifySettings>, env: Readonly<Record<string, string>> = {}) {
  const none = { command: null, url: null, header: null, to: null, chat: null };
  const redact = createRedactor({});
  const options = { settings: { ...none, ...settings }, root: privateFolder(), env, redact };
  return notify(asks, { ...options, version: "1.2.3" }, new AbortController().signal);
}

test.each<[NotifySettings["to"], string, object]>([
  [
    "slack",
    "/my-topic",
    { text: `${TITLE}\n${TEXT.replace("<!channel> &", "&lt;!channel&gt; &amp;")}` },
  ],
  [
    "discord",
    "/my-topic",
    { content: `${TITLE}\n${TEXT.replace("[", "\\[")}`, allowed_mentions: { parse: [] } },
  ],
  [
    "ntfy",
    "/",
    { topic: "my-topic", title: TITLE, message: TEXT, priority: 4, tags: ["question"] },
  ],
  ["telegram", "/my-topic", { chat_id: "42", text: `${TITLE}\n${TEXT}` }],
])("%s gets a question in its own form", async (to, path, body) => {
  const server = await serve((response) => void response.writeHead(200).end());
  const sent = await tell({ to, url: `${server.url}/my-topic`, chat: "42" });
  expect(sent).toEqual([{ channel: "url", trouble: null }]);
  expect(server.requests).toMatchObject([{ path, body }]);
});

test("a screen gets title and text as words of a program, and nothing else is run", async () => {
  const bin = privateFolder();
  const program = desktopLine(process.platform).split(" ")[0] ?? "";
  writeFileSync(join(bin, program), `#!/bin/sh\nprintf '%s|' "$@" > "${bin}/words"\n`);
  chmodSync(join(bin, program), 0o755);
  const sent = await tell({ to: "desktop" }, { PATH: `${bin}:${process.env["PATH"]}` });
  expect(sent).toEqual([{ channel: "command", trouble: null }]);
  const words = readFileSync(join(bin, "words"), "utf8");
  expect(words).toMatch(/\|--\|orch: add-login asks\|Ask @everyone\? <!channel> & \[wait.*\|$/);
});

test("an answer comes back through ntfy by the commands of the page", async () => {
  const project = waitingProject({}, {});
  const page = readFileSync(join(import.meta.dirname, "../../docs/notify.md"), "utf8");
  const [, recipe = ""] = /<a id="ntfy-answers">[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
  // It plays ntfy: a line for each message, and an empty one now and then.
  const server = createServer(({ url }, response) => {
    if (url !== "/my-orch-4f7a-answers/raw") response.writeHead(404);
    response.end("\nq1 2\n\nq2 --skip it; touch x\n");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Listening on TCP.
  const { port } = server.address() as AddressInfo;
  const bin = privateFolder();
  writeFileSync(join(bin, "orch"), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  chmodSync(join(bin, "orch"), 0o755);
  const line = recipe.replace("https://ntfy.sh", `http://127.0.0.1:${port}`);
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
  const shell = spawn("sh", ["-c", line], { cwd: project.root, env, stdio: "ignore" });
  await once(shell, "close");
  const given = [
    { id: "q1", action: "answer", text: "memory" },
    { id: "q2", action: "answer", text: "--skip it; touch x" },
  ];
  expect(new Set(givenTo(project))).toEqual(new Set(given));
});
