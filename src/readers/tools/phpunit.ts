// How many tests passed under PHPUnit, and which failed?

import { textRunner } from "./text-runner.ts";

/** A test that asserts nothing ("risky") proves nothing: it counts as skipped. */
export const phpunit = textRunner({
  name: "phpunit",
  recognises: /PHPUnit |OK \(|Assertions: /,
  closing:
    /^(?:No tests executed!|OK \(\d{1,9} tests?, \d{1,9} assertions?\)|Tests: \d{1,9}, Assertions: \d{1,9}[,.].*)$/gm,
  // Of a data set the name is enough.
  heading:
    /^There (?:was|were) \d{1,9} (?:PHPUnit )?(?<section>\w+)(?: \w+)?:$|^\d{1,9}\) (?<name>\S.*?(?: with data set (?:"[^"\n]{1,300}"|#\d{1,9}))?)(?: \(.*)?$/gm,
  end: /^--$/,
  said: (block) => block.filter((line) => !/^\S+\.php:\d+$/.test(line)),
});
