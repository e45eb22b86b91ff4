// How is a value written in JavaScript?

/** On one line where it fits into `room`; else each of its entries on a line of its own. */
export function literal(value: unknown, room = Number.POSITIVE_INFINITY): string {
  const line = onOneLine(value);
  if (line.length <= room || typeof value !== "object" || value === null) return line;
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([name, inner]: readonly [string, unknown]) => {
    const lead = isList ? "" : `${keyText(name)}: `;
    return `${lead}${literal(inner, room - lead.length - 3)},`.replace(/^/gm, "  ");
  });
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  return [open, ...entries, close].join("\n");
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(
      ([name, inner]: readonly [string, unknown]) => `${keyText(name)}: ${onOneLine(inner)}`,
    );
    return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
  }
  if (typeof value === "number" && value >= 10_000)
    return String(value).replace(/\B(?=(?:\d{3})+$)/g, "_");
  if (typeof value === "string" && value.includes('"') && !value.includes("'")) return `'${value}'`;
  return JSON.stringify(value) ?? "undefined";
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
