// How is a value written in JavaScript?

export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(
      ([name, inner]: readonly [string, unknown]) => `${keyText(name)}: ${literal(inner)}`,
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
