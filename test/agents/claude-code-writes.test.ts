// Does the real Claude Code write only the files that its task and its step may write?

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { NO_FENCE, type Fence } from "../../src/core/model/fence.ts";
import { toolResults } from "../support/messages-server.mjs";
import { calls } from "./people.ts";
import { useBench, writesReport } from "./support.ts";

const bench = useBench();

const SCOPED: Fence = { ...NO_FENCE, scope: ["src/**"] };
const NOTEBOOK = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 };

test("a file that it may not write is refused with the patterns that are allowed, whatever the tool", async () => {
  const content = "written\n";
  const task = await bench([
    calls(
      ["read_1", "Read", { file_path: "docs/old.md" }],
      ["read_2", "Read", { file_path: "docs/old.ipynb" }],
    ),
    calls(["call_1", "Write", { file_path: "docs/new.md", content }]),
    calls(["call_2", "Edit", { file_path: "docs/old.md", old_string: "old", new_string: "new" }]),
    calls([
      "call_3",
      "NotebookEdit",
      { notebook_path: "docs/old.ipynb", new_source: "1", edit_mode: "insert", cell_type: "code" },
    ]),
    calls(["call_4", "Write", { file_path: "src/../docs/up.md", content }]),
    calls(["call_5", "Write", { file_path: "src/linked/in.md", content }]),
    calls(["call_6", "Write", { file_path: "/opt/elsewhere/a.md", content }]),
    calls(["call_7", "Write", { file_path: "src/new.md", content }]),
    writesReport(),
    { text: "Done." },
  ]);
  for (const path of ["docs", "src"]) mkdirSync(join(task.tree, path));
  writeFileSync(join(task.tree, "docs/old.md"), "old\n");
  writeFileSync(join(task.tree, "docs/old.ipynb"), JSON.stringify(NOTEBOOK));
  symlinkSync("../docs", join(task.tree, "src/linked"));
  expect((await task.run({ fence: SCOPED })).ending).toEqual({ kind: "finished" });
  const results = new Map(
    task.server.requests.flatMap(({ body }) =>
      toolResults(body).map(({ id, text }) => [id, text] as const),
    ),
  );
  const refused = "must not be changed. You may write only `src/**`.";
  for (const [id, words] of [
    ["call_1", `docs/new.md ${refused}`],
    ["call_2", `docs/old.md ${refused}`],
    ["call_3", `docs/old.ipynb ${refused}`],
    ["call_4", `docs/up.md ${refused}`],
    ["call_5", `docs/in.md ${refused}`],
    ["call_6", "/opt/elsewhere/a.md is outside your working tree"],
  ] as const)
    expect(results.get(id)).toContain(words);
  expect(readFileSync(join(task.tree, "src/new.md"), "utf8")).toBe(content);
  expect(readFileSync(join(task.tree, "docs/old.md"), "utf8")).toBe("old\n");
  expect(
    ["new.md", "up.md", "in.md"].filter((name) => existsSync(join(task.tree, "docs", name))),
  ).toEqual([]);
});
