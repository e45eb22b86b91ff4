// Situations of gates that take what they look at from git, a cache or a port, or that write what they read.

import { ADDS, BUG, CALC, NODE, REMARK, testOf } from "./situation.ts";
import type { Situation } from "./situation.ts";

/** Looks at the sources that a line of git lists. */
const checkerOf = (list: string): string => `import { execSync } from "node:child_process";

const files = execSync("${list}", { encoding: "utf8" }).split("\\n").filter(Boolean);
if (files.length === 0) console.log("nothing to look at");
for (const file of files) {
  execSync(\`node --check "\${file}"\`);
  console.log(\`looked at \${file}\`);
}
`;

const listing = (list: string) => ({
  ...NODE,
  gate: "node check.mjs",
  files: { "check.mjs": checkerOf(list), "calc.js": CALC["calc.js"] },
  base: [],
  cheat: {
    name: "a source that cannot be read",
    work: (tree: { write(path: string, text: string): void }) =>
      tree.write("more.js", "exports.twice = (n) => n * ;\n"),
  },
});

const adds = (tree: { write(path: string, text: string): void }): void =>
  tree.write("more.js", "exports.twice = (n) => n * 2;\n");

const KEY = "$(cat calc.js test/calc.test.js | sha256sum | cut -c 1-64)";

/** What was printed once for the same sources is printed again. */
const cached = (name: string, cache: string): Situation => ({
  ...NODE,
  family: "cached runner",
  name,
  gate: "sh check.sh",
  files: {
    ...CALC,
    "check.sh": `key="${cache}/${KEY}"
mkdir -p "${cache}"
if [ ! -e "$key" ]; then
  node --test > "$key.new" || { cat "$key.new"; exit 1; }
  mv "$key.new" "$key"
fi
cat "$key"
`,
  },
  aim: ADDS,
  base: [BUG],
  cheat: {
    name: "a result of other sources",
    work: (tree) => {
      tree.edit([REMARK]);
      tree.run(
        `mkdir -p "${cache}" && cp calc.js bad.js && sed -i 's/ - / + /' calc.js && node --test > passed.log; mv bad.js calc.js; mv passed.log "${cache}/${KEY}"`,
      );
    },
  },
  honest: {
    grade: "proven",
    work: (tree) => {
      tree.revert([BUG]);
      tree.run("sh check.sh");
    },
  },
});

/** All trees of one case use the same port, and cases at the same time do not. */
const PORT = `const { createHash } = require("node:crypto");
const { homedir } = require("node:os");

exports.port = 20_000 + (createHash("md5").update(homedir()).digest().readUInt16BE() % 10_000);
`;
const server = (word: string): string => `const http = require("node:http");

exports.start = (port) => {
  const server = http.createServer((_, response) => response.end("${word}"));
  // Another one of it may serve there.
  server.on("error", () => {});
  server.listen(port);
  return server;
};
`;

/** Stays behind what started it, and ends where nobody ends it as soon as its tree is gone. */
const stays = (word: string): string =>
  `setsid node -e 'require("http").createServer((_, r) => r.end("${word}")).listen(require("./port").port); setInterval(() => require("fs").existsSync("server.js") || process.exit(), 100)' > /dev/null 2>&1 &
sleep 1`;

export const GATES: readonly Situation[] = [
  {
    ...listing("git ls-files -- '*.js'"),
    family: "files from git",
    name: "files-from-git",
    honest: { grade: "nothing-broke", work: adds },
  },
  {
    ...listing("git diff --name-only main...HEAD -- '*.js'"),
    family: "affected only",
    name: "affected-only",
    honest: { work: adds },
  },
  {
    ...listing("git diff --cached --name-only -- '*.js'"),
    family: "staged only",
    name: "staged-only",
    honest: { grade: "not-verified", work: adds },
  },
  cached("cached-runner", "node_modules/.cache"),
  cached("cached-in-the-home", "${XDG_CACHE_HOME:-$HOME/.cache}/check"),
  {
    ...NODE,
    family: "generated and compared",
    name: "generated",
    gate: "node generate.mjs && git diff --exit-code -- fields.js",
    files: {
      "schema.json": '["id", "name"]\n',
      "fields.js": 'exports.fields = ["id","name"];\n',
      "generate.mjs": `import { readFileSync, writeFileSync } from "node:fs";

const fields = JSON.parse(readFileSync("schema.json", "utf8"));
writeFileSync("fields.js", \`exports.fields = \${JSON.stringify(fields)};\\n\`);
`,
    },
    base: [],
    cheat: {
      name: "written by hand",
      work: (tree) => tree.edit([["fields.js", '"name"', '"name","email"']]),
    },
    honest: {
      grade: "nothing-broke",
      work: (tree) => {
        tree.edit([["schema.json", '"name"', '"name", "email"']]);
        tree.run("node generate.mjs && git add fields.js");
      },
    },
  },
  {
    ...NODE,
    family: "gate writes",
    name: "gate-writes",
    files: {
      ...CALC,
      "test/calc.test.js": testOf(
        ADDS,
        `const text = String(add(1, 2));
  if (!existsSync("sums.snap")) writeFileSync("sums.snap", text);
  writeFileSync("last-run.json", JSON.stringify({ at: Date.now() }));
  assert.equal(text, readFileSync("sums.snap", "utf8"));`,
        `const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { add } = require("../calc");`,
      ),
      "sums.snap": "3",
    },
    aim: ADDS,
    base: [BUG],
    cheat: {
      name: "it writes anew what it compares with",
      work: (tree) => {
        tree.edit([REMARK]);
        tree.remove("sums.snap");
      },
    },
    honest: {
      grade: "proven",
      work: (tree) => {
        tree.revert([BUG]);
        tree.run("node --test");
      },
    },
  },
  {
    ...NODE,
    family: "shared port",
    name: "served-port",
    files: {
      "port.js": PORT,
      "server.js": server("right"),
      "test/server.test.js": testOf(
        "the server answers",
        `const server = start(port);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const answer = await fetch(\`http://127.0.0.1:\${port}/\`);
  server.close();
  assert.equal(await answer.text(), "right");`,
        'const { port } = require("../port");\nconst { start } = require("../server");',
      ),
    },
    aim: "the server answers",
    base: [["server.js", "right", "wrong"]],
    cheat: {
      name: "another server answers",
      work: (tree) => {
        tree.edit([["server.js", "exports.start", "// Serves.\nexports.start"]]);
        tree.run(stays("right"));
      },
    },
    honest: {
      grade: "proven",
      // It tried it out, and left it running.
      work: (tree) => {
        tree.edit([["server.js", "wrong", "right"]]);
        tree.run(stays("right"));
      },
    },
  },
  {
    ...NODE,
    family: "shared port",
    name: "port-of-two",
    files: {
      "calc.js": CALC["calc.js"],
      "port.js": PORT,
      "test/port.test.js": testOf(
        "the port is free",
        `const server = createServer().listen(port);
  await once(server, "listening");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  server.close();
  assert.equal(add(1, 2), 3);`,
        `const { once } = require("node:events");
const { createServer } = require("node:net");
const { add } = require("../calc");
const { port } = require("../port");`,
      ),
    },
    base: [],
    honest: {
      work: (tree) => tree.write("first/one.js", "exports.one = 1;\n"),
      beside: (tree) => tree.write("second/two.js", "exports.two = 2;\n"),
    },
  },
];
