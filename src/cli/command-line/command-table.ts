// Which commands are there, with which flags, and which file carries each out?

import { SANDBOXES } from "../../core/model/settings.ts";
import { LANDINGS } from "../../core/model/landing.ts";
import { AGENT_COMMANDS } from "./command-table-agents.ts";
import { AS_JSON, RELOAD, UNATTENDED, type CommandSpec, type FlagRules } from "./command-spec.ts";
import { WORK_COMMANDS } from "./command-table-work.ts";
import { FLEET_COMMANDS } from "./command-table-fleet.ts";
import { ACTION_FLAGS } from "./options.ts";

const FOLLOWING = [
  ["--wait", "keep running while a question waits"],
  ["--json", "print events, then the result, as lines of JSON"],
  ["--quiet", "no progress; questions and the result only", { excludes: ["verbose"] }],
  ["--verbose", "also what the agent says and does"],
] as const;

const LEVEL: FlagRules = { choices: ["0", "1", "2", "3", "4", "5"] };

/** One answer at a time, and none with the mere list. */
const WAY: FlagRules = { excludes: ["list", ...ACTION_FLAGS] };

const THRESHOLD = [
  ["--interaction-threshold <n>", "0 never asks a person … 5 asks most readily", LEVEL],
  [
    "--threshold <n>",
    "short for --interaction-threshold",
    { ...LEVEL, excludes: ["interactionThreshold"] },
  ],
] as const;

