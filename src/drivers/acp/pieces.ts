// How do the pieces of a text that an agent sends become one message again?

import { isObject, nameAt, objectAt, textAt, type JsonObject } from "../../core/model/json.ts";

const PIECES = ["agent_message_chunk", "agent_thought_chunk"];
const TEXT_CHARS_MAX = 1_000_000;

interface Piece {
  readonly message: JsonObject;
  readonly update: JsonObject;
  readonly text: string;
}

/** Half of a secret is known for none, so a text is redacted and logged as a whole. */
export function createJoiner() {
  let open: Piece | null = null;
  const rest = (): readonly object[] => {
    const left = open === null ? [] : [whole(open)];
    open = null;
    return left;
  };
  const add = (message: JsonObject): readonly object[] => {
    const piece = pieceIn(message);
    if (piece === null) return [...rest(), message];
    if (open !== null && isSameText(open, piece)) {
      open = { ...piece, text: open.text + piece.text };
      return [];
    }
    const before = rest();
    open = piece;
    return before;
  };
  return { add, rest };
}

function pieceIn(message: JsonObject): Piece | null {
  const update = updateIn(message);
  const text = update === null ? null : textOf(update["content"]);
  const isPiece = update !== null && PIECES.includes(nameAt(update, "sessionUpdate"));
  return isPiece && text !== null ? { message, update, text } : null;
}

function isSameText({ update, text }: Piece, { update: next }: Piece): boolean {
  const isSame = ["sessionUpdate", "messageId"].every((key) => update[key] === next[key]);
  return isSame && text.length < TEXT_CHARS_MAX;
}

function whole({ message, update, text }: Piece): JsonObject {
  const params = objectAt(message, "params");
  return {
    ...message,
    params: { ...params, update: { ...update, content: { type: "text", text } } },
  };
}

/** null: the message is no update of a session. */
export function updateIn(message: JsonObject): JsonObject | null {
  if (message["method"] !== "session/update") return null;
  return objectAt(objectAt(message, "params") ?? {}, "update");
}

/** null: the content is no text. */
export function textOf(content: unknown): string | null {
  return isObject(content) && content["type"] === "text" ? textAt(content, "text") : null;
}
