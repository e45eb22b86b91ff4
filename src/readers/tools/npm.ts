// What does npm say went wrong?

import { readAnyText } from "../failure/error-lines.ts";
import { problem, reading, type Tool } from "./tool.ts";

export const npm: Tool = {
  name: "npm",
  recognises: /npm ERR!|npm error/,
  parse: (lines) => {
    const said = lines.flatMap((line) => NPM.exec(line)?.[1] ?? []);
    const isExtra = (text: string): boolean => EXTRA.some(([, pattern]) => pattern.test(text));
    const told = said.filter((text) => text.trim() !== "" && !isExtra(text)).slice(0, WORDS_MAX);
    const code = said.flatMap((text) => /^code (\S+)/.exec(text)?.[1] ?? [])[0] ?? null;
    // Where a script failed, npm is only the wrapper.
    const isScript = said.some((text) => /^(?:code (?:\d+|ELIFECYCLE)|command failed)$/.test(text));
    const rest = lines.filter((line) => !NPM.test(line) && line !== "");
    const inner = isScript && rest.length > 0 ? readAnyText(rest) : null;
    const own = inner === null || inner.failures.length === 0;
    const failures = told.map((text) => problem(own ? `npm error ${text}` : "", [text]));
    return reading("npm", { code, failures: [...failures, ...(inner?.failures ?? [])] });
  },
};

const WORDS_MAX = 12;
const NPM = /^npm (?:ERR!|error)(?: (.*))?$/;
/** What npm adds to every failure, and what the code or the other lines say already. */
const EXTRA: readonly (readonly [id: string, pattern: RegExp])[] = [
  ["root", /^path (?!.*node_modules).*[\\/][^.\\/]+$/],
  ["log", /^(?:A complete log|Log files were|\s*[\w:~/\\.-]*_logs[/\\])/],
  ["errno", /^errno /],
  ["code-alone", /^[A-Za-z_.0-9]{1,20}$/],
  ["related", /^(?:\w+ )?This is (?:related to|an error with|probably not a problem with) npm/],
  ["advice", /^(?:\w+ )?(?:To see a list|Fix the upstream|this command with|to accept an)/i],
  ["notes", /^(?:\w+ )?(?:Note:? |If you|You can|Did you mean|It is likely|There is likely)/i],
  ["more", /^(?:\w+ )?(?:For a full report|See )/i],
  ["script-list", /^ {2}npm /],
  ["workspace-of", /^(?:location|workspace) /],
];
