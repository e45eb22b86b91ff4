// Which programs run tests, and what may they be told so that they report each of them?

import { programName, setOf } from "../shell/call.ts";
import type { ReportForm } from "./reports.ts";

/** Where a runner leaves a report. */
export interface ReportFile {
  /** null: what is in it tells. */
  readonly form: ReportForm | null;
  /** An absolute path, or a path or glob in the tree. */
  readonly file: string;
  /** Words of the output with which a file from before the run still holds. */
  readonly stillValidWhen: RegExp | null;
}

/** A row for each runner. Its patterns look at the words behind it, a line each. */
export interface Runner {
  readonly name: string;
  readonly programs: string;
  /** It runs tests; without it, always. */
  readonly tests?: RegExp;
  /** It may run tests among other things. */
  readonly mayTest?: RegExp;
  /** It runs none, whatever else stands there. */
  readonly never?: RegExp;
  /** Words to put behind the command; `{file}` stands for where the report belongs. */
  readonly args?: string;
  /** Variables for it, where no words can be put behind it; added to what they are. */
  readonly vars?: Readonly<Record<string, string>>;
  /** What is written for them; without it, only the text says more. */
  readonly form?: ReportForm;
  /** A word which says that somebody else asked for something. */
  readonly alreadyAsked?: RegExp;
  /** Files that it writes anyway. */
  readonly leaves?: readonly ReportFile[];
}

function junitIn(
  files: readonly string[],
  stillValidWhen: RegExp | null = null,
): readonly ReportFile[] {
  return files.map((file) => ({ form: "junit", file, stillValidWhen }));
}

const ROWS: readonly Runner[] = [
  {
    name: "vitest",
    programs: "vitest",
    never: /^(?:bench|init|list)(?![^\n])/,
    args: "--reporter=default --reporter=json --outputFile.json={file}",
    form: "jest-json",
    alreadyAsked: /^--(?:reporter|outputFile)\b/m,
  },
  {
    name: "jest",
    programs: "jest",
    args: "--json --outputFile={file}",
    form: "jest-json",
    alreadyAsked: /^--(?:json|outputFile|listTests|showConfig|clearCache)\b/m,
  },
  {
    name: "pytest",
    programs: "pytest py.test",
    // This form tells the file of each test, by which pytest names it.
    args: "--junitxml={file} -o junit_family=xunit1",
    vars: { PYTEST_ADDOPTS: "--junitxml={file} -o junit_family=xunit1" },
    form: "junit",
    alreadyAsked: /^--(?:junit-?xml\b|co)/m,
  },
  {
    name: "go test",
    programs: "go",
    tests: /^test(?![^\n])/,
    never: /^-c$/m,
    vars: { GOFLAGS: "-v" },
    alreadyAsked: /^--?(?:v|json|test\.v)$/m,
  },
  {
    name: "cargo test",
    programs: "cargo",
    tests: /^(?:.*\n)?(?:test|t)(?![^\n])/,
    never: /^--no-run$/m,
  },
  {
    name: "phpunit",
    programs: "phpunit phpunit.phar",
    args: "--log-junit {file}",
    form: "junit",
    alreadyAsked: /^--(?:log-junit|list-)/m,
  },
  {
    name: "maven",
    programs: "mvn mvnw",
    tests: /^(?:test|verify|integration-test|surefire:test)$/m,
    mayTest: /^(?:package|install|deploy)$/m,
    never: /^-D(?:skipTests|maven\.test\.skip)(?:=true)?$/m,
    leaves: junitIn([
      "**/target/surefire-reports/TEST-*.xml",
      "**/target/failsafe-reports/TEST-*.xml",
    ]),
  },
  {
    name: "gradle",
    programs: "gradle gradlew",
    tests: /(?<!^-x\n)^(?:.*:)?(?:test|\w{1,60}Test)$/m,
    mayTest: /^(?:.*:)?(?:check|build)$/m,
    // It checks by itself that these still belong to what was tested.
    leaves: junitIn(["**/build/test-results/**/TEST-*.xml"], /\b(?:UP-TO-DATE|up-to-date)\b/),
  },
  { name: "node:test", programs: "node tsx", tests: /^--test$/m },
  ...["mocha", "tap", "tape"].map((name) => ({ name, programs: name })),
];

const BY_PROGRAM: ReadonlyMap<string, Runner> = new Map(
  ROWS.flatMap((row) => row.programs.split(" ").map((program) => [program, row] as const)),
);

/** What measures or sets up, and runs the program that is named among its words. */
const AROUND = setOf("c8 nyc coverage xvfb-run dotenv with-env");

export interface Run {
  readonly runner: Runner;
  /** What stands behind it, a line each. */
  readonly words: string;
  /** Its output is the gate's: a run without a count has checked nothing. */
  readonly counts: boolean;
}

/** null: the call runs no tests, as far as anybody can tell. */
export function runnerOf(program: string, args: readonly string[]): Run | null {
  const name = installedName(program);
  if (AROUND.has(name) || (name === "node" && !args.includes("--test"))) {
    const isNamed = (arg: string): boolean =>
      (AROUND.has(name) || arg.includes("node_modules/")) &&
      BY_PROGRAM.has(installedName(arg)) &&
      !arg.startsWith("-");
    const at = args.findIndex(isNamed);
    return at === -1 ? null : runnerOf(installedName(args[at] ?? ""), args.slice(at + 1));
  }
  const runner = BY_PROGRAM.get(name);
  const words = args.join("\n");
  if (runner === undefined || runner.never?.test(words) === true) return null;
  const counts = runner.tests?.test(words) ?? true;
  return counts || runner.mayTest?.test(words) === true ? { runner, words, counts } : null;
}

/** As `node_modules/jest/bin/jest.js` is jest. */
function installedName(path: string): string {
  return programName(path).replace(/\.[cm]?js$/, "");
}
