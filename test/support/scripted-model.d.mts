// What can a script for a model server say, and what can be seen of those who call it?

/** A model's answer. Without a stop reason: "tool_use" with tools, else "end_turn". */
interface Answer {
  readonly thinking?: string;
  readonly text?: string;
  readonly tools?: readonly {
    readonly name: string;
    /** Of a tool server, where the format keeps it apart from the name. */
    readonly namespace?: string;
    /** Text: for a tool that takes no JSON. */
    readonly input: object | string;
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
  readonly code?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Beside the message, where the format has room for it. */
  readonly details?: object;
  readonly repeat?: boolean;
}

/** No answer at all: the connection is dropped, or held open in silence. */
type Silence =
  | { readonly drop: true; readonly repeat?: boolean }
  | { readonly hang: true; readonly repeat?: boolean };

export type Turn = Answer | Fault | Silence;

export interface ScriptedModel<R> {
  readonly url: string;
  /** Requests of main conversations, oldest first. */
  readonly requests: readonly {
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly body: R;
  }[];
  add(...turns: readonly (Turn | ((request: R) => Turn))[]): void;
  /** Drops what is left of the script, also a turn that repeats, and goes on with this. */
  replace(...turns: readonly (Turn | ((request: R) => Turn))[]): void;
  /** Resolves when this many requests of main conversations have arrived. */
  reached(count: number): Promise<void>;
  close(): Promise<void>;
}
