import { PassThrough } from "node:stream";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { CliIo } from "../../src/cli/io.ts";
import { activityWords } from "../../src/cli/render/live.ts";
import { VERSION } from "../../src/version.ts";
import { renderError } from "../../src/cli/render/error.ts";
import { createDisplay, type RunDisplay, type ViewOptions } from "../../src/cli/running/view.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import { exitCodeOf } from "../../src/core/run/outcome.ts";
import { projectResult, projectRun } from "../../src/core/views/projection.ts";
import { LINE_VERSION } from "../../src/schema/event-line.ts";
import { OrchError } from "../../src/errors.ts";
import { recorded, RUN, stateOf } from "../support/builders.ts";
import { blocked, finished, killed, paused, stalled } from "../support/stories.ts";

interface Screens {
  readonly io: CliIo;
  readonly display: RunDisplay;
  out(): string;
  err(): string;
}

function screens(options: Partial<ViewOptions> = {}, terminal: number | null = null): Screens {
  const stream = (): PassThrough =>
    Object.assign(new PassThrough(), terminal === null ? {} : { isTTY: true, columns: terminal });
  const io: CliIo = {
    stdin: new PassThrough(),
    stdout: stream(),
    stderr: stream(),
    cwd: "/",
    env: { NO_COLOR: "1" },
    readerGone: new AbortController().signal,
  };
  const text = (from: CliIo["stdout"]) => (): string => {
    let output = "";
    // One read may return all that was written, or one chunk of it: that depends on the Node.
    for (let got = chunkOf(from); got !== null; got = chunkOf(from)) output += got.toString("utf8");
    return output;
  };
  const display = createDisplay(io, {
    json: false,
    quiet: false,
    verbose: false,
    run: RUN,
    short: "k3f9",
    ...options,
  });
  return { io, display, out: text(io.stdout), err: text(io.stderr) };
}

function chunkOf(from: CliIo["stdout"]): Buffer | null {
  const got: unknown = from instanceof PassThrough ? from.read() : null;
  return Buffer.isBuffer(got) ? got : null;
}

function play({ display }: Screens, events: readonly RunEvent[]): void {
  const state = stateOf(events);
  display.view.recorded(recorded(events), state);
  const view = projectRun(state);
  if (view !== null) display.end(view, exitCodeOf(state));
}

test.each<[string, readonly RunEvent[]]>([
  ["summary-finished", finished],
  ["summary-paused", paused],
  ["summary-blocked", blocked],
  ["summary-stalled", stalled],
  ["summary-killed", killed],
])(
  "%s says how each task ended and what to do now, at 80 and at 40 columns",
  async (name, events) => {
    const texts = [80, 40].map((columns) => {
      const at = screens({}, columns);
      play(at, events);
      const text = at.out();
      expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns);
      return text;
    });
    await expect(texts.join("\n")).toMatchFileSnapshot(
      join(import.meta.dirname, `../golden/${name}.txt`),
    );
  },
);

test("with --json stdout holds events and the result only, one JSON text on each line", () => {
  const at = screens({ json: true });
  play(at, finished);
  const lines = at
    .out()
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(lines.slice(0, -1)).toEqual(
    recorded(finished).map(({ seq, epoch, at: time, event }) => ({
      v: LINE_VERSION,
      seq,
      epoch,
      at: time,
      run: RUN,
      ...event,
    })),
  );
  const view = projectRun(stateOf(finished));
  expect(lines.at(-1)).toEqual(view === null ? null : projectResult(view, 0));
  expect(at.err()).toContain("done, proven by its gates");
});

test("--quiet leaves the result and no progress", () => {
  const at = screens({ quiet: true });
  play(at, finished);
  expect(at.err()).toBe("");
  expect(at.out()).toContain("every task done");
});

test("outside a terminal there is no passing line and no control character", () => {
  const at = screens();
  at.display.view.recorded(recorded(killed), stateOf(killed));
  at.display.view.activity("add-login", "implement", { type: "thinking", text: "…" });
  at.display.stop();
  // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
  expect(at.err()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test("in a terminal the passing line shows the moment, cut to the width, and leaves no trace", async () => {
  const at = screens({}, 40);
  at.display.view.recorded(recorded(killed), stateOf(killed));
  at.err();
  const input = `src/${"long/".repeat(10)}name.ts`;
  at.display.view.activity("add-login", "implement", {
    type: "tool-call",
    id: "1",
    tool: "Edit",
    input: JSON.stringify({ file_path: input }),
  });
  let shown = "";
  await expect.poll(() => (shown += at.err())).toMatch(/^▸ add-login · Edit src\/\S*…\S*\.ts/);
  expect(shown.trimEnd().length).toBeLessThan(40);
  at.display.stop();
  expect(at.err()).toBe("\r\u001b[J");
});

test.each([
  ["Read", '{"file_path":"/tree/src/add.js"}', "Read src/add.js"],
  ["MultiEdit", '{"file_path":"/elsewhere/a.js","edits":[]}', "MultiEdit /elsewhere/a.js"],
  ["str_replace_editor", '{"path":"/tree/a.js"}', "str replace editor a.js"],
  ["Write", '{"file_path":"a b.md","content":"x"}', "Write a b.md"],
  ["Bash", '{"command":"npm test\\n\\u001b[31m","description":"Runs tests"}', "Bash npm test"],
  ["shell", "npm test", "shell npm test"],
  ["Grep", '{"pattern":"add\\\\("}', "Grep add\\("],
  ["WebFetch", '{"url":"https://example.com"}', "WebFetch https://example.com"],
  ["mcp__orch__ask_human", '{"question":"Which?"}', "ask human Which?"],
  ["TodoWrite", '{"todos":[]}', "TodoWrite"],
  ["Write", '{"file_path":"/tree/a.js","content":"cut', "Write a.js"],
  ["Bash", "{", "Bash"],
])("what %s %s does is told in words: %s", (tool, input, words) => {
  expect(activityWords({ type: "tool-call", id: "1", tool, input }, "/tree")).toBe(words);
});

test("--verbose also tells what the agent does, with its escapes made harmless", () => {
  const at = screens({ verbose: true });
  const text = "done \u001b]52;c;ZXZpbA==\u0007now";
  at.display.view.activity("add-login", "implement", { type: "text", text });
  at.display.stop();
  expect(at.err()).toContain("done now\n");
});

test("an error the user can fix is two lines, whatever it quotes", () => {
  const error = new OrchError(
    "task-missing",
    'no file "a\nb\u001b[31m"',
    "create it\nor name another",
  );
  expect(renderError(error)).toEqual({
    text: 'orch: no file "a b"\nhint: create it or name another',
    exitCode: 2,
  });
});

test("a bug shows its stack and the versions, and is 70", () => {
  const error = new Error("broken invariant: x");
  error.stack = "Error: broken invariant: x\n    at f (file.ts:1:1)";
  expect(renderError(error)).toEqual({
    text: [
      "orch: this is a bug in orch, not in your task",
      "Error: broken invariant: x",
      "    at f (file.ts:1:1)",
      `version: orch ${VERSION}, node ${process.version}`,
      "hint: report it with the lines above; `orch resume` continues from the last recorded event",
    ].join("\n"),
    exitCode: 70,
  });
});
