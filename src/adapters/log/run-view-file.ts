// How is state.json written, so that one which orch did not write is not believed?

import { crc32 } from "node:zlib";

import { isObject, jsonIn } from "../../core/model/json.ts";
import type { LazyRunView, RunView } from "../../core/views/run-view.ts";

export function viewText(view: RunView): string {
  return [...viewPieces(view)].join("");
}

/** The text of a task at a time: that of a thousand is long, and written every few seconds. */
export function* viewPieces(view: LazyRunView): Generator<string> {
  yield* sealedPieces(bodyOf(view));
  yield "\n";
}

function* bodyOf({ tasks, ...head }: LazyRunView): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"tasks":[`;
  let comma = "";
  for (const task of tasks) {
    yield comma + JSON.stringify(task);
    comma = ",";
  }
  yield "]";
}

/** null: damaged, changed by others, or of an older orch; the log is read instead. */
export function viewIn(text: string): RunView | null {
  const value = jsonIn(unsealed(text.trimEnd()) ?? "");
  return isView(value) ? value : null;
}

/** The version says that this orch knows the form. */
function isView(value: unknown): value is RunView {
  return isObject(value) && value["version"] === 3;
}

/**
 * A text that JSON.stringify made of an object, with a checksum of itself as the last key: for damage, not
 * for malice. At the end, so that it covers all that stands before it, and nothing needs to be parsed
 * before it is believed.
 */
export function sealed(text: string): string {
  const body = text.slice(0, -1);
  return body + sealOf(crc32(body));
}

/** The same of a text in pieces that lacks its last brace. */
function* sealedPieces(body: Iterable<string>): Generator<string> {
  let crc = 0;
  for (const piece of body) {
    crc = crc32(piece, crc);
    yield piece;
  }
  yield sealOf(crc);
}

/** "none": the text does not end as a sealed one does. `bytes` are the text's own, where they are at hand. */
export function sealIn(
  text: string,
  bytes: Uint8Array = Buffer.from(text),
): "whole" | "broken" | "none" {
  const seal = text.slice(-SEAL_BYTES);
  if (seal === sealOf(crc32(bytes.subarray(0, -SEAL_BYTES)))) return "whole";
  return seal.startsWith(SEAL_START) ? "broken" : "none";
}

/** The text that was sealed; null: it is not whole. */
export function unsealed(text: string): string | null {
  return sealIn(text) === "whole" ? `${text.slice(0, -SEAL_BYTES)}}` : null;
}

const SEAL_START = ',"crc":"';

function sealOf(crc: number): string {
  let digits = "";
  // By hand: numbers above 31 bits are what toString is slow for, and a replay asks this of every line.
  for (let shift = 28; shift >= 0; shift -= 4) digits += DIGITS[(crc >>> shift) & 15];
  return `${SEAL_START}${digits}"}`;
}

const DIGITS = "0123456789abcdef";

const SEAL_BYTES = sealOf(0).length;
