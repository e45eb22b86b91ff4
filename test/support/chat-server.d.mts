// What can a script for the Chat Completions server say? The same as for messages-server.mjs.

import type { ScriptedModel, Turn } from "./scripted-model.mjs";

export interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export function startChatServer(
  turns?: readonly (Turn | ((request: ChatRequest) => Turn))[],
  port?: number,
): Promise<ScriptedModel<ChatRequest>>;
