// Which time zone does a message name behind a clock?

/**
 * The name as written, known or not, or an offset such as `-08:00`; null: the words behind the clock name no
 * zone. An abbreviation that means several zones (IST, BST) names none that can be trusted.
 */
export function zoneAfter(rest: string): string | null {
  const [, name] = NAMED.exec(rest) ?? [];
  if (name !== undefined) return name;
  const [, base, sign, hours, minutes] = OFFSET.exec(rest) ?? [];
  if (sign !== undefined && hours !== undefined) return offsetZone(sign, hours, minutes ?? "00");
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

/** Each zone with its abbreviations. */
const ABBREVIATIONS = new Map(
  `-08:00 pst
  -07:00 pdt mst
  America/Los_Angeles pt pacific
  -06:00 mdt cst
  America/Denver mt mountain
  -05:00 cdt est
  America/Chicago ct central
  -04:00 edt
  America/New_York et eastern
  +01:00 cet west
  +02:00 cest eet
  +03:00 eest
  +00:00 wet
  +09:00 jst kst
  +10:00 aest
  +11:00 aedt`
    .split("\n")
    .map((line) => line.trim().split(" "))
    .flatMap(([zone = "", ...names]) => names.map((name) => [name, zone] as const)),
);

const AMBIGUOUS = ["ist", "bst", "ast", "sst", "gst", "amt"];
/** In the form of a zone, and known to nobody. */
const NO_ZONE = "Unknown/Ambiguous";

function offsetZone(sign: string, hours: string, minutes: string): string {
  return `${sign}${hours.padStart(2, "0")}:${minutes}`;
}
