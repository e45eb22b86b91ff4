import { assert, constantFrom, property } from "fast-check";
import { describe, expect, test } from "vitest";

import { ACTION_WORDS, IRREVERSIBLE_ACTIONS } from "../../src/core/model/irreversible.ts";
import { actionIn, firstAct, sections } from "./acts-cases.ts";

/** Simple commands, each of which is one act, and behind the last " # " what it is. */
const ACTS = sections("irreversible");

function scriptIn(line: string): string {
  return line.slice(0, line.lastIndexOf(" # "));
}

test("every kind of act has examples", () => {
  expect(Object.keys(ACTS).toSorted()).toEqual(IRREVERSIBLE_ACTIONS.toSorted());
});

describe.each(IRREVERSIBLE_ACTIONS)("%s", (action) => {
  test.each(ACTS[action] ?? [])("%s", (line) => {
    expect(actionIn(scriptIn(line))).toBe(action);
  });

  test("has words that fit into a sentence", () => {
    expect(`The agent wants to ${ACTION_WORDS[action]}.`).toMatch(
      /^The agent wants to [a-z ,-]+\.$/,
    );
  });
});

describe.each(Object.entries(sections("ordinary")))("ordinary: %s", (_title, commands) => {
  test.each(commands)("%s", (script) => {
    expect(firstAct(script)).toBeNull();
  });
});

describe("every act", () => {
  const anAct = constantFrom(...Object.values(ACTS).flat().map(scriptIn));

  test("is found wherever a command may stand", () => {
    const around = constantFrom<(script: string) => string>(
      (script) => `cd src && ls; ${script}`,
      (script) => `npm test || { ${script}; }`,
      (script) => `(set -e\n${script}\n)`,
      (script) => `if true; then\n  ${script}\nfi`,
      (script) => `out=$(${script})`,
      (script) => `bash -c ${quoted(script)}`,
      (script) => `bash <<'END'\n${script}\nEND`,
      (script) => `release() {\n${script}\n}\nrelease`,
      (script) => `case "$1" in\n go) ${script} ;;\n *) echo no ;;\nesac`,
    );
    assert(
      property(anAct, around, (script, place) => {
        // `cd src` moves what is beside the repository into it.
        if (/\.\.\/|\.git|\.orch| \.|-fdx/.test(script) && place("").startsWith("cd")) return;
        expect({ ...firstAct(place(script)), folder: null }).toEqual({
          ...firstAct(script),
          folder: null,
        });
      }),
    );
  });

  test("is nothing where it is only said", () => {
    const saying = constantFrom<(script: string) => string>(
      (script) => `echo ${quoted(script)}`,
      (script) => `printf '%s\\n' ${quoted(script)} > docs/notes.md`,
      (script) => `grep -rn ${quoted(script)} README.md`,
      (script) => `git commit -m ${quoted(script)}`,
      (script) => `cat > docs/notes.md <<'END'\n${script}\nEND`,
      (script) => `true # ${script}`,
      (script) => `note=${quoted(script)}`,
      (script) => `git commit -m "$(cat <<'END'\nIt's done:\n${script}\nEND\n)"`,
    );
    assert(
      property(anAct, saying, (script, place) => {
        expect(firstAct(place(script))).toBeNull();
      }),
    );
  });
});

function quoted(script: string): string {
  return `'${script.replaceAll("'", String.raw`'\''`)}'`;
}
