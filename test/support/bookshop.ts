// A small project with three tasks that between them meet everything a run can come across.

import { scriptedAgent } from "./scripted-agent.ts";
import { sandbox, type Sandbox } from "./whole-program.ts";

const CONFIG = `export default {
  agent: "scripted",
  agents: { scripted: ${scriptedAgent()} },
  gates: { check: { run: "sh check.sh", parse: "none" } },
  pipelines: {
    "plan-first": [
      { name: "plan", prompt: "self", gates: [{ name: "planned", fileExists: "PLAN.md" }] },
      { name: "build", prompt: "self", gates: ["check"] },
    ],
  },
  defaultPipeline: "default",
};
`;

const completed = { report: { version: 1, status: "completed", summary: "done" } };

/** Red first, then green; a question; two steps. "sign" has the first two in one. */
const SCRIPT = {
  sessions: [
    { task: "01-greet", attempt: 1, do: [write("greet.txt", "helo\n"), completed] },
    { task: "01-greet", do: [write("greet.txt", "hello\n"), completed] },
    {
      task: "02-name",
      do: [
        { ask: { question: "Which name?", options: ["Ada", "Grace"], impact: "major" } },
        write("name.txt", "${answer}\n"),
        completed,
      ],
    },
    { task: "sign", attempt: 1, do: [write("greet.txt", "helo\n"), completed] },
    {
      task: "sign",
      do: [
        { ask: { question: "Which name?", options: ["Ada", "Grace"], impact: "major" } },
        write("greet.txt", "hello\n"),
        write("sign.txt", "${answer}\n"),
        completed,
      ],
    },
    { task: "03-shelf", step: "plan", do: [write("PLAN.md", "1. a shelf\n"), completed] },
    { task: "03-shelf", step: "build", do: [write("shelf.txt", "books\n"), completed] },
  ],
};

export const BOOKSHOP: Readonly<Record<string, string>> = {
  ".orchestrator.config.js": CONFIG,
  "script.json": JSON.stringify(SCRIPT),
  "check.sh": 'test "$(cat greet.txt)" = hello || { echo "greet.txt: expected hello"; exit 1; }\n',
  "more/sign.md": "---\ninteractionThreshold: 3\n---\n# Sign\n\nPaint a sign.\n",
  "tasks/01-greet.md": "# Greet\n\nWrite the greeting.\n",
  "tasks/02-name.md": "---\ninteractionThreshold: 3\n---\n# Name\n\nAsk for the name.\n",
  "tasks/03-shelf.md": "---\npipeline: plan-first\n---\n# Shelf\n\nBuild a shelf.\n",
};

export function bookshop(): Sandbox {
  return sandbox({ files: BOOKSHOP });
}

/** What the run came to, as far as a person could tell afterwards. */
export function outcomeOf({ git }: Sandbox): Readonly<Record<string, unknown>> {
  const branches = git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n");
  return {
    head: git("symbolic-ref", "HEAD"),
    uncommitted: git("status", "--porcelain"),
    rescues: git("for-each-ref", "--format=%(refname)", "refs/orch/*/*/rescue-*"),
    commits: Object.fromEntries(
      // Message and whole tree of every commit; times, ids and so their order differ from run to run.
      branches.map((branch) => [
        branch.replace(/^orch\/\d{8}-.*/, "orch/<run>"),
        git("log", "-z", "--format=%T %B", branch, "--").split("\0").sort(),
      ]),
    ),
  };
}

function write(path: string, text: string): object {
  return { write: { path, text } };
}
