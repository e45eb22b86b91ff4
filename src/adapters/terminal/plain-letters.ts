// What does a terminal get that has no letters but ASCII?

/** Those that orch itself writes, each as wide as what stands for it. */
const SIGNS: Readonly<Record<string, string>> = {
  "…": "~",
  "·": "-",
  "→": ">",
  "✗": "x",
  "✓": "+",
  "│": "|",
  "›": ">",
  "▸": ">",
  "─": "-",
  "‖": "=",
  "–": "-",
  "»": ">",
  "×": "x",
};

export function inPlainLetters(text: string): string {
  return text.replace(/\P{ASCII}/gu, (sign) => SIGNS[sign] ?? "?");
}

/** Where nothing is said of it, as in most containers, terminals show it all the same. */
export function showsUnicode(env: Readonly<Record<string, string | undefined>>): boolean {
  const named = ["LC_ALL", "LC_CTYPE", "LANG"].map((name) => env[name] ?? "");
  return /^$|utf-?8/i.test(named.find((locale) => locale !== "") ?? "");
}

/** The stream itself; everything that is written to it goes through here. */
export function plainWhereNeeded<T extends NodeJS.WriteStream>(
  stream: T,
  env: Readonly<Record<string, string | undefined>>,
): T {
  if (!stream.isTTY || showsUnicode(env)) return stream;
  const write = stream.write.bind(stream);
  stream.write = (chunk: unknown, ...rest: readonly unknown[]): boolean => {
    const plain = typeof chunk === "string" ? inPlainLetters(chunk) : chunk;
    return Boolean(Reflect.apply(write, null, [plain, ...rest]));
  };
  return stream;
}
