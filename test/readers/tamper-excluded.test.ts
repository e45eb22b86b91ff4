import { describe } from "vitest";

import { alarmsAt } from "./tamper-change.ts";

const vitest = (inner: string): string =>
  `import { defineConfig } from "vitest/config";\n\nexport default defineConfig({\n  test: { ${inner} },\n});\n`;

describe("what the runner leaves out", () => {
  alarmsAt({
    "vitest.config.ts → test-excluded:4": vitest('exclude: ["node_modules/**"«→, "test/cart/**"»]'),
    "vitest.config.ts → test-excluded": vitest(
      'include: ["test/**/*.test.ts"«, "src/**/*.test.ts"→»]',
    ),
    "vitest.config.ts": vitest('include: ["test/**/*.test.ts"«→, "src/**/*.test.ts"»]'),
    "jest.config.ts → test-excluded:1":
      'export default { testPathIgnorePatterns: ["/node_modules/"«→, "cart"»] };\n',
    "jest.config.ts: with a type → test-excluded:1":
      'const config: Config = { testPathIgnorePatterns: [«→"cart"»] };\nexport default config;\n',
    ".mocharc.yml → test-excluded:4": "spec:\n  - test/**\n«→ignore:\n  - test/cart.js\n»",
    "pytest.ini → test-excluded": "[pytest]\ntestpaths = tests« integration→»\n",
    "pyproject.toml → test-excluded:2":
      '[tool.pytest.ini_options]\naddopts = "-q«→ --deselect tests/test_cart.py»"\n',
    "pyproject.toml: as a list → test-excluded:2":
      '[tool.pytest.ini_options]\naddopts = ["-q"«→, "--ignore=tests/cart"»]\n',
    "pytest.ini: pytest: by name → test-excluded:2": '[pytest]\naddopts = -q«→ -k "not cart"»\n',
    "vitest.config.ts → gate-weakened:4": vitest("globals: true«→, passWithNoTests: true»"),
  });
});
