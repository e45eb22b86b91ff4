// How is a conversation kept on disk, so that a later session can take it up again?

import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";

import { PRIVATE_FILE } from "../../adapters/files/disk.ts";
import { isObject, jsonIn } from "../../core/model/json.ts";
import type { CallResult, Message } from "./model.ts";

export type Transcript = ReturnType<typeof openTranscript>;

/** One message a line. A torn line, and what follows it, is cut off. Throws where the disk does. */
export function openTranscript(path: string) {
  const messages: Message[] = [];
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  let end = 0;
  for (const line of text.split("\n").slice(0, -1)) {
    const message = jsonIn(line);
    if (!isMessage(message)) break;
    messages.push(message);
    end += line.length + 1;
  }
  if (end < text.length) truncateSync(path, Buffer.byteLength(text.slice(0, end)));
  return {
    messages: messages as readonly Message[],
    add: (message: Message): void => {
      appendFileSync(path, `${JSON.stringify(message)}\n`, { mode: PRIVATE_FILE });
      messages.push(message);
    },
  };
}

/** What the agent itself wrote is looked at no further. */
function isMessage(value: unknown): value is Message {
  return isObject(value) && Array.isArray(value["content"]);
}

const INTERRUPTED =
  "Interrupted: the session ended before this call had a result. It may have run, in part or not at all.";

/** The API wants a result for every call: these are for those that have none. */
export function resultsOfInterrupted(messages: readonly Message[]): readonly CallResult[] {
  const last = messages.at(-1);
  return (last?.role === "assistant" ? last.content : []).flatMap((block) =>
    block.type === "tool_use"
      ? [{ type: "tool_result", tool_use_id: block.id, is_error: true, content: INTERRUPTED }]
      : [],
  );
}
