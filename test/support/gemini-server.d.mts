// What can a script for the Gemini API server say? The same as for messages-server.mjs.

import type { ScriptedModel, Turn } from "./scripted-model.mjs";

export interface GeminiRequest {
  readonly contents: readonly { readonly role: string; readonly parts: readonly object[] }[];
}

export function startGeminiServer(
  turns?: readonly (Turn | ((request: GeminiRequest) => Turn))[],
  port?: number,
): Promise<ScriptedModel<GeminiRequest>>;
