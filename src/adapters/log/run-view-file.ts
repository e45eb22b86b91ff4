// How is state.json written, so that one which orch did not write is not believed?

import { isObject, jsonIn } from "../../core/model/json.ts";
import type { LazyRunView, RunView } from "../../core/views/run-view.ts";
import { sealedPieces, unsealed } from "./seal.ts";

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
