import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { environmentLevel } from "../../src/adapters/environment.ts";
import { createRedactor } from "../../src/adapters/redact.ts";
import { runSourceOf } from "../../src/adapters/project/task-argument.ts";
import { readTasks, taskSource, tasksOf } from "../../src/adapters/project/task-source.ts";
import type { TaskContext } from "../../src/adapters/project/task-source.ts";
import type { RunSource } from "../../src/core/model/event.ts";
import { NO_OVERRIDES, type Settings } from "../../src/core/model/settings.ts";
import { OrchError } from "../../src/errors.ts";
import { defaultSettings } from "../../src/schema/config.ts";
import { makeProject } from "../support/project.ts";

const FOLDER: RunSource = { kind: "folder", path: "tasks" };

function context(root: string, settings: Partial<Settings> = {}): TaskContext {
  const gates = [{ kind: "file-exists", name: "done", path: "done", required: true }] as const;
  return {
    root,
    settings: { ...defaultSettings(), gates, ...settings },
    flags: NO_OVERRIDES,
    environmentLevel: null,
  };
}

function problems(root: string, source: RunSource = FOLDER): readonly string[] {
  return readTasks(source, context(root)).problems.map(
    ({ where, message, suggestion }) => `${where}: ${message} | ${suggestion}`,
  );
}

