// Was a check silenced at one place that was not silenced before?

import type { Alarm } from "../../core/model/alarm.ts";
import { alarmOf } from "./reading.ts";
import type { ReadFile, Side } from "./reading.ts";
import { lineTeller } from "./scan.ts";
import type { Comment } from "./scan.ts";
import { SUPPRESSION_HINT, suppressionWords } from "./suppression-words.ts";
import type { SuppressionWord } from "./suppression-words.ts";
import { countBy, surplus, takeOne } from "./surplus.ts";

interface Suppression {
  readonly word: SuppressionWord;
  /** One rule or code, as `no-console`; "*": everything. */
  readonly code: string;
  readonly start: number;
  readonly text: string;
}

/**
 * What a file silences now and did not before. Moved code takes its suppressions along, so one that
 * left any changed file makes up for one of the same kind that came; a wide one that left makes up
 * for every narrow one of its file.
 */
export function suppressionAlarms(files: readonly ReadFile[]): readonly Alarm[] {
  const changes = files.flatMap((file) => {
    const now = suppressionsIn(file, "after");
    const base = suppressionsIn(file, "before");
    return now.length + base.length === 0 ? [] : [{ file, ...netOf(base, now) }];
  });
  const left = countBy(
    changes.flatMap(({ removed }) => removed),
    keyOf,
  );
  const isMoved = (each: Suppression): boolean =>
    takeOne(left, keyOf(each)) || takeOne(left, keyOf({ ...each, code: "*" }));
  return changes.flatMap(({ file: { path, after }, added }) => {
    const lineOf = lineTeller(after ?? "");
    return added
      .filter((each) => !isMoved(each))
      .map(({ start, text }) => alarmOf("suppression-added", path, text, lineOf(start)));
  });
}

function keyOf({ word, code }: Suppression): string {
  return `${word.family} ${word.isWide ? "wide" : "narrow"} ${code}`;
}

function netOf(base: readonly Suppression[], now: readonly Suppression[]) {
  const removed = surplus(base, now, keyOf);
  const wideLeft = removed.filter(({ word }) => word.isWide);
  const isNarrower = ({ word, code }: Suppression): boolean =>
    wideLeft.some(
      (wide) =>
        wide.word.family === word.family &&
        (wide.code === "*" || (wide.code === code && !word.isWide)),
    );
  return { added: surplus(now, base, keyOf).filter((each) => !isNarrower(each)), removed };
}

/** More in one file are generated. */
const SUPPRESSIONS_MAX = 2_000;

function suppressionsIn(file: ReadFile, side: Side): readonly Suppression[] {
  const { role } = file;
  const { language } = role;
  if (language === null || !SUPPRESSION_HINT.test(file[side] ?? "")) return [];
  const source = file.sourceOf(side);
  if (source === null) return [];
  const words = suppressionWords(language).filter(
    ({ fineInTests }) => !(role.isTest && fineInTests),
  );
  const { code, comments } = source;
  const inComments = words.filter(({ pattern }) => !pattern.global);
  return [
    ...comments.flatMap((comment) => ofComment(comment, inComments)),
    ...words.flatMap((word) => (word.pattern.global ? ofCode(code, word) : [])),
  ].slice(0, SUPPRESSIONS_MAX);
}

const COMMENT_CHARS_MAX = 600;
/** What stands before the first word of a comment; a second comment may follow on its line. */
const PREFIX = /^(?:\/\/|\/\*|#|\*|!|\s|\{){1,20}/;

function ofComment(comment: Comment, words: readonly SuppressionWord[]): readonly Suppression[] {
  const whole = comment.text.slice(0, COMMENT_CHARS_MAX);
  if (!SUPPRESSION_HINT.test(whole)) return [];
  let offset = comment.start;
  return whole.split(/(?<=\s)(?=#)/).flatMap((part) => {
    const start = offset;
    offset += part.length;
    const said = part.replace(PREFIX, "");
    for (const word of words) {
      const match = word.pattern.exec(said) ?? word.pattern.exec(`#${said}`);
      if (match !== null) return suppressionsOf(word, match[1] ?? "", start, part);
    }
    return [];
  });
}

function ofCode(code: string, word: SuppressionWord): readonly Suppression[] {
  return Array.from(code.matchAll(word.pattern), (match) => {
    const line = code
      .slice(match.index, match.index + 200)
      .split("\n", 1)
      .join("");
    return suppressionsOf(word, match[1] ?? "", match.index, line);
  }).flat();
}

const CODES_MAX = 30;
const TEXT_CHARS_MAX = 120;

function suppressionsOf(
  word: SuppressionWord,
  list: string,
  start: number,
  line: string,
): readonly Suppression[] {
  const text = line.replace(/\s+/g, " ").trim().slice(0, TEXT_CHARS_MAX);
  // A reason follows two dashes or stands on the next line.
  const named = list
    .split(/\s--|\n/, 1)
    .join("")
    .split(/[\s,]+/)
    .filter((each) => /\w/.test(each));
  const codes = named.length === 0 ? ["*"] : [...new Set(named)].slice(0, CODES_MAX);
  return codes.map((code) => ({ word, code, start, text }));
}
