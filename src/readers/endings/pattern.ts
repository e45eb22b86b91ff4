// How is a pattern that is too long for one line written on several?

/** Line breaks and the indentation behind them are not part of the pattern. */
export function pattern(source: TemplateStringsArray): RegExp {
  return new RegExp(joined(source));
}

/** As `pattern`, and `^` and `$` look at each line. */
export function linePattern(source: TemplateStringsArray): RegExp {
  return new RegExp(joined(source), "m");
}

function joined(source: TemplateStringsArray): string {
  return source.raw.join("").replace(/\n\s*/g, "");
}
