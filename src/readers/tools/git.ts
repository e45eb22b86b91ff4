// What does git refuse?

import { problem, reading } from "./tool.ts";
import type { Tool } from "./tool.ts";

export const git: Tool = {
  name: "git",
  recognises: ["fatal: ", "error: ", "CONFLICT ("],
  parse: (lines) => {
    const said = lines.filter((line) => SAYS.test(line));
    if (!said.some((line) => OBJECTS.test(line) || ACTS.test(line))) return null;
    const files = lines.filter((line) => /^\t\S/.test(line));
    const words = [...said.slice(0, WORDS_MAX), ...files.slice(0, WORDS_MAX)];
    return reading(
      "git",
      null,
      words.map((line) => problem(line.trim())),
    );
  },
};

const WORDS_MAX = 6;
const SAYS = /^(?:(?:remote: )?(?:fatal|error): |CONFLICT \(|\s*! \[(?:remote )?rejected\] )/;
const OBJECTS =
  /pathspec|refspec|repository|\.git\b|index\.lock|commit|branch|remote|worktree|upstream|stash|submodule|revision|HEAD|git /;
const ACTS =
  /[Mm]erge|rebase|cherry-pick|checkout|ambiguous argument|unmerged|Authentication failed|Could not read from/;