export const COMMANDS: readonly CommandSpec[] = [
  {
    usage: "run [task...]",
    summary: "run a task until it is proven done",
    more: "Tasks are Markdown files (by name or path), a folder of them, or words in quotes.",
    options: [
      ...THRESHOLD,
      ["--agent <agent>", "an agent of the config; a,b: b takes over from a"],
      ["--best-of <n>", "so many candidates, the best is merged; or a,b: the agent of each"],
      ["--model <name>", "the agent's model"],
      ["--pipeline <pipeline>", "a pipeline of the config"],
      [
        "--isolation <where>",
        '"worktree" (each task in its own worktree) or "none" (in the checkout)',
        { choices: ["worktree", "none"] },
      ],
      [
        "--proof <how>",
        '"strict": only proven work is done without a person',
        { choices: ["strict"] },
      ],
      [
        "--landing <how>",
        'where finished work goes: "leave" (its branch), "merge" or "pull-request"',
        { choices: LANDINGS },
      ],
      [
        "--sandbox <how>",
        '"bwrap" confines agents, gates and setup (Linux); "none" does not',
        { choices: SANDBOXES },
      ],
      ["--fresh", "measure again what earlier runs measured"],
      ["--with-changes", "start from a snapshot that includes uncommitted files"],
      ["--parallel <n>", "how many tasks may run at once, 1 to 64"],
      ["--plan", "show which tasks would run together; runs nothing"],
      ["--on <where>", '"fleet": on the machines of a fleet', { choices: ["fleet"] }],
      ["--detach", "with --on fleet: print the run's id, and do not follow it"],
      ["--needs <label...>", "with --on fleet: only workers that have these labels"],
      ...UNATTENDED,
      ...FOLLOWING,
    ],
    examples: [
      "orch run tasks/add-login.md",
      "orch run add-login fix-logout",
      "orch run tasks/checkout/ --parallel 3",
      "orch run tasks/checkout/ --plan",
      'orch run "make the flaky test deterministic"',
      "orch run tasks/x.md --interaction-threshold 0 --json",
      "orch run tasks/x.md --answers answers.json",
    ],
    run: async (...all) => (await import("../commands/run.ts")).runCommand(...all),
  },
  {
    usage: "resume [run]",
    summary: "continue a run that paused or died",
    more: "Without an id: an unfinished run whose question was answered, else the newest one.",
    options: [
      ...THRESHOLD,
      RELOAD,
      ["--take-over", "claim a run from another machine that is known to be gone"],
      ...UNATTENDED,
      ...FOLLOWING,
    ],
    examples: ["orch resume", "orch resume k3f9 --wait", "orch resume --threshold 0"],
    run: async (...all) => (await import("../commands/resume.ts")).resumeCommand(...all),
  },
  {
    usage: "answer [id] [text]",
    summary: "answer a waiting question",
    more: "With one question waiting no id is needed. In a terminal, without an answer, the question is shown and you are prompted.",
    options: [
      ["--list", "list waiting questions, oldest first", WAY],
      ["--guidance <text>", "tell the agent what it should know or do", WAY],
      ["--accept", "a plan: carry it out; finished work: take it as it is", WAY],
      ["--all", "with --accept: all that has a yes", { excludes: ["list", "resume"] }],
      ["--resume", "then resume the run, if nobody works on it", { excludes: ["list"] }],
      ["--amend <text>", "a plan: say what to change", WAY],
      ["--reject", "a plan: end the task", WAY],
      ["--extend [amount]", "a limit: extend it, or extend it by this much", WAY],
      ["--skip", "skip the task", WAY],
      ["--retry", "try again as is", WAY],
      ["--abort", "end the run", WAY],
      ["--run <run>", "the run the question belongs to"],
      ["--by <name>", "who answers, for the record"],
      AS_JSON,
    ],
    examples: [
      'orch answer "use the session table"',
      "orch answer 2",
      'orch answer q1 "use the session table"',
      "orch answer q2 --extend 30m",
      "orch answer --accept --all",
      "orch answer --list --json",
    ],
    run: async (...all) =>
      all[1]["list"] === true
        ? (await import("../commands/waiting.ts")).listWaiting(...all)
        : (await import("../commands/answer.ts")).answerCommand(...all),
  },
  {
    usage: "tell [task] [words]",
    summary: "say something to a running agent",
    more: "Claude Code gets it while it works, other agents with their next prompt. It answers no question and allows nothing. With one task at work no name is needed.",
    options: [["--run <run>", "the run of the task"], AS_JSON],
    examples: [
      'orch tell "use the existing helper"',
      'orch tell add-login "leave the old route in place"',
    ],
    run: async (...all) => (await import("../commands/tell.ts")).tellCommand(...all),
  },
  {
    usage: "status [run]",
    summary: "where a run stands, and what to do next",
    more: "Without an id: the unfinished run, else the newest.",
    options: [AS_JSON],
    examples: ["orch status", "orch status k3f9 --json"],
    run: async (...all) => (await import("../commands/status.ts")).statusCommand(...all),
  },
  {
    usage: "list",
    summary: "all runs, newest first",
    more: "The latest 20 unless --all is given.",
    options: [["--all", "all of them"], AS_JSON],
    examples: ["orch list", "orch list --all --json"],
    run: async (...all) => (await import("../commands/list.ts")).listCommand(...all),
  },
  {
    usage: "show [run] [task]",
    summary: "attempts, gates, decisions, answers, cost, files",
    options: [AS_JSON],
    examples: ["orch show", "orch show add-login", "orch show k3f9 add-login"],
    run: async (...all) => (await import("../commands/show.ts")).showCommand(...all),
  },
  {
    usage: "explain [run] [task]",
    summary: "why the last decision was made",
    more: "The rule, its evidence, and what came close.",
    options: [["--all", "every decision, oldest first"], AS_JSON],
    examples: ["orch explain", "orch explain add-login --all"],
    run: async (...all) => (await import("../commands/explain.ts")).explainCommand(...all),
  },
  ...WORK_COMMANDS,
  {
    usage: "replay [run...]",
    summary: "decide recorded attempts again under another policy",
    more: "Without another policy it checks that today's rules decide as recorded (exit code 1: they do not).",
    options: [
      ["--set <key=value...>", "a value of the config to use instead"],
      ["--all", "also the decisions that do not differ"],
      AS_JSON,
    ],
    examples: ["orch replay", "orch replay k3f9 --set interactionThreshold=4 budget.attempts=5"],
    run: async (...all) => (await import("../commands/replay.ts")).replayCommand(...all),
  },
  {
    usage: "policy",
    summary: "the limits that decide, and where each is set",
    more: "What a step or a task says itself comes before them.",
    options: [AS_JSON],
    examples: ["orch policy"],
    run: async (...all) => (await import("../commands/policy.ts")).policyCommand(...all),
  },
  {
    usage: "watch [run]",
    summary: "follow a run live from another terminal",
    more: "Shows what the run's own terminal shows. Ctrl+C stops watching, not the run.",
    options: [["--verbose", "also what the agents say and do"]],
    examples: ["orch watch", "orch watch k3f9 --verbose"],
    run: async (...all) => (await import("../commands/log.ts")).watchCommand(...all),
  },
  {
    usage: "log [run]",
    summary: "the events of a run, as a story",
    options: [
      ["-f, --follow", "follow until the run ends"],
      ["--json", "print the raw events of the log"],
    ],
    examples: ["orch log", "orch log --follow", "orch log k3f9 --json | head"],
    run: async (...all) => (await import("../commands/log.ts")).logCommand(...all),
  },
  {
    usage: "init",
    summary: "find this project's tests and write a config",
    more: "Runs the commands it finds once, on the last commit, and uses those that prove something there as gates.",
    options: [
      ["--skip-checks", "run nothing: use all commands that are found"],
      ["--prompts", "also copy the prompts, so that you can edit them"],
      ["--force", "replace existing files"],
      AS_JSON,
    ],
    examples: ["orch init", "orch init --prompts"],
    run: async (...all) => (await import("../commands/init.ts")).initCommand(...all),
  },
  {
    usage: "new <words...>",
    summary: "write a task file",
    more: "The file is named after the words and goes into the task folder.",
    options: [AS_JSON],
    examples: ['orch new "Add login"'],
    run: async (...all) => (await import("../commands/new.ts")).newCommand(...all),
  },
  {
    usage: "validate [task...]",
    summary: "check config and tasks; runs nothing",
    options: [AS_JSON],
    examples: ["orch validate", "orch validate tasks/add-login.md"],
    run: async (...all) => (await import("../commands/validate.ts")).validateCommand(...all),
  },
  {
    usage: "doctor",
    summary: "check everything a run needs, and say what to do",
    more: "Checks programs, repository, config, tasks and agents, and runs the gates on the last commit. Exit code 2 if something must be fixed first.",
    options: [
      ["--no-gates", "do not run the gates"],
      ["--deep", "try whether a gate reads this tree, however long it takes"],
      ["--fleet", "see also whether runs can go to the fleet from here"],
      AS_JSON,
    ],
    examples: ["orch doctor", "orch doctor --no-gates", "orch doctor --fleet"],
    run: async (...all) => (await import("../commands/doctor.ts")).doctorCommand(...all),
  },
  {
    usage: "agents",
    summary: "which agents are there, and what each of them can do",
    more: "Those of the config, and those that orch knows by name: `orch run --agent gemini` needs no entry. Of each: whether it is installed, its version, whether it is signed in as far as that costs nothing, and who gets what its model reads.",
    options: [AS_JSON],
    examples: ["orch agents", "orch agents --json"],
    run: async (...all) => (await import("../commands/agents.ts")).agentsCommand(...all),
  },
  {
    usage: "demo",
    summary: "watch a scripted run; needs no agent and no key",
    options: FOLLOWING,
    examples: ["orch demo"],
    run: async (...all) => (await import("../commands/demo.ts")).demoCommand(...all),
  },
  {
    usage: "completion <shell>",
    summary: "make Tab complete the words behind orch",
    more: "Prints what bash, zsh or fish needs for it: commands, their flags, and files. Print it anew after an update.",
    options: [],
    examples: [
      "orch completion bash > ~/.local/share/bash-completion/completions/orch",
      'orch completion zsh > "${fpath[1]}/_orch"',
      "orch completion fish > ~/.config/fish/completions/orch.fish",
    ],
    run: async (words, _given, io) =>
      (await import("../commands/completion.ts")).completion(COMMANDS, words, io),
  },
  ...AGENT_COMMANDS,
  ...FLEET_COMMANDS,
];
