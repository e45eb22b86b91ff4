// Which time zone does a message name behind a clock?

/**
 * The name as written, known or not, or an offset such as `-08:00`; null: the words behind the clock name no
 * zone. An abbreviation that means several zones (IST, BST) names none that can be trusted.
 */
export function zoneAfter(rest: string): string | null {
  const [, name] = NAMED.exec(rest) ?? [];
  if (name !== undefined) return name;
  const [, base, sign, hours, minutes] = OFFSET.exec(rest) ?? [];
  if (sign !== undefined && hours !== undefined)
    return `${sign}${hours.padStart(2, "0")}:${minutes ?? "00"}`;
  if (base !== undefined) return "UTC";
  const [, short] = SHORT.exec(rest) ?? [];
  if (short === undefined) return null;
  return AMBIGUOUS.includes(short) ? NO_ZONE : (ABBREVIATIONS.get(short) ?? null);
}

/** `(America/Los_Angeles)`, `Etc/GMT+5`. */
const NAMED = /^ ?\(?((?:[a-z_]{2,20}\/){1,2}[a-z0-9_+-]{2,30})/;
/** `Z`, `UTC`, `GMT+2`, `+05:30`. */
const OFFSET = /^(?:\.\d{1,9})? ?\(?(?:(utc|gmt|z)\b)? ?(?:([+-])(\d{1,2}):?(\d{2})?(?!\d))?/;
const SHORT = /^ ?\(?([a-z]{2,4}t|pacific|eastern|central|mountain)\b(?! (?:to|is|for)\b)/;

const AT = (zone: string, names: string) => names.split(" ").map((name) => [name, zone] as const);
const ABBREVIATIONS = new Map([
  ...AT("America/Los_Angeles", "pt pacific"),
  ...AT("America/Denver", "mt mountain"),
  ...AT("America/Chicago", "ct central"),
  ...AT("America/New_York", "et eastern"),
  ...AT("-08:00", "pst"),
  ...AT("-07:00", "pdt mst"),
  ...AT("-06:00", "mdt cst"),
  ...AT("-05:00", "cdt est"),
  ...AT("-04:00", "edt"),
  ...AT("+01:00", "cet west"),
  ...AT("+02:00", "cest eet"),
  ...AT("+03:00", "eest"),
  ...AT("+00:00", "wet"),
  ...AT("+09:00", "jst kst"),
  ...AT("+11:00", "aedt"),
  ...AT("+10:00", "aest"),
]);

const AMBIGUOUS = ["ist", "bst", "ast", "sst", "gst", "amt"];
/** In the form of a zone, and known to nobody. */
const NO_ZONE = "Unknown/Ambiguous";
