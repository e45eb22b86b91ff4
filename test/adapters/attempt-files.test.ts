import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";

import { createAttemptFiles } from "../../src/adapters/session/attempt-files.ts";
import { createRunFolder } from "../../src/adapters/log/run-files.ts";
import { idOf, type RunId, type SessionToken } from "../../src/core/model/ids.ts";
import type { AttemptPlace } from "../../src/engine/ports.ts";
import { makePipe } from "../support/pipe.ts";
import { privateFolder } from "../support/private-folder.ts";

const SECRET = "sk-ant-abcdefghijklmnopqrstuvwxyz";
const redact = (text: string): string => text.replaceAll(SECRET, "[redacted]");
const token = (text: string): SessionToken => idOf<SessionToken>(text);

let root: string;

beforeEach(() => {
  root = privateFolder();
});

function created() {
  const run = createRunFolder(root, idOf<RunId>("20261120-121436-add-login-k3f9"));
  return createAttemptFiles({ run, prompts: {}, redact });
}

function place(more: Partial<AttemptPlace> = {}): AttemptPlace {
  const named = { task: "add-login", step: "implement", attempt: 2, token: token("t2") };
  return { root, ...named, ...more };
}

function mode(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8);
}

describe("an attempt's folders", () => {
  test("are made privately, where design and people expect them", async () => {
    const files = created();
    const opened = await files.open(place());
    expect(opened).toEqual({
      attemptDir: join(
        root,
        ".orch/runs/20261120-121436-add-login-k3f9/attempts/add-login/implement-2",
      ),
      planPath: join(root, ".orch", "session", "t2", "plan.md"),
      reportPath: join(root, ".orch/session/t2/report.json"),
    });
    expect(files.attemptDir(place())).toBe(opened.attemptDir);
    const reportFolder = dirname(opened.reportPath);
    expect([opened.attemptDir, reportFolder, dirname(reportFolder)].map(mode)).toEqual([
      "700",
      "700",
      "700",
    ]);
    expect(await files.open(place())).toEqual(opened);
  });

  test("are there for whoever goes on with the attempt, when they went with its machine", async () => {
    const files = created();
    const { attemptDir } = await files.open(place());
    rmSync(dirname(dirname(attemptDir)), { recursive: true });
    await files.keepEvidence(files.attemptDir(place()), {}, "");
    expect(readdirSync(attemptDir)).toEqual(["evidence.json", "gates"]);
  });

  test("are ignored by git, also after an agent emptied the file that says so", async () => {
    const files = created();
    writeFileSync(join(root, ".orch/.gitignore"), "");
    await files.open(place());
    expect(readFileSync(join(root, ".orch/.gitignore"), "utf8")).toBe("*\n");
    rmSync(join(root, ".orch/.gitignore"));
    symlinkSync(join(root, "elsewhere"), join(root, ".orch/.gitignore"));
    await files.open(place());
    expect(readFileSync(join(root, ".orch/.gitignore"), "utf8")).toBe("*\n");
    expect(existsSync(join(root, "elsewhere"))).toBe(false);
  });

  test("are never made through a link an agent put there", async () => {
    const files = created();
    const outside = join(root, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(root, ".orch/session"));
    const { reportPath } = await files.open(place());
    expect(realpathSync(dirname(reportPath))).toBe(dirname(reportPath));
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe("what is kept beside an attempt", () => {
  test("is redacted and private; a second session's prompt follows the first", async () => {
    const files = created();
    const { attemptDir } = await files.open(place());
    await files.keepPrompt(attemptDir, `Do it with ${SECRET}`);
    await files.keepPrompt(attemptDir, "");
    await files.keepPrompt(attemptDir, "Go on");
    await files.keepEvidence(attemptDir, { said: SECRET }, `+${SECRET}\n`);
    const kept = (name: string): string => readFileSync(join(attemptDir, name), "utf8");
    expect(kept("prompt.md")).toBe(
      "Do it with [redacted]\n\n<!-- the next session of this attempt -->\n\nGo on",
    );
    expect(kept("evidence.json")).toBe('{\n  "said": "[redacted]"\n}\n');
    expect(kept("diff.patch")).toBe("+[redacted]\n");
    expect(
      ["prompt.md", "evidence.json", "diff.patch"].map((n) => mode(join(attemptDir, n))),
    ).toEqual(["600", "600", "600"]);
  });
});

test("a note stands in the reasoning log, redacted and without what a terminal would obey", async () => {
  const files = created();
  const { attemptDir } = await files.open(place());
  files.note(place(), `asked about ${SECRET}\u001b[2J`);
  files.note(place(), "answered");
  const lines = readFileSync(join(attemptDir, "reasoning.log"), "utf8").split("\n");
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d asked about \[redacted\]/),
    expect.stringMatching(/^\d\d:\d\d:\d\d answered$/),
    "",
  ]);
  expect(lines.join("")).not.toContain("\u001b");
});

describe("the report of a session", () => {
  const REPORT = `{"version":1,"status":"completed","summary":"with ${SECRET}"}`;

  async function opened() {
    const files = created();
    const { reportPath, attemptDir } = await files.open(place());
    return { files, reportPath, attemptDir };
  }

  test("is read, copied away redacted, and found again after a crash", async () => {
    const { files, reportPath, attemptDir } = await opened();
    writeFileSync(reportPath, REPORT);
    const finding = await files.collectReport(place());
    expect(finding).toMatchObject({ kind: "read", report: { status: "completed" } });
    expect(readFileSync(join(attemptDir, "report.json"), "utf8")).toBe(
      '{"version":1,"status":"completed","summary":"with [redacted]"}',
    );
    expect(await files.collectReport(place())).toEqual(finding);
  });

  test("in UTF-16 with its mark, and with a last comma, is read like any other", async () => {
    const { files, reportPath } = await opened();
    const written = '{"version":1,"status":"completed","summary":"fertig: äöü",}';
    writeFileSync(reportPath, Buffer.from(`\ufeff${written}`, "utf16le"));
    expect(await files.collectReport(place())).toMatchObject({
      kind: "read",
      report: { status: "completed", summary: "fertig: äöü" },
    });
  });

  test("may be missing, unfinished or nonsense, and these are three findings", async () => {
    const { files, reportPath, attemptDir } = await opened();
    expect(await files.collectReport(place())).toEqual({ kind: "missing" });
    writeFileSync(reportPath, '{"status":"in_progress"}');
    expect(await files.collectReport(place())).toEqual({ kind: "in-progress" });
    writeFileSync(reportPath, "I am done!");
    expect(await files.collectReport(place())).toMatchObject({ kind: "unreadable" });
    expect(readFileSync(join(attemptDir, "report.json"), "utf8")).toBe("I am done!");
  });

  test("is read up to 256 KiB and not beyond", async () => {
    const { files, reportPath } = await opened();
    const most = 256 * 1024;
    writeFileSync(reportPath, '{"status":"completed","summary":"x"}'.padEnd(most));
    expect(await files.collectReport(place())).toMatchObject({ kind: "read" });
    writeFileSync(reportPath, '{"status":"completed","summary":"x"}'.padEnd(most + 1));
    expect(await files.collectReport(place())).toEqual({
      kind: "unreadable",
      problems: [`the report is longer than ${most} bytes`],
    });
  });

  test.each([
    [
      "a link",
      "the report is a link, and must be a file",
      (path: string) => {
        writeFileSync(join(root, "secret.json"), REPORT);
        symlinkSync(join(root, "secret.json"), path);
      },
    ],
    ["a folder", "the report is a folder, and must be a file", (path: string) => mkdirSync(path)],
    [
      "a pipe nobody writes to",
      "the report is not a regular file, and must be a file",
      (path: string) => makePipe(path),
    ],
  ])("that is %s is not read and not waited for", async (_name, problem, leave) => {
    const { files, reportPath, attemptDir } = await opened();
    leave(reportPath);
    expect(await files.collectReport(place())).toEqual({
      kind: "unreadable",
      problems: [problem],
    });
    expect(existsSync(join(attemptDir, "report.json"))).toBe(false);
  });

  test("in a folder that became a link is not read", async () => {
    const { files, reportPath } = await opened();
    const folder = dirname(reportPath);
    rmSync(folder, { recursive: true });
    mkdirSync(join(root, "elsewhere"));
    writeFileSync(join(root, "elsewhere/report.json"), REPORT);
    symlinkSync(join(root, "elsewhere"), folder);
    expect(await files.collectReport(place())).toEqual({
      kind: "unreadable",
      problems: [`${folder} is a link, and must be a folder`],
    });
  });
});

test("a report in an earlier session's place is not believed", async () => {
  const files = created();
  const earlier = await files.open(place({ attempt: 1, token: token("t1") }));
  await files.open(place());
  writeFileSync(earlier.reportPath, '{"status":"completed","summary":"late"}');
  const finding = await files.collectReport(place());
  expect(finding).toEqual({ kind: "missing" });
});
