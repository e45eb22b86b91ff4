// What can a script for the Messages API server say?

import type { ScriptedModel, Turn } from "./scripted-model.mjs";

export type { Turn } from "./scripted-model.mjs";

export interface MessagesRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly { readonly name: string }[];
  readonly system?: unknown;
}

export type MessagesServer = ScriptedModel<MessagesRequest>;

export function startMessagesServer(
  turns?: readonly (Turn | ((request: MessagesRequest) => Turn))[],
  port?: number,
): Promise<MessagesServer>;

export function toolResults(
  request: MessagesRequest,
): readonly { readonly id: string; readonly isError: boolean; readonly text: string }[];

export function usedUpUntil(resetSeconds: number): Readonly<Record<string, string>>;
