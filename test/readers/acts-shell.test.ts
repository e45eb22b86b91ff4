import { assert, constantFrom, array, property, string } from "fast-check";
import { describe, expect, test } from "vitest";

import type { Where } from "../../src/readers/shell/call.ts";
import { irreversibleIn } from "../../src/readers/acts/rules.ts";
import { actionIn, acts, firstAct, where } from "./acts-cases.ts";

type Row = readonly [sentence: string, script: string];

describe("a command is found", () => {
  test.each<Row>([
    ["behind a semicolon", "npm test; git push"],
    ["behind &&", "npm test && git push"],
    ["behind ||", "npm test || git push"],
    ["in a pipe", "git push 2>&1 | tail -5"],
    ["in the background", "git push & wait"],
    ["on a line of its own", "npm test\ngit push\n"],
    ["on lines that a backslash joins", "git \\\n  push \\\n  origin"],
    ["on lines of Windows", "npm test\r\ngit push\r\n"],
    ["in a subshell", "(cd dist && git push)"],
    ["in a group", "{ git push; }"],
    ["in a substitution", 'echo "sent: $(git push)"'],
    ["in backticks", "echo `git push`"],
    ["in a substitution of a substitution", 'echo "$(echo "$(git push)")"'],
    ["in a process substitution", "diff a <(git push)"],
    ["in a condition", "if git push; then echo ok; fi"],
    ["in a loop", 'for x in 1 2; do git push origin "$x"; done'],
    ["as the condition of a loop", "while ! git push; do sleep 1; done"],
    ["in a function", "function send { git push; }"],
    ["in one case", 'case "$x" in a|b) ls;; (push) git push;; esac'],
    ["behind a test", '[[ $a == "x" && $b < c ]] && git push'],
    ["behind arithmetic", "(( n << 2 )); git push"],
    [
      "behind a heredoc of a commit",
      "git commit -m \"$(cat <<'END'\nIt's done (a\nEND\n)\" && git push",
    ],
    ["behind a comment", "# why\ngit push"],
    ["with quotes around its parts", "'git' \"push\""],
    ["with an escape before it", "\\git push"],
    ["by its path", "/usr/bin/git push"],
    ["with a redirect before it", "2>/dev/null git push"],
    ["with variables before it", "GIT_TRACE=1 A='b c' git push"],
  ])("%s", (_sentence, script) => {
    expect(firstAct(script)?.action).toBe("push");
  });

  test.each<Row>([
    ["sudo", "sudo -u deploy -E git push"],
    ["command", "command git push"],
    ["nohup", "nohup git push &"],
    ["timeout", "timeout -k 5 60s git push"],
    ["several of them", "sudo env A=b timeout 60 nice git push"],
    ["xargs", "echo origin | xargs -n 1 git push"],
    ["bash -c", 'bash -c "git push"'],
    ["a shell that reads a heredoc", "sudo bash <<'END'\ngit push\nEND"],
    ["a strict shell", "bash -euo pipefail -c 'git push'"],
    ["a shell that reads a string", "bash <<< 'git push'"],
    ["eval", 'eval "git push"'],
    ["npx", "npx -y -p git-cli -- git push"],
    ["a runner of Python", "uv run git push"],
    ["cross-env", "npx cross-env A=b git push"],
    ["concurrently", `concurrently "npm test" "git push"`],
  ])("through %s", (_sentence, script) => {
    expect(firstAct(script)?.action).toBe("push");
  });
});

