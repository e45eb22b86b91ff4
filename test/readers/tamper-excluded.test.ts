import { describe, test } from "vitest";

import { checkOne } from "./tamper-change.ts";

type Row = readonly [
  name: string,
  path: string,
  before: string,
  after: string,
  alarms: readonly string[],
];

const vitest = (inner: string): string =>
  `import { defineConfig } from "vitest/config";\n\nexport default defineConfig({\n  test: { ${inner} },\n});\n`;

describe("what the runner leaves out", () => {
  test.each<Row>([
    [
      "vitest",
      "vitest.config.ts",
      vitest('exclude: ["node_modules/**"]'),
      vitest('exclude: ["node_modules/**", "test/cart/**"]'),
      ["test-excluded:4"],
    ],
    [
      "vitest includes less",
      "vitest.config.ts",
      vitest('include: ["test/**/*.test.ts", "src/**/*.test.ts"]'),
      vitest('include: ["test/**/*.test.ts"]'),
      ["test-excluded"],
    ],
    [
      "vitest includes more",
      "vitest.config.ts",
      vitest('include: ["test/**/*.test.ts"]'),
      vitest('include: ["test/**/*.test.ts", "src/**/*.test.ts"]'),
      [],
    ],
    [
      "jest",
      "jest.config.ts",
      'export default { testPathIgnorePatterns: ["/node_modules/"] };\n',
      'export default { testPathIgnorePatterns: ["/node_modules/", "cart"] };\n',
      ["test-excluded:1"],
    ],
    [
      "jest with types",
      "jest.config.ts",
      "const config: Config = { testPathIgnorePatterns: [] };\nexport default config;\n",
      'const config: Config = { testPathIgnorePatterns: ["cart"] };\nexport default config;\n',
      ["test-excluded:1"],
    ],
    [
      "mocha",
      ".mocharc.yml",
      "spec:\n  - test/**\n",
      "spec:\n  - test/**\nignore:\n  - test/cart.js\n",
      ["test-excluded:4"],
    ],
    [
      "pytest: fewer folders",
      "pytest.ini",
      "[pytest]\ntestpaths = tests integration\n",
      "[pytest]\ntestpaths = tests\n",
      ["test-excluded"],
    ],
    [
      "pytest: deselected",
      "pyproject.toml",
      '[tool.pytest.ini_options]\naddopts = "-q"\n',
      '[tool.pytest.ini_options]\naddopts = "-q --deselect tests/test_cart.py"\n',
      ["test-excluded:2"],
    ],
    [
      "pytest: ignored",
      "pyproject.toml",
      '[tool.pytest.ini_options]\naddopts = ["-q"]\n',
      '[tool.pytest.ini_options]\naddopts = ["-q", "--ignore=tests/cart"]\n',
      ["test-excluded:2"],
    ],
    [
      "pytest: by name",
      "pytest.ini",
      "[pytest]\naddopts = -q\n",
      '[pytest]\naddopts = -q -k "not cart"\n',
      ["test-excluded:2"],
    ],
    [
      "no tests are fine",
      "vitest.config.ts",
      vitest("globals: true"),
      vitest("globals: true, passWithNoTests: true"),
      ["gate-weakened:4"],
    ],
  ])("%s", (...[, path, before, after, alarms]) => {
    checkOne(path, [before, after], alarms);
  });
});
