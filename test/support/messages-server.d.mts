// What can a script for the Messages API server say?

/** A model's answer. Without a stop reason: "tool_use" with tools, else "end_turn". */
interface Answer {
  readonly thinking?: string;
  readonly text?: string;
  readonly tools?: readonly {
    readonly name: string;
    readonly input: object;
    readonly id?: string;
  }[];
  readonly stopReason?: string;
  readonly usage?: {
    readonly input?: number;
    readonly output?: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  /** The stream breaks off in the middle of the last block. */
  readonly cut?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Play this turn for every further request. */
  readonly repeat?: boolean;
}

/** The server says no. */
interface Fault {
  readonly status: number;
  /** As in "rate_limit_error". */
  readonly type?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly repeat?: boolean;
}

/** No answer at all: the connection is dropped, or held open in silence. */
type Silence =
  | { readonly drop: true; readonly repeat?: boolean }
  | { readonly hang: true; readonly repeat?: boolean };

export type Turn = Answer | Fault | Silence;

export interface MessagesRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly { readonly name: string }[];
  readonly system?: unknown;
}

export interface MessagesServer {
  readonly url: string;
  /** Requests of main conversations, oldest first. */
  readonly requests: readonly {
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly body: MessagesRequest;
  }[];
  add(...turns: readonly (Turn | ((request: MessagesRequest) => Turn))[]): void;
  /** Drops what is left of the script, also a turn that repeats, and goes on with this. */
  replace(...turns: readonly (Turn | ((request: MessagesRequest) => Turn))[]): void;
  /** Resolves when this many requests of main conversations have arrived. */
  reached(count: number): Promise<void>;
  close(): Promise<void>;
}

export function startMessagesServer(
  turns?: readonly (Turn | ((request: MessagesRequest) => Turn))[],
  port?: number,
): Promise<MessagesServer>;

export function toolResults(
  request: MessagesRequest,
): readonly { readonly id: string; readonly isError: boolean; readonly text: string }[];

export function usedUpUntil(resetSeconds: number): Readonly<Record<string, string>>;