describe("nothing is found", () => {
  test.each<Row>([
    ["in an array", 'words=(git push "$(date)")'],
    ["in a list of a loop", "for word in git push; do echo $word; done"],
    ["in patterns of a case", "case $x in push|reboot) echo x;; esac"],
    ["in a test", '[[ "$x" == git && push ]]'],
    ["in arithmetic", "(( push >> 2 )); echo $(( reboot << 1 ))"],
    ["in a heredoc for a program that runs nothing", "cat <<END > a.md\ngit push\nEND"],
    ["in a heredoc for Python", "python <<'END'\ngit push\nEND"],
    ["in a string that a pipe gives to a program", "echo 'git push' | tee a.txt"],
    ["in a quoted dollar", "echo '$(git push)'"],
    ["behind a hash", "ls # ; git push"],
    ["in a variable", "A='git push'"],
    ["where the program is a variable of the run", "$TOOL push"],
    ["where a shell reads a script file", "bash scripts/push.sh <<< 'git push'"],
    ["where a shell only checks", "bash -n <<< 'git push'"],
    ["where only a path is asked for", "command -v git push"],
    ["where nothing is closed", "echo 'git push"],
  ])("%s", (_sentence, script) => {
    expect(firstAct(script)).toBeNull();
  });
});

describe("folders", () => {
  type PlaceRow = readonly [sentence: string, script: string, action: string | null];
  const check = (script: string, at: Partial<Where> = {}) => actionIn(script, at);

  test.each<PlaceRow>([
    ["cd moves what is relative", "cd packages/web && rm -rf ../../dist", null],
    ["cd may leave the repository", "cd .. && rm -rf other", "delete-outside"],
    ["cd may leave for a temporary folder", "cd /tmp && rm -rf other .git", null],
    ["cd alone goes home", "cd && rm -rf other", "delete-outside"],
    ["cd to a place that nobody knows hides what follows", 'cd "$X" && rm -rf ../other', null],
    ["cd back is not followed", "cd .. && cd - && rm -rf other", null],
    ["a subshell keeps its folder for itself", "(cd ..) && rm -rf dist", null],
    ["a substitution keeps its folder for itself", 'x="$(cd .. && ls)"; rm -rf dist', null],
    ["a group does not", "{ cd ..; }; rm -rf other", "delete-outside"],
    ["a shell of its own keeps its folder for itself", "bash -c 'cd ..'; rm -rf dist", null],
    ["eval does not", "eval 'cd ..'; rm -rf other", "delete-outside"],
    ["the home is known by its names", 'rm -rf "${HOME}/a"', "delete-outside"],
    ["another variable is not", 'D=/opt; rm -rf "$D/a" "$(pick)"', null],
  ])("%s", (_sentence, script, action) => {
    expect(check(script)).toBe(action);
  });

  test("without a home, what is below it is not known", () => {
    expect(check("rm -rf ~/other", { home: null })).toBeNull();
    expect(check("rm -rf /etc", { home: null })).toBe("delete-outside");
  });

  test("a repository may be in a temporary folder", () => {
    const root = "/private/tmp/shop";
    const at = { root, cwd: `${root}/src` };
    expect(check("rm -rf /tmp/other ../dist", at)).toBeNull();
    expect(check("rm -rf ../.git", at)).toBe("delete-history");
    expect(check("rm -rf /tmp/shop", at)).toBe("delete-history");
    expect(check("rm -rf /tmp/*", at)).toBe("delete-outside");
  });

  test("a command may start outside of the repository", () => {
    const at = { cwd: "/home/dev/other" };
    expect(check("rm -rf src", at)).toBe("delete-outside");
    expect(check("rm -rf node_modules dist", at)).toBeNull();
  });

  test("the root may be the root of the machine", () => {
    expect(check("rm -rf /srv/a", { root: "/", cwd: "/" })).toBeNull();
    expect(check("rm -rf /.git", { root: "/", cwd: "/" })).toBe("delete-history");
  });
});

