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
  return isOwnerRecord(raw) ? parsed(raw) : unparsed("not an owner file");
}

const TEXTS = ["host", "boot", "pidNamespace", "token", "since"];
/** It is shown to people. */
const SINCE = /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/;

function isOwnerRecord(raw: unknown): raw is OwnerRecord {
  if (!isObject(raw) || !isObject(raw["process"])) return false;
  const { pid, startTime } = raw["process"];
  const hasTexts = TEXTS.every((name) => typeof raw[name] === "string");
  const isOfProcess = isCount(pid) && typeof startTime === "string";
  if (!SINCE.test(String(raw["since"]))) return false;
  return isCount(raw["epoch"]) && typeof raw["released"] === "boolean" && hasTexts && isOfProcess;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
