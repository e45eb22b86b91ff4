// Which programs run tests, and what may they be told so that they report each of them?

import { setOf } from "../shell/call.ts";
import { programName } from "../shell/wrappers.ts";
import type { ReportForm } from "./reports.ts";

/** Where a runner leaves a report. */
export interface ReportFile {
  /** null: what is in it tells. */
  readonly form: ReportForm | null;
  /** An absolute path, or a path or glob in the tree. */
  readonly file: string;
  /** Words of the output with which a file from before the run still holds. */
  readonly heldBy: RegExp | null;
}

/** A row for each runner. */
export interface Runner {
  readonly name: string;
  readonly programs: string;
  /** "more": it may run tests among other things. false: it runs none. */
  readonly tests?: (args: readonly string[]) => boolean | "more";
  /** Words behind the command. The path is a word of its own, or a part of one. */
  readonly args?: (file: string) => readonly string[];
  /** Variables for it, where no words can be put behind it; added to what they are. The path is quoted. */
  readonly vars?: (file: string) => Readonly<Record<string, string>>;
  /** What is written for them; without it, only the text says more. */
  readonly form?: ReportForm;
  /** A word which says that somebody else asked for something. */
  readonly said?: RegExp;
  /** Files that it writes anyway. */
  readonly leaves?: readonly ReportFile[];
}

const begins =
  (words: string) =>
  ([first = ""]: readonly string[]) =>
    setOf(words).has(first);

function junitIn(files: readonly string[], heldBy: RegExp | null = null): readonly ReportFile[] {
  return files.map((file) => ({ form: "junit", file, heldBy }));
}

const ROWS: readonly Runner[] = [
  {
    name: "vitest",
    programs: "vitest",
    tests: ([first = ""]) => !/^(?:bench|init|list)$/.test(first),
    args: (file) => ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
    form: "jest-json",
    said: /^--(?:reporter|outputFile)\b/,
  },
  {
    name: "jest",
    programs: "jest",
    args: (file) => ["--json", `--outputFile=${file}`],
    form: "jest-json",
    said: /^--(?:json|outputFile|listTests|showConfig|clearCache)\b/,
  },
  {
    name: "pytest",
    programs: "pytest py.test",
    // This form tells the file of each test, by which pytest names it.
    args: (file) => [`--junitxml=${file}`, "-o", "junit_family=xunit1"],
    vars: (file) => ({ PYTEST_ADDOPTS: `--junitxml=${file} -o junit_family=xunit1` }),
    form: "junit",
    said: /^--(?:junit-?xml\b|co)/,
  },
  { name: "unittest", programs: "unittest", args: () => ["-v"], said: /^-[qv]|^--(?:quiet|verb)/ },
  {
    name: "go test",
    programs: "go",
    tests: (args) => begins("test")(args) && !args.includes("-c"),
    vars: () => ({ GOFLAGS: "-v" }),
    said: /^--?(?:v|json|test\.v)$/,
  },
  {
    name: "cargo test",
    programs: "cargo",
    tests: (args) =>
      args.slice(0, 2).some((arg) => /^(?:test|t|nextest)$/.test(arg)) &&
      !args.includes("--no-run"),
  },
  {
    name: "rspec",
    programs: "rspec",
    vars: (file) => ({ SPEC_OPTS: `--format progress --format json --out ${file}` }),
    form: "rspec-json",
  },
  {
    name: "rake",
    programs: "rake",
    tests: (args) =>
      args.some((arg) => /^(?:test|spec)(?::|$)/.test(arg)) || (args.length === 0 && "more"),
    vars: (file) => ({
      TESTOPTS: "--verbose",
      SPEC_OPTS: `--format progress --format json --out ${file}`,
    }),
    form: "rspec-json",
    said: /^TESTOPTS=/,
  },
  {
    name: "phpunit",
    programs: "phpunit phpunit.phar",
    args: (file) => ["--log-junit", file],
    form: "junit",
    said: /^--(?:log-junit|list-)/,
  },
  {
    name: "maven",
    programs: "mvn mvnw",
    tests: (args) =>
      !args.some((arg) => /^-D(?:skipTests|maven\.test\.skip)(?:=true)?$/.test(arg)) &&
      (args.some((arg) => /^(?:test|verify|integration-test|surefire:test)$/.test(arg)) ||
        (args.some((arg) => /^(?:package|install|deploy)$/.test(arg)) && "more")),
    leaves: junitIn([
      "**/target/surefire-reports/TEST-*.xml",
      "**/target/failsafe-reports/TEST-*.xml",
    ]),
  },
  {
    name: "gradle",
    programs: "gradle gradlew",
    tests: (args) =>
      args.some((arg, at) => /(?:^|:)(?:test|\w{1,60}Test)$/.test(arg) && args[at - 1] !== "-x") ||
      (args.some((arg) => /(?:^|:)(?:check|build)$/.test(arg)) && "more"),
    // It checks by itself that these still belong to what was tested.
    leaves: junitIn(["**/build/test-results/**/TEST-*.xml"], /\b(?:UP-TO-DATE|up-to-date)\b/),
  },
  { name: "dotnet test", programs: "dotnet", tests: begins("test vstest") },
  { name: "node:test", programs: "node tsx", tests: (args) => args.includes("--test") },
  ...["mocha", "ava", "tap", "tape", "jasmine", "uvu"].map((name) => ({ name, programs: name })),
];

const BY_PROGRAM: ReadonlyMap<string, Runner> = new Map(
  ROWS.flatMap((row) => row.programs.split(" ").map((program) => [program, row] as const)),
);

/** What measures or sets up, and runs the program that is named among its words. */
const AROUND = setOf("c8 nyc coverage xvfb-run dotenv with-env");

export interface Run {
  readonly runner: Runner;
  readonly args: readonly string[];
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
  const tests = runner?.tests?.(args) ?? true;
  return runner === undefined || tests === false ? null : { runner, args, counts: tests === true };
}

/** As `node_modules/jest/bin/jest.js` is jest. */
function installedName(path: string): string {
  return programName(path).replace(/\.[cm]?js$/, "");
}
