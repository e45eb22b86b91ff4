// What does an owner file say?

import { isObject, jsonIn } from "../core/model/json.ts";
import type { ProcessIdentity } from "../core/model/session.ts";
import { parsed, unparsed, type Parsed } from "./parsed.ts";

/** An owner file is tiny; anything longer is none. */
const FILE_CHARS_MAX = 4096;

export interface OwnerRecord {
  readonly epoch: number;
  readonly process: ProcessIdentity;
  readonly host: string;
  /** Id of the machine's boot; "" where the system does not tell. */
  readonly boot: string;
  readonly pidNamespace: string;
  readonly token: string;
  readonly since: string;
  /** True when the owner gave the run back in order. */
  readonly released: boolean;
}

/**
 * By hand, not by schema: `orch status` reads this, and must not load a schema library for it.
 * Unknown keys are let through, so that an older program still respects a newer one's ownership.
 */
export function parseOwnerFile(text: string): Parsed<OwnerRecord> {
  const raw = text.length > FILE_CHARS_MAX ? null : jsonIn(text);
  if (!isObject(raw) || !isObject(raw["process"])) return unparsed("not an owner file");
  const { epoch, host, boot, pidNamespace, token, since, released } = raw;
  const { pid, startTime } = raw["process"];
  if (!isCount(epoch) || !isCount(pid)) return unparsed("epoch, process.pid: not numbers");
  if (typeof released !== "boolean") return unparsed("released: not a boolean");
  if (
    typeof startTime !== "string" ||
    typeof host !== "string" ||
    typeof boot !== "string" ||
    typeof pidNamespace !== "string" ||
    typeof token !== "string" ||
    typeof since !== "string"
  )
    return unparsed("a text is missing");
  return parsed({
    epoch,
    process: { pid, startTime },
    host,
    boot,
    pidNamespace,
    token,
    since,
    released,
  });
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
