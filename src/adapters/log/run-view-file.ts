// How is state.json written, so that one which orch did not write is not believed?

import { crc32 } from "node:zlib";

import { isObject, jsonIn } from "../../core/model/json.ts";
import type { RunView } from "../../core/views/run-view.ts";

export function viewText(view: RunView): string {
  return `${sealed(JSON.stringify(view))}\n`;
}

/** null: damaged, changed by others, or of another version; the log is read instead. */
export function viewIn(text: string): RunView | null {
  const value = jsonIn(unsealed(text.trimEnd()) ?? "");
  return isView(value) ? value : null;
}

/** The version says that this orch knows the form. */
function isView(value: unknown): value is RunView {
  return isObject(value) && value["version"] === 5;
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

/** "none": the text does not end as a sealed one does. */
export function sealIn(text: string): "whole" | "broken" | "none" {
  const seal = text.slice(-SEAL_BYTES);
  // Of the text, and not of bytes made of it: for thousands of lines that takes half the time.
  if (seal === sealOf(crc32(text.slice(0, -SEAL_BYTES)))) return "whole";
  return seal.startsWith(SEAL_START) ? "broken" : "none";
}

/** The text that was sealed; null: it is not whole. */
export function unsealed(text: string): string | null {
  return sealIn(text) === "whole" ? `${text.slice(0, -SEAL_BYTES)}}` : null;
}

const SEAL_START = ',"crc":"';

function sealOf(crc: number): string {
  return `${SEAL_START}${crc.toString(16).padStart(8, "0")}"}`;
}

const SEAL_BYTES = sealOf(0).length;
