// Which tests passed and failed under Minitest and test-unit?

import { listedIn, textRunner } from "./text-runner.ts";

export const minitest = textRunner({
  name: "minitest",
  recognises: / assertions, /,
  closing: /^\d{1,9} (?:runs|tests), \d{1,9} assertions, .*$/gm,
  heading: /^ {1,4}\d{1,9}\) (?:Failure|Error):\n(?<name>\S+?#.+?)(?: \[.{1,500}\])?:$/gm,
  end: /^$|^ {4}\S.*:\d+:in /,
  // A specification's tests are numbered in the order in which they are written.
  named: (name) => name.replace(/#test_\d{4}_/, "#"),
  // `CartTest#test_empty = 0.00 s = .`, in a verbose run.
  list: (lines) => listedIn(lines, /^([^\s#]+#.+?) = /, /\b\d+\.\d+ s = ([.FES])$/),
});
