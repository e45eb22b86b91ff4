// Is everything that orch writes valid by the JSON Schemas it publishes?

import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";

import { LINE_VERSION } from "../../src/schema/event-line.ts";
import { filesOf } from "../support/run-record.ts";
import { COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import { jsonLines, sandbox, type Json, type Sandbox } from "../support/whole-program.ts";

const SCHEMAS = join(import.meta.dirname, "../../schemas");

const ajv = new Ajv2020({
  allErrors: true,
  formats: {
    "date-time": (text: string) => !Number.isNaN(Date.parse(text)),
    uri: (text: string) => URL.canParse(text),
  },
});

/** What the schema of that name has against the document; empty: nothing. */
function problemsOf(schema: string, document: unknown): readonly string[] {
  const file = join(SCHEMAS, `${schema}.schema.json`);
  const validate = ajv.getSchema(file) ?? ajv.addSchema(read(file), file).getSchema(file);
  if (validate?.(document) === true) return [];
  return (validate?.errors ?? []).map(
    ({ instancePath, message = "" }) => `${schema}: ${instancePath} ${message}`,
  );
}

function read(file: string): Json {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The JSON files below a folder whose name fits. */
function written(folder: string, name: RegExp): readonly Json[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => name.test(basename(path)))
    .map((path) => read(join(folder, path)));
}

/** The documents in a run's folder and on its stdout, by the schema that describes them. */
function documentsOf(box: Sandbox, stdout: string): Readonly<Record<string, readonly Json[]>> {
  const files = filesOf(box);
  const printed = jsonLines(stdout);
  return {
    event: [...jsonLines(readFileSync(files.log, "utf8")), ...printed.slice(0, -1)],
    result: [...printed.slice(-1), ...written(files.folder, /^result\.json$/)],
    question: written(files.questions, /\.json$/),
    report: written(join(files.folder, "attempts"), /^report\.json$/),
  };
}

const ASK = { ask: { question: "Which way?", options: ["left", "right"], impact: "major" } };
const FAULT = [
  { printError: "API Error: 529 overloaded_error. Retry after 1 second." },
  { exit: 1 },
];

test("every document of a run that asked, waited, failed a gate and passed it", async () => {
  const box = smallProject({
    task: "---\ninteractionThreshold: 3\n---\n# Task\n\nAsk first.\n",
    sessions: [
      { attempt: 1, nth: 1, do: FAULT },
      { attempt: 1, do: [ASK, COMPLETED] },
      { do: GOOD_WORK },
    ],
  });
  const asked = await box.inProcess(["run", "task.md", "--json"]);
  expect(asked.exitCode).toBe(4);
  expectValid(box, asked.stdout);
  expect(await box.inProcess(["answer", "left"])).toMatchObject({ exitCode: 0 });
  const [left] = written(filesOf(box).inbox, /\.json$/);
  expect(problemsOf("answer", left)).toEqual([]);
  const resumed = await box.inProcess(["resume", "--json"]);
  expect(resumed.exitCode).toBe(0);
  expectValid(box, resumed.stdout);
});

test("every document of a run that stalls", async () => {
  const box = smallProject({ gate: "exit 1", config: "budget: { attempts: 1 }" });
  expectValid(box, (await box.inProcess(["run", "task.md", "--json"])).stdout);
});

function expectValid(box: Sandbox, stdout: string): void {
  const documents = documentsOf(box, stdout);
  expect(new Set(documents["event"]?.map(({ v }) => v))).toEqual(new Set([LINE_VERSION]));
  for (const [schema, each] of Object.entries(documents))
    expect(each.flatMap((document) => problemsOf(schema, document))).toEqual([]);
}

test("what `orch init` and `orch new` write", async () => {
  const box = sandbox({
    files: { "package.json": '{"type":"module","scripts":{"test":"vitest run"}}' },
  });
  expect(await box.inProcess(["init"])).toMatchObject({ exitCode: 0 });
  const code = encodeURIComponent(box.read(".orchestrator.config.js"));
  const config: Json = await import(`data:text/javascript,${code}`);
  expect(problemsOf("config", config["default"])).toEqual([]);
  expect(await box.inProcess(["new", "Add login"])).toMatchObject({ exitCode: 0 });
  const [, front = ""] = box.read("tasks/add-login.md").split("---\n");
  const used = front.replace(/^# (?=\w+: )/gm, "");
  expect(Object.keys(parse(used))).toContain("scope");
  expect(problemsOf("task-front-matter", parse(used))).toEqual([]);
});
