// What can a script for the Responses API server say? The same as for messages-server.mjs.

import type { ScriptedModel, Turn } from "./scripted-model.mjs";

export interface ResponsesRequest {
  readonly model: string;
  readonly input: readonly { readonly type: string; readonly output?: unknown }[];
  readonly reasoning?: { readonly effort?: string };
}

export function startResponsesServer(
  turns?: readonly (Turn | ((request: ResponsesRequest) => Turn))[],
  port?: number,
): Promise<ScriptedModel<ResponsesRequest>>;
