import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { privateFolder } from "../support/private-folder.ts";
import { initRepository } from "../support/repository.ts";
import { orch } from "../support/run-orch.ts";
import { expectCalm } from "../support/seen.ts";

const CONFIG = `
export default {
  agent: "mine",
  agents: { mine: { driver: "command", command: "cat", model: "m1" } },
  gates: { test: { run: "npm test" }, log: { fileExists: "CHANGELOG.md", required: false } },
  parallel: 2,
  worktree: { root: "/srv/trees" },
  pipelines: {
    default: [
      { name: "implement", prompt: "implement" },
      { name: "tell", prompt: "self", gates: "none", fileAccess: { allowWrite: ["docs/**"] } },
    ],
  },
};
`;

function project(): string {
  const root = privateFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const task = (name: string, ...keys: readonly string[]): void => {
    const front = keys.length === 0 ? [] : ["---", ...keys, "---"];
    write(`tasks/shop/${name}.md`, [...front, `# ${name.slice(3)}`, "It works."].join("\n"));
  };
  initRepository(root);
  write(".orchestrator.config.mjs", CONFIG);
  write("prompts/implement.md", "Do this:\n\n{{task}}\n\n{{gates}}");
  task("01-schema", 'scope: ["src/schema/**", "test/schema/**"]');
  task("02-prices", 'scope: ["src/**/*.sql"]');
  task("03-api", 'scope: ["src/api/*.ts"]', "dependsOn: [01-schema, 02-prices]");
  task("04-clean-up");
  task("05-web-pages-of-the-shop-and-its-checkout", 'scope: ["src/web/**"]');
  task("06-mail", 'scope: ["src/mail/*.ts"]');
  return root;
}

test.each<[string, readonly string[]]>([
  ["run-plan", ["run", "tasks/shop", "--plan"]],
  ["run-plan-one-tree", ["run", "tasks/shop", "--plan", "--isolation", "none", "--parallel", "4"]],
])("%s is shown calmly at 80 and at 40 columns, and begins nothing", async (name, args) => {
  const root = project();
  await expectCalm(name, args, root);
  expect(existsSync(join(root, ".orch"))).toBe(false);
});

test("programs get the order", async () => {
  const root = project();
  const args = ["run", "tasks/shop", "--plan", "--parallel", "3", "--json"];
  expect(JSON.parse((await orch(args, { cwd: root })).stdout)).toMatchObject({
    parallel: 3,
    waves: [
      [{ id: "01-schema" }, { id: "05-web-pages-of-the-shop-and-its-checkout" }, { id: "06-mail" }],
      [{ id: "02-prices" }],
      [{ id: "03-api", dependsOn: ["01-schema", "02-prices"] }],
      [{ id: "04-clean-up", scope: [] }],
    ],
  });
});
