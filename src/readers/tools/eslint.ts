// Which problems does ESLint list?

import { problem, reading } from "./tool.ts";
import type { Tool } from "./tool.ts";

/** The file stands once, above its problems; columns are told apart by their distance. */
export const eslint: Tool = {
  name: "eslint",
  recognises: ["  error  ", "  warning  "],
  parse: (lines) => {
    const problems: { level: string; message: string; words: string; rule: string | null }[] = [];
    let file = "";
    for (const line of lines) {
      file = /^(\S.{0,600}\.\w{1,8})$/.exec(line)?.[1] ?? file;
      const [, place, level, text = ""] = PROBLEM.exec(line) ?? [];
      if (level === undefined || file === "" || problems.length === PROBLEMS_MAX) continue;
      const columns = text.split(/\s{2,}/);
      const rule = columns.length > 1 ? (columns.at(-1) ?? null) : null;
      const message = `${file}:${place}  ${level}  ${text}`;
      problems.push({ level, message, words: `${file} ${text}`, rule });
    }
    // Warnings alone fail a run only where none are allowed; beside errors they come and go.
    const errors = problems.filter(({ level }) => level === "error");
    const chosen = errors.length > 0 ? errors : problems;
    const failures = chosen.map(({ message, words }) => problem(message, [words]));
    return reading("eslint", chosen[0]?.rule ?? null, failures);
  },
};

const PROBLEMS_MAX = 200;
const PROBLEM = /^\s+(\d+:\d+)\s+(error|warning)\s+(\S.*)$/;
