// Which tools can be read, and which is heard first?

import type { ResultParser } from "../../core/model/task.ts";
import { cargoTest, rustc } from "./cargo.ts";
import { compilers } from "./compilers.ts";
import { anyText, readAnyText } from "../failure/error-lines.ts";
import { goTest } from "./go.ts";
import { jest } from "./jest.ts";
import { mocha } from "./mocha.ts";
import { nodeTest } from "./node-test.ts";
import { pytest } from "./pytest.ts";
import { tap } from "./tap.ts";
import { type Tool, problem, reading } from "./tool.ts";
import { vitest } from "./vitest.ts";

/** Those that a gate can name. */
export const NAMED: Readonly<Record<Exclude<ResultParser, "auto" | "none">, Tool>> = {
  vitest,
  jest,
  pytest,
  "node-test": nodeTest,
  tap,
};

/** All that sum up. Earlier ones win a tie: Node's runner can write TAP and says more in it than TAP does. */
export const RUNNERS: readonly Tool[] = [
  [jest, vitest, nodeTest, tap, mocha],
  [pytest, cargoTest, goTest],
].flat();

const npm: Tool = {
  name: "npm",
  marks: ["npm ERR!", "npm error"],
  parse: (lines) => {
    const npmLines = lines.flatMap((line) => NPM.exec(line)?.[1] ?? []);
    const reasons = npmLines.filter((text) => !EXTRA.test(text)).slice(0, WORDS_MAX);
    const code = npmLines.flatMap((text) => /^code (\S+)/.exec(text)?.[1] ?? [])[0] ?? null;
    // Where a script failed, npm is only the wrapper.
    const isScript = npmLines.some((text) =>
      /^(?:code (?:\d+|ELIFECYCLE)|command failed)$/.test(text),
    );
    const rest = lines.filter((line) => !NPM.test(line) && line !== "");
    const inner = isScript && rest.length > 0 ? readAnyText(rest) : null;
    const isNpmFault = inner === null || inner.failures.length === 0;
    const failures = reasons.map((text) => problem(isNpmFault ? `npm error ${text}` : "", [text]));
    return reading("npm", { code, failures: [...failures, ...(inner?.failures ?? [])] });
  },
};

const WORDS_MAX = 12;
const NPM = /^npm (?:ERR!|error)(?: (.*))?$/;
/** What npm adds to every failure, and what the code or the other lines say already. */
const EXTRA =
  /^\s*$|^(?:path (?!.*node_modules).*[\\/][^.\\/]+$|errno |location |workspace | {2}npm |A complete log|Log files were|[\w.]{1,20}$)|^\s*[\w:~/\\.-]*_logs[/\\]|^(?:\w+ )?(?:This is (?:related to|an error with|probably not)|To see a list|Fix the upstream|this command with|to accept an|Note\b|If you|You can|Did you mean|It is likely|There is likely|For a full report|See )/i;

/** From what says most to what says least: a test run may quote any of the others. */
export const TOOLS: readonly Tool[] = [
  ...RUNNERS,
  rustc,
  compilers,
  // Crashes of programs, and programs that say it in a line or two.
  npm,
  anyText,
];
