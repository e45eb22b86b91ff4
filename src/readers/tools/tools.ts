// Which tools can be read, and which is heard first?

import type { ResultParser } from "../../core/model/task.ts";
import { cargoTest } from "./cargo.ts";
import { compilers } from "./compilers.ts";
import { anyText } from "../failure/error-lines.ts";
import { goTest } from "./go.ts";
import { jest } from "./jest.ts";
import { mocha } from "./mocha.ts";
import { nodeTest } from "./node-test.ts";
import { pytest } from "./pytest.ts";
import { tap } from "./tap.ts";
import type { Tool } from "./tool.ts";
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

/** From what says most to what says least: a test run may quote any of the others. */
export const TOOLS: readonly Tool[] = [...RUNNERS, compilers, anyText];
