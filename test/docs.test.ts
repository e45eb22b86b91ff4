import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { loadConfig } from "../src/adapters/project/config-loader.ts";
import { BLOCKERS } from "../src/core/model/report.ts";
import { RULES } from "../src/core/model/decision.ts";
import { frontMatterSchema } from "../src/schema/task-file.ts";

const ROOT = join(import.meta.dirname, "..");

function pages(): readonly string[] {
  const docs = readdirSync(join(ROOT, "docs")).map((name) => join("docs", name));
  return ["README.md", "ARCHITECTURE.md", ...docs].filter((path) => path.endsWith(".md"));
}

function textOf(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** A page without its fenced examples: what stands in them is no link and no row. */
function proseOf(page: string): string {
  return textOf(page).replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, "");
}

function sectionOf(page: string, heading: string): string {
  const [, after = ""] = proseOf(page).split(`\n${heading}\n`);
  return after.split(/\n#+ /)[0] ?? "";
}

/** As GitHub names them, and the anchors a page sets itself. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = [...textOf(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  const headings = [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set([...anchors, ...headings]);
}

describe("every page", () => {
  test.each(pages())("%s links to files and headings that exist", (page) => {
    const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    const broken = links
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = "", anchor = ""] = target.split("#");
        const path = file === "" ? page : relative(ROOT, join(ROOT, dirname(page), file));
        if (!existsSync(join(ROOT, path))) return true;
        return anchor !== "" && !anchorsOf(path).has(anchor);
      });
    expect(broken).toEqual([]);
  });

  test("is linked from the README, so that nobody has to know its name", () => {
    const readme = textOf("README.md");
    expect(pages().filter((page) => page !== "README.md" && !readme.includes(`(${page})`))).toEqual(
      [],
    );
  });
});

describe("docs/rules.md and docs/decisions.md", () => {
  test("list the rules in the order in which they are tried", () => {
    const listed = [...proseOf("docs/rules.md").matchAll(/^\| (\d+) \| `([a-z-]+)` \|/gm)];
    expect(listed.map(([, number, id]) => [Number(number), id])).toEqual(
      Object.keys(RULES).map((id, index) => [index + 1, id]),
    );
  });

  test("class every blocker as the policy does", () => {
    const rows = sectionOf("docs/decisions.md", "## Blockers").matchAll(
      /^\| `([a-z_]+)` \| (hard|soft)/gm,
    );
    const kinds = Object.fromEntries([...rows].map(([, type = "", kind]) => [type, kind]));
    expect(kinds).toEqual(BLOCKERS);
  });
});

describe("docs/config.md and docs/tasks.md", () => {
  test("document every key of the front matter, and no other", () => {
    const rows = [...sectionOf("docs/tasks.md", "## Front matter").matchAll(/^\| `([^`]+)` \|/gm)];
    expect(rows.map(([, key = ""]) => key).sort()).toEqual(
      Object.keys(frontMatterSchema.shape).sort(),
    );
  });

  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const examples = pages().flatMap((page) =>
    [...textOf(page).matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
      ([, text = ""], index) => [page, index + 1, text] as const,
    ),
  );

  test("show examples", () => {
    expect(examples.length).toBeGreaterThan(10);
  });

  test.each(examples)("%s: example %i is a valid config", async (_page, _index, text) => {
    const folder = mkdtempSync(join(tmpdir(), "orch-docs-"));
    folders.push(folder);
    writeFileSync(join(folder, ".orchestrator.config.mjs"), text);
    await expect(loadConfig(folder)).resolves.toMatchObject({ folder });
  });
});
