// Which programs run tests, and what may they be told so that they report each of them?

import { eachOf, hasOption, programName, setOf } from "../shell/call.ts";
import type { ReportForm } from "./reports.ts";

/** Where a runner leaves a report. */
export interface ReportFile {
  /** null: what is in it tells. */
  readonly form: ReportForm | null;
  /** An absolute path, or a path or glob in the tree. */
  readonly file: string;
}

/** Whether these words behind a program say so. */
type Says = (args: readonly string[]) => boolean;

export interface Runner {
  readonly name: string;
  readonly programs: string;
  /** It runs tests; without it, always. */
  readonly tests?: Says;
  /** It may run tests among other things. */
  readonly mayTest?: Says;
  /** It runs none, whatever else stands there. */
  readonly never?: Says;
  /** Words to put behind the command; `{file}` stands for where the report belongs. */
  readonly args?: string;
  /** Variables for it, where no words can be put behind it; added to what they are. */
  readonly vars?: Readonly<Record<string, string>>;
  /** What is written for them; without it, only the text says more. */
  readonly form?: ReportForm;
  /** Options which say that somebody else asked for something. */
  readonly alreadyAsked?: string;
  /** Files that it writes anyway. */
  readonly leaves?: readonly ReportFile[];
}

/** The first word is one of these; a toolchain may stand before it. */
function verb(words: string): Says {
  return (args) => setOf(words).has(args.find((arg) => !arg.startsWith("+")) ?? "");
}

function anyOf(words: string): Says {
  return (args) => args.some((arg) => setOf(words).has(arg));
}

function option(names: string): Says {
  return (args) => hasOption(args, setOf(names));
}

/** A task of any project that is not left out, as `:app:test`. */
function task(isIt: (name: string) => boolean): Says {
  return (args) =>
    args.some((arg, at) => args[at - 1] !== "-x" && isIt(arg.slice(arg.lastIndexOf(":") + 1)));
}

const ROWS: readonly Runner[] = [
  {
    name: "vitest",
    programs: "vitest",
    never: verb("bench init list"),
    args: "--reporter=default --reporter=json --outputFile.json={file}",
    form: "jest-json",
    alreadyAsked: "--reporter --outputFile --outputFile.json",
  },
  {
    name: "jest",
    programs: "jest",
    args: "--json --outputFile={file}",
    form: "jest-json",
    alreadyAsked: "--json --outputFile --listTests --showConfig --clearCache",
  },
  {
    name: "pytest",
    programs: "pytest py.test",
    // This form tells the file of each test, by which pytest names it.
    args: "--junitxml={file} -o junit_family=xunit1",
    vars: { PYTEST_ADDOPTS: "--junitxml={file} -o junit_family=xunit1" },
    form: "junit",
    alreadyAsked: "--junitxml --junit-xml --co --collect-only",
  },
  {
    name: "go test",
    programs: "go",
    tests: verb("test"),
    never: option("-c"),
    vars: { GOFLAGS: "-v" },
    alreadyAsked: "-v --v -json --json -test.v",
  },
  { name: "cargo test", programs: "cargo", tests: verb("test t"), never: option("--no-run") },
  {
    name: "phpunit",
    programs: "phpunit phpunit.phar",
    args: "--log-junit {file}",
    form: "junit",
    alreadyAsked: "--log-junit --list-tests --list-groups --list-suites --list-tests-xml",
  },
  {
    name: "maven",
    programs: "mvn mvnw",
    tests: anyOf("test verify integration-test surefire:test"),
    mayTest: anyOf("package install deploy"),
    never: option("-DskipTests -Dmaven.test.skip"),
    leaves: [
      { form: "junit", file: "**/target/surefire-reports/TEST-*.xml" },
      { form: "junit", file: "**/target/failsafe-reports/TEST-*.xml" },
    ],
  },
  {
    name: "gradle",
    programs: "gradle gradlew",
    tests: task((name) => name === "test" || name.endsWith("Test")),
    mayTest: task((name) => name === "check" || name === "build"),
    leaves: [{ form: "junit", file: "**/build/test-results/**/TEST-*.xml" }],
  },
  { name: "node:test", programs: "node tsx", tests: option("--test") },
  ...["mocha", "tap", "tape"].map((name) => ({ name, programs: name })),
];

const BY_PROGRAM = eachOf(Object.fromEntries(ROWS.map((row) => [row.programs, row])));

/** What measures or sets up, and runs the program that is named among its words. */
const AROUND = setOf("c8 nyc coverage xvfb-run dotenv with-env");

export interface Run {
  readonly runner: Runner;
  /** What stands behind it. */
  readonly args: readonly string[];
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
  if (runner === undefined || runner.never?.(args) === true) return null;
  const counts = runner.tests?.(args) ?? true;
  return counts || runner.mayTest?.(args) === true ? { runner, args, counts } : null;
}

/** As `node_modules/jest/bin/jest.js` is jest. */
function installedName(path: string): string {
  return programName(path).replace(/\.[cm]?js$/, "");
}
