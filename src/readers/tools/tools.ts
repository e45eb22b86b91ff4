// Which tools can be read, and which is heard first?

import type { ResultParser } from "../../core/model/task.ts";
import { ava } from "./ava.ts";
import { cargoTest, rustc } from "./cargo.ts";
import { compilers } from "./compilers.ts";
import { dotnet } from "./dotnet.ts";
import { anyText } from "../failure/error-lines.ts";
import { jasmine, playwright, uvu } from "./failed-only.ts";
import { goTest } from "./go.ts";
import { jest } from "./jest.ts";
import { gradle, surefire } from "./junit.ts";
import { minitest } from "./minitest.ts";
import { mocha } from "./mocha.ts";
import { nextest } from "./nextest.ts";
import { nodeTest } from "./node-test.ts";
import { node } from "./node.ts";
import { npm } from "./npm.ts";
import { phpunit } from "./phpunit.ts";
import { pytest } from "./pytest.ts";
import { python } from "./python.ts";
import { rspec } from "./rspec.ts";
import { tap } from "./tap.ts";
import type { Tool } from "./tool.ts";
import { unittest } from "./unittest.ts";
import { vitest } from "./vitest.ts";

/** Those that a gate can name. */
export const NAMED: Readonly<Record<Exclude<ResultParser, "auto" | "none">, Tool>> = {
  vitest,
  jest,
  pytest,
  "node-test": nodeTest,
  tap,
};

/** Of other languages than JavaScript. */
const OTHERS: readonly Tool[] = [
  [pytest, unittest, cargoTest, nextest, goTest],
  [phpunit, rspec, minitest, surefire, gradle, dotnet],
].flat();

/** All that sum up. Earlier ones win a tie: Node's runner can write TAP and says more in it than TAP does. */
export const RUNNERS: readonly Tool[] = [
  [vitest, jest, nodeTest, tap, mocha, ava, jasmine, uvu],
  OTHERS,
].flat();

/** From what says most to what says least: a test run may quote any of the others. */
export const TOOLS: readonly Tool[] = [
  [jest, vitest, tap, playwright, nodeTest, mocha, ava, jasmine, uvu],
  OTHERS,
  [rustc, compilers],
  // Crashes of programs, and programs that say it in a line or two.
  [python, node, npm, anyText],
].flat();
