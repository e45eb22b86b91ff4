// Which tests passed and failed under `dotnet test`?

import { listedIn, textRunner } from "./text-runner.ts";

/** In the words of VSTest or of the newer platform; numbers stand on one line, or one a line. */
export const dotnet = textRunner({
  name: "dotnet-test",
  recognises: /Total tests: |Total:|Test run summary: |Test summary: |No test /,
  closing:
    /^ *(?:(?:Passed|Failed|Skipped)! {1,9}- Failed: .*|(?:Total tests: \d|Test run summary: |Test summary: total: ).*(?:\n *(?:Passed|Failed|Skipped|total|failed|succeeded|skipped): .*){0,6}|Zero tests ran.*|No test (?:is available|matches) .*)$/gm,
  heading: /^ *[Ff]ailed (?<name>\S.*?) [[(](?:< ?)?[\d.,]+ ?(?:ms|s|m|h)\b[^[(\n]{0,40}[\])]$/gm,
  end: /^\s*(?:Stack Trace:|Standard Output Messages:|at |Total tests: |[Pp]assed |[Ss]kipped )/,
  said: (block) => block.filter((line) => !/^\s*(?:Error Message:|from \S+\.dll)/.test(line)),
  list: (lines) =>
    listedIn(
      lines,
      /^\s*(?:[Pp]assed|[Ff]ailed|[Ss]kipped) (\S.*?) [[(](?:< ?)?[\d.,]+ ?(?:ms|s|m|h)\b[^[(]{0,40}[\])]$/,
      /^\s*([Pp]assed|[Ff]ailed|[Ss]kipped) /,
    ),
});
