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
  return AMBIGUOUS.includes(short) ? NO_ZONE : (ABBREVIATIONS[short] ?? null);
}

/** `(America/Los_Angeles)`, `Etc/GMT+5`. */
const NAMED = /^ ?\(?((?:[a-z_]{2,20}\/){1,2}[a-z0-9_+-]{2,30})/;
/** `Z`, `UTC`, `GMT+2`, `+05:30`. */
const OFFSET = /^(?:\.\d{1,9})? ?\(?(?:(utc|gmt|z)\b)? ?(?:([+-])(\d{1,2}):?(\d{2})?(?!\d))?/;
const SHORT = /^ ?\(?([a-z]{2,4}t|pacific|eastern|central|mountain)\b(?! (?:to|is|for)\b)/;

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  pst: "-08:00",
  pdt: "-07:00",
  pt: "America/Los_Angeles",
  pacific: "America/Los_Angeles",
  mst: "-07:00",
  mdt: "-06:00",
  mt: "America/Denver",
  mountain: "America/Denver",
  cst: "-06:00",
  cdt: "-05:00",
  ct: "America/Chicago",
  central: "America/Chicago",
  est: "-05:00",
  edt: "-04:00",
  et: "America/New_York",
  eastern: "America/New_York",
  cet: "+01:00",
  cest: "+02:00",
  eet: "+02:00",
  eest: "+03:00",
  wet: "+00:00",
  west: "+01:00",
  jst: "+09:00",
  kst: "+09:00",
  aest: "+10:00",
  aedt: "+11:00",
};

const AMBIGUOUS = ["ist", "bst", "ast", "sst", "gst", "amt"];
/** In the form of a zone, and known to nobody. */
const NO_ZONE = "Unknown/Ambiguous";

function offsetZone(sign: string, hours: string, minutes: string): string {
  return `${sign}${hours.padStart(2, "0")}:${minutes}`;
}
