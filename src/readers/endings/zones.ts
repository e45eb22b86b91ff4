// Which time zone does a message name behind a clock, and which moment does a clock show there?

/**
 * The name as written, known or not, or an offset such as `-08:00`; null: the words behind the clock name no
 * zone. An abbreviation (PST, IST) may mean several zones, and names none that can be trusted.
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
  return NO_ZONE;
}

/** `(America/Los_Angeles)`, `Etc/GMT+5`. */
const NAMED = /^ ?\(?((?:[a-z_]{2,20}\/){1,2}[a-z0-9_+-]{2,30})/;
/** `Z`, `UTC`, `GMT+2`, `+05:30`. */
const OFFSET = /^(?:\.\d{1,9})? ?\(?(?:(utc|gmt|z)\b)? ?(?:([+-])(\d{1,2}):?(\d{2})?(?!\d))?/;
const SHORT = /^ ?\(?([a-z]{2,4}t|pacific|eastern|central|mountain)\b(?! (?:to|is|for)\b)/;

/** In the form of a zone, and known to nobody. */
const NO_ZONE = "Unknown/Ambiguous";

/** A civil date and time; months count from 1. Days past the end of a month roll over. */
export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** null: there is no such zone. In the hour that a clock change skips, the moment is one of its neighbours. */
export function zonedMs(civil: Civil, zone: string): number | null {
  const wall = Date.UTC(civil.year, civil.month - 1, civil.day, civil.hour, civil.minute);
  if (!Number.isFinite(wall) || Math.abs(wall) > WALL_MS_MAX) return null;
  const fixed = fixedOffsetMs(zone);
  if (fixed !== null) return wall - fixed;
  const format = formatFor(zone);
  if (format === null) return null;
  // The offset is that of the moment itself, which is known only after a first guess.
  const guess = wall - offsetMs(format, wall);
  return wall - offsetMs(format, guess);
}

/** What calendar and clock in that zone show at a moment. null: there is no such zone. */
export function civilIn(ms: number, zone: string): Civil | null {
  const fixed = fixedOffsetMs(zone);
  const format = formatFor(fixed === null ? zone : "UTC");
  if (format === null || !(Math.abs(ms) <= WALL_MS_MAX)) return null;
  return civilOf(format, ms + (fixed ?? 0));
}

/** 0 is Sunday. */
export function weekdayOf(civil: Civil): number {
  const days = Math.floor(Date.UTC(civil.year, civil.month - 1, civil.day) / DAY_MS);
  return (((days + 4) % 7) + 7) % 7;
}

const DAY_MS = 86_400_000;
/** A day inside the span that dates can express, so that every offset stays inside. */
const WALL_MS_MAX = 8_640_000_000_000_000 - DAY_MS;

/** Offsets are read here, because not every supported runtime takes them for zones. */
function fixedOffsetMs(zone: string): number | null {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return null;
  return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
}

function formatFor(zone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    // The constructor's only complaint about these options is a zone it does not know.
    return null;
  }
}

function civilOf(format: Intl.DateTimeFormat, ms: number): Civil & { readonly second: number } {
  const shown = format.format(ms).match(/\d+/g) ?? [];
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = shown.map(Number);
  return { year, month, day, hour, minute, second };
}

function offsetMs(format: Intl.DateTimeFormat, ms: number): number {
  const { year, month, day, hour, minute, second } = civilOf(format, ms);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}
