import { describe } from "vitest";

import { alarmsAt } from "./tamper-change.ts";

const vitest = (inner: string): string =>
  `import { defineConfig } from "vitest/config";\n\nexport default defineConfig({\n  test: { ${inner} },\n});\n`;

describe("what the runner leaves out", () => {
  alarmsAt([
    [
      "vitest.config.ts",
      vitest('exclude: ["node_modules/**"«→, "test/cart/**"»]'),
      "test-excluded:4",
    ],
    [
      "vitest.config.ts",
      vitest('include: ["test/**/*.test.ts"«, "src/**/*.test.ts"→»]'),
      "test-excluded",
    ],
    ["vitest.config.ts", vitest('include: ["test/**/*.test.ts"«→, "src/**/*.test.ts"»]')],
    [
      "jest.config.ts",
      'export default { testPathIgnorePatterns: ["/node_modules/"«→, "cart"»] };\n',
      "test-excluded:1",
    ],
    [
      "jest.config.ts",
      'const config: Config = { testPathIgnorePatterns: [«→"cart"»] };\nexport default config;\n',
      "test-excluded:1",
    ],
    [".mocharc.yml", "spec:\n  - test/**\n«→ignore:\n  - test/cart.js\n»", "test-excluded:4"],
    ["pytest.ini", "[pytest]\ntestpaths = tests« integration→»\n", "test-excluded"],
    [
      "pyproject.toml",
      '[tool.pytest.ini_options]\naddopts = "-q«→ --deselect tests/test_cart.py»"\n',
      "test-excluded:2",
    ],
    [
      "pyproject.toml",
      '[tool.pytest.ini_options]\naddopts = ["-q"«→, "--ignore=tests/cart"»]\n',
      "test-excluded:2",
    ],
    ["pytest.ini: pytest: by name", '[pytest]\naddopts = -q«→ -k "not cart"»\n', "test-excluded:2"],
    ["vitest.config.ts", vitest("globals: true«→, passWithNoTests: true»"), "gate-weakened:4"],
  ]);
});