describe("what is told about a command", () => {
  test("is the simple command, as written", () => {
    expect(firstAct("npm test && sudo GIT_TRACE=1 git  push 'origin' 2>&1 | tail")).toEqual({
      action: "push",
      command: "sudo GIT_TRACE=1 git push 'origin' 2>&1",
      folder: { kind: "root" },
    });
  });

  test("is the inner one of a script in a script", () => {
    expect(firstAct('bash -c "npm test; git push origin"')?.command).toBe("git push origin");
  });

  test("shows a variable of the outer script, so that permission counts for this call alone", () => {
    expect(firstAct('bash -c "git push origin $BRANCH"')?.command).toBe("git push origin $BRANCH");
  });

  test("is every one, once, in its order, and not more than twenty", () => {
    const all = (script: string) => acts(script).map(({ action }) => action);
    expect(all("npm publish; git push || git push; rm -rf ~/notes")).toEqual([
      "publish",
      "push",
      "delete-outside",
    ]);
    const many = Array.from({ length: 30 }, (_, n) => `git push origin b${n}`).join("\n");
    expect(all(many)).toHaveLength(20);
  });

  test("names the folder, where it is not the root", () => {
    expect(firstAct("cd ../api && git push")?.folder).toEqual({ kind: "other", path: "/work/api" });
    expect(firstAct('cd "$where" && git push')?.folder).toEqual({ kind: "unknown" });
  });

  test("is one short line that no terminal obeys, with what tells it from others like it", () => {
    const long = (end: string): string =>
      firstAct(`git push \u001b[31m ${"x\\\n".repeat(900)}${end}`)?.command ?? "";
    const action = long("");
    expect(action).toMatch(/^git push \\u001b\[31m x.* … .* \[\d+ characters, [0-9a-f]{12}\]$/);
    expect(action.length).toBeLessThan(340);
    expect(long(`a${"x".repeat(100)}`)).not.toBe(long(`b${"x".repeat(100)}`));
    expect(action.split("\n").concat(action.split("\u001b"))).toEqual([action, action]);
  });
});

describe("bounds", () => {
  test("what is too long to be read is told apart from what is harmless", () => {
    expect(firstAct(`${" ".repeat(131_000)}git push`)?.action).toBe("push");
    expect(irreversibleIn(`ls ${" ".repeat(131_072)}`, where)).toBeNull();
  });

  test.each([
    ["substitutions", "echo $(".repeat(300)],
    ["functions", "f() ".repeat(5_000)],
    ["wrappers", `${"sudo ".repeat(40)}git push`],
    ["scripts", `${"eval ".repeat(40)}git push`],
    ["substitutions behind quotes", "$(')'".repeat(5_000)],
  ])("so is what is nested too deeply: %s", (_what, script) => {
    expect(irreversibleIn(script, where)).toBeNull();
    expect(irreversibleIn(`git push; ${script}`, where)).toBeNull();
  });

  const PIECES = [
    ..."( ) { } $( $(( ` ' \" \\ $' ${ ${a:- <( > < << <<- <<<E & && | || ; ;; # ~ * [ ]] [[ ! = $A".split(
      " ",
    ),
    ..."git push rm -rf / .. .git bash -c eval sudo xargs find -exec {} + case in esac if then fi do".split(
      " ",
    ),
    ..."psql -h a.b 'drop curl -d https://a.b ssh A=$A$A; x=( E EOF".split(" "),
    " ",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\ud800",
  ];

  test("any script has an answer", () => {
    const script = array(constantFrom(...PIECES), { maxLength: 60 });
    assert(
      property(script, string(), (pieces, text) => {
        for (const one of [pieces.join(""), pieces.join(" "), text, `git ${text}`]) {
          const act = firstAct(one);
          expect((act?.command ?? "").length).toBeLessThanOrEqual(300);
        }
      }),
      { numRuns: 500 },
    );
  });

  const REPEATED = ["(", "$(", "`", '"${a:-', "<(", "<<E\n", "a|", "rm -rf .{[", "sudo eval "];

  test.each(REPEATED)("much of %j has an answer", (piece) => {
    const script = (chars: number): string => piece.repeat(Math.floor(chars / piece.length));
    expect(() => acts(script(50_000))).not.toThrow();
    expect(irreversibleIn(script(400_000), where)).toBeNull();
  });

  test("the words of the place do not matter to a push", () => {
    assert(
      property(string(), string(), (root, cwd) => {
        expect(firstAct("git push", { ...where, root, cwd })?.action).toBe("push");
      }),
    );
  });
});
