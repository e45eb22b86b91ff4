// How is state.json written, so that one which orch did not write is not believed?

import { isObject, jsonIn } from "../../core/model/json.ts";
import { shortHash } from "../../core/model/short-hash.ts";
import type { RunView } from "../../core/views/run-view.ts";

/** The view, and at its end the digest of the rest. */
export function viewText(view: RunView): string {
  const text = JSON.stringify(view);
  return `${text.slice(0, -1)}${ending(text)}`;
}

/** null: damaged, changed by others, or of an older orch; the log is read instead. */
export function viewIn(text: string): RunView | null {
  const at = text.length - ENDING_CHARS;
  const whole = `${text.slice(0, at)}}`;
  if (at < 0 || text.slice(at) !== ending(whole)) return null;
  const value = jsonIn(whole);
  return isView(value) ? value : null;
}

function ending(text: string): string {
  return `,"digest":"${shortHash(text)}"}\n`;
}

const ENDING_CHARS = ending("").length;

/** The digest says that orch wrote it; the version, that this orch knows the form. */
function isView(value: unknown): value is RunView {
  return isObject(value) && value["version"] === 2;
}
