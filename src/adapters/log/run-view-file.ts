// How is state.json written, so that one which orch did not write is not believed?

import { isObject, jsonIn } from "../../core/model/json.ts";
import type { RunView } from "../../core/views/run-view.ts";
import { sealed, unsealed } from "./seal.ts";

export function viewText(view: RunView): string {
  return `${sealed(JSON.stringify(view))}\n`;
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
