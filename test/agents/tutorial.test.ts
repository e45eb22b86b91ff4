import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { startMessagesServer, type Turn } from "../support/messages-server.mjs";
import { PROGRAM } from "../support/run-orch.ts";
import { flat, steady } from "../support/steady.ts";
import { bash, claudeBinary, makeAgentHome, writesReport } from "./support.ts";

const PAGE = join(import.meta.dirname, "../../docs/tutorial.md");

/** Two attempts, as an agent might go about it: the first forgets the comma. */
const TURNS: readonly Turn[] = [
  {
    text: "A list of names is joined; I add the tests.",
    ...bash(`cat > src/greet.js <<'END'
export function greet(names) {
  const list = [names].flat();
  return \`Hello, \${list.join(" and ")}!\`;
}
END
cat >> test/greet.test.js <<'END'

test("greets two people", () => {
  assert.equal(greet(["Ada", "Grace"]), "Hello, Ada and Grace!");
});

test("greets three people", () => {
  assert.equal(greet(["Ada", "Grace", "Edsger"]), "Hello, Ada, Grace and Edsger!");
});
END`),
  },
  writesReport({ version: 1, status: "completed", summary: "greet takes a list of names." }),
  { text: "Done: greet takes a list of names." },
  {
    text: "Commas stand between all but the last two.",
    ...bash(`cat > src/greet.js <<'END'
export function greet(names) {
  const list = [names].flat();
  const last = list.slice(-2).join(" and ");
  return \`Hello, \${[...list.slice(0, -2), last].join(", ")}!\`;
}
END`),
  },
  writesReport({ version: 1, status: "completed", summary: "Commas between all but the last." }),
  { text: "Done: all tests pass." },
];

/** A file to write, a script to run, or commands with the screen they leave. */
type Block = readonly [all: string, kind: string, path: string, text: string];

function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^```(\w+)(?: (\S+))?\n([^]*?)^```$/gm)].map(
    ([all, kind = "", path = "", text = ""]) => [all, kind, path, text],
  );
}

test("each screen of the tutorial is what Claude Code and orch show today", async () => {
  const server = await startMessagesServer(TURNS);
  const home = makeAgentHome(server.url);
  const bin = join(home.root, "home/bin");
  mkdirSync(bin);
  symlinkSync(claudeBinary(), join(bin, "claude"));
  writeFileSync(join(bin, "orch"), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  chmodSync(join(bin, "orch"), 0o755);
  const who = ["AUTHOR", "COMMITTER"].flatMap((role) => [
    [`GIT_${role}_NAME`, "Ada"],
    [`GIT_${role}_EMAIL`, "ada@example.org"],
  ]);
  const env = {
    ...home.env,
    ...Object.fromEntries(who),
    PATH: `${bin}:${home.env["PATH"] ?? ""}`,
    ORCH_CLAUDE_BIN: join(bin, "claude"),
    COLUMNS: "80",
  };
  let cwd = home.tree;
  const shown = (command: string): Promise<string> => inShell(command, cwd, env);
  const page = readFileSync(PAGE, "utf8");
  let now = page;
  for (const [all, kind, path, text] of blocksOf(page)) {
    if (path !== "") {
      writeFileSync(join(cwd, path), text);
    } else if (kind === "sh") {
      await shown(text);
      if (text.startsWith("mkdir greeter")) cwd = join(cwd, "greeter");
    } else if (kind === "console") {
      const commands = [...text.matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => command);
      const screens: string[] = [];
      for (const command of commands) screens.push(`$ ${command}\n${await shown(command)}`);
      const screen = steady(screens.join("\n").replaceAll(join(home.root, "home"), "~"));
      now = now.replace(all, () => `\`\`\`console\n${screen.trimEnd()}\n\`\`\``);
    }
  }
  await server.close();
  rmSync(home.root, { recursive: true, force: true });
  if (process.env["ORCH_TEST_UPDATE"] === "tutorial") writeFileSync(PAGE, now);
  expect(flat(now)).toBe(flat(readFileSync(PAGE, "utf8")));
});

/** What a person would see, as one text. */
function inShell(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    execFile("sh", ["-c", `exec 2>&1\n${command}`], { cwd, env }, (_error, out) => resolve(out));
  });
}
