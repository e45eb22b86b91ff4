// What does reading a document from outside give: a value, or a list of what is wrong with it?

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  /** One sentence for each problem, each naming the place in the document. Never empty. */
  | { readonly ok: false; readonly problems: readonly string[] };

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function unparsed(...problems: readonly [string, ...string[]]): Parsed<never> {
  return { ok: false, problems };
}

/** The part of a zod issue that a person needs; other checks can produce it as well. */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const PROBLEMS_MAX = 20;

/** "gates[0].run: expected string" for each issue; a document with a thousand mistakes shows twenty. */
export function problemsOf(issues: readonly Issue[]): readonly string[] {
  const shown = issues.slice(0, PROBLEMS_MAX).map((issue) => {
    const place = placeOf(issue.path);
    return place === "" ? issue.message : `${place}: ${issue.message}`;
  });
  const more = issues.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, key) => {
    if (typeof key === "number") return `${place}[${key}]`;
    return place === "" ? String(key) : `${place}.${String(key)}`;
  }, "");
}
