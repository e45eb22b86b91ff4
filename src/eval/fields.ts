// What stands in a record whose shape nobody has checked?

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** "" where there is no text. */
export function textAt(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}
