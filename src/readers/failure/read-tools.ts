// What does a tool, a service or a log say went wrong?

import { familyOf } from "./families.ts";
import { reading } from "./reading.ts";
import type { Reader, Reading } from "./reading.ts";

/** Programs that say it in a line or two. */
export const TOOL_READERS: readonly Reader[] = [
  { id: "docker-build", read: dockerBuild },
  { id: "npm", read: npm },
  { id: "git-conflict", read: gitConflict },
  { id: "git", read: git },
  { id: "words", read: words },
];

const FACTS_MAX = 6;
const NPM_FACTS_MAX = 12;

const SOLVE = /^ERROR: failed to (?:solve|build)\b/;

/** A failed build step quotes the program that failed in it; both make the identity. */
function dockerBuild(lines: readonly string[]): Reading | null {
  const solve = lines.find((line) => SOLVE.test(line));
  if (solve === undefined) return null;
  const step = (line: string): boolean => SOLVE.test(line) || /^ERROR: process "|^ > \[/.test(line);
  const rest = lines.filter((line) => !step(line));
  const inner = npm(rest) ?? words(rest);
  return reading("docker build", inner?.code ?? null, [solve, ...(inner?.facts ?? [])]);
}

const NPM = /^npm (?:ERR!|error)(?: (.*))?$/;
/** What npm adds to every failure, and what the code or the other lines say already. */
const NPM_EXTRA: readonly (readonly [id: string, pattern: RegExp])[] = [
  ["root", /^path (?!.*node_modules).*[\\/][^.\\/]+$/],
  ["log", /^(?:A complete log|Log files were|\s*[\w:~/\\.-]*_logs[/\\])/],
  ["errno", /^errno /],
  ["code-alone", /^[A-Za-z_.0-9]{1,20}$/],
  [
    "related",
    /^(?:\w+ )?This is (?:related to npm|an error with npm|probably not a problem with npm)/,
  ],
  [
    "advice",
    /^(?:\w+ )?(?:To see a list|Fix the upstream|this command with|to accept an incorrect|Note:? |Note that|If you|You can|Did you mean|It is likely|There is likely|For a full report|See )/i,
  ],
  ["script-list", /^ {2}npm /],
  ["workspace-of", /^(?:location|workspace) /],
];

function npm(lines: readonly string[]): Reading | null {
  const said = lines.flatMap((line) => NPM.exec(line)?.[1] ?? []);
  const told = said
    .filter((text) => text.trim() !== "" && !NPM_EXTRA.some(([, extra]) => extra.test(text)))
    .slice(0, NPM_FACTS_MAX);
  const code = said.flatMap((text) => /^code (\S+)/.exec(text)?.[1] ?? [])[0] ?? null;
  // Where a script failed, npm is only the wrapper.
  const isScript = said.some((text) => /^(?:code (?:\d+|ELIFECYCLE)|command failed)$/.test(text));
  const inner = isScript ? words(lines.filter((line) => !NPM.test(line))) : null;
  return reading("npm", code, [...told, ...(inner?.facts ?? [])]);
}

function gitConflict(lines: readonly string[]): Reading | null {
  const facts = lines.filter((line) =>
    /^(?:CONFLICT \(|\s*! \[(?:remote )?rejected\] )/.test(line),
  );
  return reading("git", facts[0]?.startsWith("CONFLICT") === true ? "CONFLICT" : "rejected", facts);
}

const GIT_WORDS =
  /pathspec|refspec|repository|\.git\b|index\.lock|merge|rebase|cherry-pick|commit|branch|remote|checkout|worktree|upstream|stash|submodule|revision|ambiguous argument|unmerged|HEAD|Authentication failed|Could not read from|git /;

function git(lines: readonly string[]): Reading | null {
  const facts = lines.filter((line) => /^(?:remote: )?(?:fatal|error): /.test(line));
  if (!facts.some((line) => GIT_WORDS.test(line))) return null;
  const files = lines.filter((line) => /^\t\S/.test(line));
  return reading("git", null, [...facts.slice(0, FACTS_MAX), ...files.slice(0, FACTS_MAX)]);
}

const ERROR_WORDS =
  /\b(?:error|fatal|panic|failed|failure|exception|denied|refused|cannot|can't|could not|couldn't|unable to|not found|no such|invalid|unexpected|undefined|unknown|exceeded|timed out|conflict|missing|unauthorized|forbidden|overloaded|killed|aborted|segmentation fault|core dumped)\b|^\s*[✖✗×✘] |[a-z](?:Error|Exception)\b/i;
const NO_ERROR =
  /\b(?:0|no) (?:errors?|failures?|failed|problems?)\b|^\s*(?:warn(?:ing)?|info|debug|note|hint|npm warn|deprecated)\b|\bwarning:/i;
/** What a wrapper says about the program it ran. */
const WRAPPER =
  /^\s?ELIFECYCLE|^error Command failed|^error: script |^g?make(?:\[\d+\])?: \*\*\* .{0,200}Error \d+|^Found \d+ errors?|^(?:error: )?Process completed with exit code|exited with (?:exit )?code \d+|^collect2: /;
/** A text of a few lines may be one message, folded by a terminal or a service. */
const SHORT_LINES_MAX = 4;

/** Any other text: its error lines, else its last ones. */
function words(lines: readonly string[]): Reading | null {
  const said = lines.map((line) => line.trim()).filter((line) => line !== "");
  const told = said.filter((line) => !NO_ERROR.test(line) && !FRAME.test(line));
  const errors = told.filter((line) => ERROR_WORDS.test(line));
  const own = errors.filter((line) => !WRAPPER.test(line));
  const [first] = own;
  const { tool, code } = familyOf(first ?? errors[0] ?? said[0] ?? "");
  // Nobody said "error" but perhaps a wrapper: the last lines are what there is.
  if (first === undefined)
    return reading(tool, code, [...said.slice(-LAST_LINES), ...errors.slice(-1)]);
  if (said.length <= SHORT_LINES_MAX) {
    const rest = told.slice(told.indexOf(first)).filter((line) => !WRAPPER.test(line));
    return reading(tool, code, [rest.join(" ")]);
  }
  const chosen = [...new Set(own)].slice(0, FACTS_MAX);
  return reading(
    tool,
    code,
    chosen.map((line) => finished(line, said)),
  );
}

/** Lines of a stack or of quoted source. */
const FRAME = /^(?:at |from |❯ |\^|\||(?:> ?)?\d+ ?[:|](?: |$))/;
const LAST_LINES = 3;

/** An error line that ends in a colon goes on in the next. */
function finished(line: string, said: readonly string[]): string {
  return line.endsWith(":") ? `${line} ${said[said.indexOf(line) + 1] ?? ""}` : line;
}