function errorOf(act: () => unknown): OrchError {
  try {
    act();
  } catch (error) {
    if (error instanceof OrchError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** Nobody can tell what an author changed. */
const unknown = () => Promise.resolve(null);

describe("a folder of tasks", () => {
  test("is a sequence in the order of names, numbers by their value", () => {
    const root = makeProject({
      "tasks/10-last.md": "# Last",
      "tasks/2-second.md": "# Second",
      "tasks/1-first.md": "# First",
      "tasks/notes.txt": "no task",
      "tasks/.hidden.md": "no task",
      "tasks/sub/3-other.md": "no task",
    });
    const { tasks } = readTasks(FOLDER, context(root));
    expect(tasks.map(({ id, title, source }) => ({ id, title, source }))).toEqual([
      { id: "1-first", title: "First", source: { kind: "file", path: "tasks/1-first.md" } },
      { id: "2-second", title: "Second", source: { kind: "file", path: "tasks/2-second.md" } },
      { id: "10-last", title: "Last", source: { kind: "file", path: "tasks/10-last.md" } },
    ]);
  });

  test("names each task in the letters of its script, and what has none by its place", () => {
    const names = [
      "1. Задача",
      "größe",
      "Gro\u0308ße 2",
      "日本語",
      "हिन्दी",
      "🚀",
      "_!",
      "..x",
      "\u3164",
    ];
    const root = makeProject(Object.fromEntries(names.map((name) => [`tasks/${name}.md`, name])));
    const { tasks, problems: faults } = readTasks(FOLDER, context(root));
    expect(faults).toEqual([]);
    expect(new Set(tasks.map(({ id }) => id))).toEqual(
      new Set(["task-1", "task-6", "1-задача", "größe", "größe-2", "हिन्दी", "日本語"]),
    );
  });

  test("gives its _ files to every task as context", () => {
    const root = makeProject({
      "tasks/_style.md": "Be brief.\n",
      "tasks/a.md": "A",
      "tasks/b.md": "B",
    });
    const { tasks } = readTasks(FOLDER, context(root));
    expect(tasks.map((task) => task.context)).toEqual([
      [{ name: "_style.md", text: "Be brief." }],
      [{ name: "_style.md", text: "Be brief." }],
    ]);
  });

  test("is looked through for new tasks alone, in the tree where one was written", async () => {
    const root = makeProject({ "tasks/a.md": "A", "tasks/_style.md": "Be brief." });
    const source = taskSource(FOLDER, context(root), createRedactor({}));
    const [author] = readTasks(FOLDER, context(root)).tasks;
    if (author === undefined) throw new Error("no task");
    const tree = makeProject({
      "tasks/a.md": "---\nnonsense: 1\n---\nanother text",
      "tasks/b.md": "---\ndependsOn: [a]\ngates: [nonsense]\nallow: [push]\n---\nB",
      "tasks/_style.md": "Be long.",
    });
    const where = { tree, takenIds: [author.id], author, changed: unknown };
    const { tasks: added, unusable } = await source.added(where);
    expect(added).toMatchObject([
      {
        task: { id: "b", dependsOn: ["a"], allow: [], context: author.context },
        notHeeded: ["gates", "allow"],
      },
    ]);
    expect(unusable).toEqual([]);
    const none = { tasks: [], unusable: [] };
    expect(await source.added({ ...where, tree: null })).toEqual(none);
    expect(await source.added({ ...where, changed: () => Promise.resolve(["a.ts"]) })).toEqual(
      none,
    );
    const secret = `ghp_${"aB3dE6gH9".repeat(4)}`;
    rmSync(join(tree, "tasks"), { recursive: true });
    mkdirSync(join(tree, "tasks"));
    writeFileSync(join(tree, `tasks/${secret}.md`), `# Use ${secret}`);
    const changed = () => Promise.resolve([`tasks/${secret}.md`]);
    const [one] = (await source.added({ ...where, changed })).tasks;
    expect([one?.task.id, one?.task.title]).toEqual(["redacted", "Use [redacted]"]);
    rmSync(join(tree, "tasks"), { recursive: true });
    expect(await source.added(where)).toEqual(none);
  });

  test("adds no new task that cannot be run, nor one that waits for it, and says why", async () => {
    const root = makeProject({ "tasks/a.md": "A" });
    const [author] = readTasks(FOLDER, context(root)).tasks;
    if (author === undefined) throw new Error("no task");
    const tree = makeProject({
      "tasks/b.md": "---\nx: 1\n---\nB",
      "tasks/c.md": "---\ndependsOn: [b]\n---\nC",
      "tasks/d.md": "---\ndependsOn: [e]\n---\nD",
      "tasks/e.md": "---\ndependsOn: [d]\n---\nE",
      "tasks/f.md": "---\ndependsOn: [a]\n---\nF",
    });
    const where = { tree, takenIds: [author.id], author, changed: unknown };
    const { tasks: added, unusable } = await taskSource(
      FOLDER,
      context(root),
      createRedactor({}),
    ).added(where);
    expect(added.map(({ task }) => task.id)).toEqual(["f"]);
    expect(unusable).toEqual([
      expect.stringContaining('tasks/b.md: unknown key "x"'),
      'tasks/c.md: dependsOn: there is no task "b" in this folder',
      "tasks/d.md: the tasks wait for each other: d → e → d",
      'tasks/e.md: dependsOn: there is no task "d" in this folder',
    ]);
  });

  test("orders its tasks by what they depend on, however that is written", () => {
    const root = makeProject({
      "tasks/01-schema.md": "S",
      "tasks/02-api.md": "---\ndependsOn: [01-schema.md, 01-schema]\n---\nA",
    });
    const { tasks, problems: faults } = readTasks(FOLDER, context(root));
    expect(faults).toEqual([]);
    expect(tasks.map((task) => task.dependsOn)).toEqual([[], ["01-schema"]]);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      "an unknown dependency",
      { "tasks/01-schema.md": "S", "tasks/b.md": "---\nmodel: m\ndependsOn: [01-shcema]\n---\nB" },
      'tasks/b.md: dependsOn: there is no task "01-shcema" in this folder | did you mean "01-schema"?',
    ],
    [
      "a cycle, as a path",
      { "tasks/a.md": "---\ndependsOn: [b]\n---\nA", "tasks/b.md": "---\ndependsOn: [a]\n---\nB" },
      "tasks/a.md: the tasks wait for each other: a → b → a | remove one of these dependencies",
    ],
    [
      "two files of one id",
      { "tasks/Add Login.md": "A", "tasks/add-login.md": "B" },
      'tasks/add-login.md: has the same id "add-login" as Add Login.md | rename one of the files',
    ],
    [
      "a file that is called like another's place",
      { "tasks/!.md": "A", "tasks/task-1.md": "B" },
      'tasks/task-1.md: has the same id "task-1" as !.md | rename one of the files',
    ],
  ])("with %s says where and what instead", (_name, files, message) => {
    expect(problems(makeProject(files))).toEqual([message]);
  });

  test.each([
    ["without a task", { "tasks/_context.md": "C" }],
    ["that is gone", {}],
  ])("%s is an error", (_name, files) => {
    const root = makeProject(files);
    expect(errorOf(() => readTasks(FOLDER, context(root))).code).toBe("task-missing");
  });

  test("is not read through a link out of the repository", () => {
    const outside = makeProject({ "secret.md": "# Secret" });
    const root = makeProject({ "tasks/a.md": "A", "docs/real.md": "# Real" });
    symlinkSync(join(outside, "secret.md"), join(root, "tasks/b.md"));
    symlinkSync(join(root, "docs/real.md"), join(root, "tasks/c.md"));
    const { tasks, problems: faults } = readTasks(FOLDER, context(root));
    expect(tasks.map((task) => task.id)).toEqual(["a", "c"]);
    expect(faults.map(({ where, message }) => `${where}: ${message}`)).toEqual([
      "tasks/b.md: a link out of the repository; tasks are not read through it",
    ]);
  });
});

describe("a single task file", () => {
  const source: RunSource = { kind: "file", path: "tasks/b.md" };
  const files = {
    "tasks/_c.md": "C",
    "tasks/a.md": "A",
    "tasks/b.md": "---\ndependsOn: [a]\n---\nB",
  };

  test("waits for no other task, and says so", () => {
    const { tasks, notes } = readTasks(source, context(makeProject(files)));
    expect(tasks.map((task) => task.dependsOn)).toEqual([[]]);
    expect(notes).toEqual(["b depends on a, not part of this run and taken as done"]);
  });

  test("must still name tasks that exist", () => {
    const root = makeProject({ "tasks/b.md": "---\ndependsOn: [gone]\n---\nB" });
    expect(problems(root, source).length).toBe(1);
  });

  test("cannot wait for itself", async () => {
    const root = makeProject({ "tasks/b.md": "---\ndependsOn: [b]\n---\nB" });
    expect(errorOf(() => tasksOf(readTasks(source, context(root))))).toMatchObject({
      code: "task-cycle",
      message: "tasks/b.md: the tasks wait for each other: b → b",
    });
  });
});

describe("plain words", () => {
  test("are a task", () => {
    const text = "Make the flaky test deterministic!";
    const { tasks } = readTasks({ kind: "words", text }, context(makeProject({})));
    expect(tasks.map(({ id, title, body, source }) => ({ id, title, body, source }))).toEqual([
      {
        id: "make-the-flaky-test-deterministic",
        title: text,
        body: text,
        source: { kind: "words" },
      },
    ]);
  });
});

test("tasks that were named wait for each other, in their order, and for no other task", () => {
  const root = makeProject({
    "tasks/_c.md": "C",
    "tasks/a.md": "---\ndependsOn: [b, z]\n---\nA",
    "tasks/b.md": "B",
    "tasks/z.md": "Z",
  });
  const source: RunSource = { kind: "files", path: "tasks", names: ["b.md", "a.md"] };
  const { tasks, notes } = readTasks(source, context(root));
  expect(tasks.map((task) => [task.id, task.dependsOn, task.context.length])).toEqual([
    ["b", [], 1],
    ["a", ["b"], 1],
  ]);
  expect(notes).toEqual(["a depends on z, not part of this run and taken as done"]);
});

describe("the argument of orch run", () => {
  const files = { "tasks/add-login.md": "A", "notes.txt": "N", "sub/x.md": "X" };
  const of = (argument: string, root: string, cwd = root) => sourceOf([argument], root, cwd);

  test.each<[string, string, RunSource]>([
    ["a file", "tasks/add-login.md", { kind: "file", path: "tasks/add-login.md" }],
    [
      "a file with detours",
      "./sub/../tasks/add-login.md",
      { kind: "file", path: "tasks/add-login.md" },
    ],
    ["a task by its bare name", "add-login", { kind: "file", path: "tasks/add-login.md" }],
    ["a folder", "tasks/", { kind: "folder", path: "tasks" }],
    [
      "a sentence",
      "make the test deterministic",
      { kind: "words", text: "make the test deterministic" },
    ],
    [
      "a sentence with slashes",
      "read src/a.ts and/or mend it",
      { kind: "words", text: "read src/a.ts and/or mend it" },
    ],
    [
      "more words than a path may have",
      "make it work ".repeat(500),
      { kind: "words", text: "make it work ".repeat(500).trim() },
    ],
    [
      "a sentence that begins with a file's path",
      "notes.txt/is it read?",
      { kind: "words", text: "notes.txt/is it read?" },
    ],
  ])("may be %s", (_name, argument, source) => {
    expect(of(argument, makeProject(files))).toEqual(source);
  });

  test.each<[string, string, Readonly<Record<string, string>>, string]>([
    ["folder", "add-login", { "add-login/x.md": "X" }, "tasks/add-login.md"],
    ["file", "add-login", { "add-login": "X" }, "tasks/add-login.md"],
    ["folder", "Größe", { "Größe/x.md": "X", "tasks/Größe.md": "G" }, "tasks/Größe.md"],
  ])("is an error where it names a task and a %s", (kind, word, more, path) => {
    const root = makeProject({ ...files, ...more });
    const { code, message, hint } = errorOf(() => of(word, root));
    expect({ code, message }).toEqual({
      code: "usage",
      message: `"${word}" is a task and a ${kind}`,
    });
    expect(hint).toBe(`name the task \`${path}\`, or the ${kind} \`./${word}\``);
    expect(of(path, root)).toEqual({ kind: "file", path });
    if (kind === "folder") expect(of(`./${word}`, root)).toEqual({ kind, path: word });
  });

  test("is relative to where the person is", () => {
    const root = makeProject(files);
    expect(of("x.md", root, join(root, "sub"))).toEqual({ kind: "file", path: "sub/x.md" });
  });

  test("outside the repository is kept as an absolute path", () => {
    const elsewhere = makeProject({ "t.md": "T" });
    expect(of(join(elsewhere, "t.md"), makeProject(files))).toEqual({
      kind: "file",
      path: join(elsewhere, "t.md"),
    });
  });

  test.each<[string, string, string]>([
    ["tasks/add-lgoin.md", "task-missing", "check the path"],
    ["add-lgoin", "task-missing", "check the path"],
    ["nowhere/at/all", "task-missing", "check the path"],
    ["add login.md", "task-missing", "check the path"],
    ["notes.txt", "task-invalid", "ends in .md"],
    ["notes.txt/x", "task-missing", "check the path"],
    ["refactor", "task-missing", "a task in words is one argument in quotes"],
    ["/dev/null", "task-missing", "check the path"],
    ["  ", "usage", "name a task file"],
  ])("%j is never taken as words", (argument, code, hint) => {
    const error = errorOf(() => of(argument, makeProject(files)));
    expect(error.code).toBe(code);
    expect(error.hint).toContain(hint);
  });
});

describe("several arguments of orch run", () => {
  const of = (args: readonly string[]) => {
    const root = makeProject({
      "tasks/a.md": "A",
      "tasks/b.md": "B",
      "tasks/fix-cart.md": "C",
      "tasks/_house.md": "H",
      "other/d.md": "D",
      "notes.txt": "N",
    });
    return sourceOf(args, root);
  };
  const files = (...names: readonly string[]) => ({ kind: "files", path: "tasks", names });
  const one = { kind: "file", path: "tasks/a.md" };

  test.each<[string, readonly string[], unknown]>([
    ["names of tasks, in their order", ["b", "a"], files("b.md", "a.md")],
    ["paths", ["tasks/a.md", "./tasks/b.md"], files("a.md", "b.md")],
    ["what a shell makes of *.md", ["tasks/_house.md", "tasks/a.md"], one],
    ["the same task twice", ["a", "tasks/a.md"], one],
  ])("may be %s", (_name, args, source) => {
    expect(of(args)).toEqual(source);
  });

  test.each<[readonly string[], string, string]>([
    [["a", "fix-crat"], '"fix-crat"', "check the path"],
    [["a", "nothing"], '"nothing"', "check the path"],
    [["tasks", "no/such"], '"no/such"', "check the path"],
    [["a", "tasks"], "tasks is a folder", "name one folder"],
    [["a", "other/d.md"], "must lie in one folder", "on their own"],
    [["a", "notes.txt"], "not a Markdown file", "ends in .md"],
    [["fix", "the", "bug"], '"fix"', "in quotes"],
  ])("%j are refused", (args, message, hint) => {
    const error = errorOf(() => of(args));
    expect([error.message, error.hint]).toEqual([
      expect.stringContaining(message),
      expect.stringContaining(hint),
    ]);
  });
});

describe("ORCH_INTERACTION_THRESHOLD", () => {
  test.each<[string | undefined, number | null]>([
    [undefined, null],
    ["", null],
    ["0", 0],
    [" 5 ", 5],
  ])("%j means %s", (written, level) => {
    expect(environmentLevel({ ORCH_INTERACTION_THRESHOLD: written })).toBe(level);
  });

  test.each(["6", "-1", "2.5", "two", "0x1", "１"])(
    "%j is an error, and never a silent default",
    (written) => {
      expect(errorOf(() => environmentLevel({ ORCH_INTERACTION_THRESHOLD: written })).code).toBe(
        "usage",
      );
    },
  );
});

function sourceOf(args: readonly string[], root: string, cwd = root): RunSource {
  return runSourceOf(args, { cwd, root, taskFolder: join(root, "tasks") });
}
