// Which lines of an ending speak about something else than the ending?

import { phrases, type Words } from "../match/phrases.ts";

const LEVEL = "(?:trace|debug|info|notice|warn|warning)";
const OTHERS = "tenant|customer|visitor|shop|end-user|subscriber";
const LIMIT = "limit*|quota|cap|budget|context";
const REFUSED = "limit*|quota|429|throttl*|unauthorized|denied|blocked";
const DONE =
  "added|adds|implement*|fixed|fixes|refactored|updated|renamed|removed|moved|changed|wrote|created" +
  "|documented|extended|replaced|introduced|handled|handles|improved|simplified|tested|verified|explained";
const PAGE = "page|banner|section|readme|changelog|docs|documentation|table|comment|guide|chapter";
const SHOWS =
  "show*|return*|handle*|check*|retr*|wait*|print*|reject*|explain*|say*|use*|throw*|log|logs|answer*" +
  "|respond*|display*|refuse*|raise*";

interface InertRow {
  readonly any: Words;
  /** Words that show that the line is about the ending after all. */
  readonly unless?: Words;
}

/** Source code, names of tests, logs about others, an account of the work: they use the words of real blockers. */
const INERT_ROWS: readonly InertRow[] = [
  {
    any: phrases`

  ${/\bthrow new \w|\braise \w+\(|(?:^|[^.\w])new \w{0,40}error\(|\bconsole\.\w+\(/}
      ${/(?<!error: )\bexpect\(|\b(?:it|test|describe)\(["'`]|^(?:\/\/|\/\*|<! {2})/}
      ${/^(?:return|const|let|var|if|else|elif|def|func|fn|function|import|export|assert|except|catch|case)\b.{0,300}[;:{(]$/}`,
  },
  {
    any: /^\s*(?:✓|✔|√|☑|ok \d+\b|pass(?:ed)?\b|\[ ?(?:ok|pass(?:ed)?) ?\])|^all \d* ?tests passed|^test .{1,200} \.\.\. ok\b|::.{1,200} passed\b/,
    unless: /\bfail/,
  },
  {
    any: phrases`

  ${new RegExp(`^[\\W\\d]{0,4}(?:[a-z]{3} \\d{1,2} )?[\\dtz:.,+ ]{0,32}(?:\\[[\\w. ]{1,40}\\] )?\\W{0,3}${LEVEL}\\b`)}
      ${new RegExp(`"(?:level|severity)": ?"${LEVEL}"|\\blevel=${LEVEL}\\b`)}
      ${/^(?:npm (?:warn|notice)|yarn warn|\(node:\d+\) |\S{0,200}\b(?:deprecation|user|future)warning:)/}
      ${/"(?:get|post|put|patch|delete|head|options) [^" ]{1,300}(?: http\/[\d.]{1,4})?" \d{3}\b/}`,
    unless: /\bwarning:? (?:you've hit|you have (?:hit|reached)|usage limit reached)/,
  },
  {
    any: phrases`
      ${OTHERS} .. ${REFUSED}, ${REFUSED} .. for|by|from the? ${OTHERS}|client|ip|remote, ^
      if|when|whenever|once|unless`,
  },
  {
    any: phrases`
      approaching|nearing|near|close+to|about+to+hit|about+to+reach|almost+at .. ${LIMIT}, context
      left|low|remaining, # messages|requests|credits|tokens|turns remaining|left,
      ${/\b\d{1,2}(?:\.\d+)?% (?:of|used|left|remaining|full|consumed)\b|\busage (?:is )?at \d{1,2}%/}`,
    unless: /\bheap\b/,
  },
  {
    any: phrases`
      ^ i|we|i've|we've? have? also|then|now? ${DONE}, ^ @ works|work again|now, ^ this|that|it
      adds|fixes|removes|changes|covers|keeps|makes|moves|renames|handles, ^ the
      old|new|previous|former code|version|behavio*|implementation|logic|test*,
      ${/^(?:[0-9a-f]{7,40} )?(?:feat|fix|docs|chore|refactor|perf)(?:\([^)]{1,40}\))?!?: /}`,
    unless: phrases`
      i|we could+not|couldn't|cannot|can't|need|unable|was+unable|am+unable|are+unable|don't|do+not have,
      but|however|still .. fail*|cannot|could+not|denied|refuse*|blocked`,
  },
  {
    any: phrases`now|should also|only? ${SHOWS}, ${PAGE} ${SHOWS}|cover*|document*|list*|mention*|describe*`,
    unless: /error:|fatal:|error\[|error [a-z]{2}\d/,
  },
];

/** Lines by which a test runner says that tests failed, or names one that did. Never of zero failures. */
const REPORT: readonly RegExp[] = [
  /^=+ .{0,200}\b[1-9]\d* (?:failed|errors?)\b.{0,200} in [\d.]+ ?s|^=+ (?:failures|short test)/,
  /^[1-9]\d* (?:failed|failing)\b|^(?:- )?failed \S{1,300}(?:::| > )|^failed \((?:failures|errors)=/,
  /^fail {1,4}\S{1,300}|^fail\b.{0,100}\d+(?:\.\d+)?s$|^--- fail: |^not ok \d+|^[×✗] /,
  /^tests?(?: files?| suites?)?:?.{0,80}\b[1-9]\d* failed|^test result: failed/,
  /^(?:\[error\] )?tests run:.{0,60}(?:failures|errors): [1-9]|^failures: [1-9]/,
  /^\d+ (?:tests?(?: completed)?|examples?), [1-9]\d* (?:failed|failures?|errors?)/,
];

/** `words`: the line in lower case, on one line, its names apart. */
export function isInert(words: string): boolean {
  return INERT_ROWS.some(({ any, unless }) => any.test(words) && unless?.test(words) !== true);
}

/** `lower`: the line in lower case, on one line. */
export function isReport(lower: string): boolean {
  return REPORT.some((pattern) => pattern.test(lower));
}
