// How are people notified that a question waits or the run is over?

import { basename } from "node:path";

import { excerpt } from "../../core/model/excerpt.ts";
import type { NotifySettings } from "../../core/model/settings.ts";
import { runNotifyCommand } from "./notify-command.ts";
import { noticeRecord, type Notice } from "./notify-record.ts";
import { pauseFor, postNotice, type UrlChannel } from "./notify-url.ts";
import { createRedactor, type Redact } from "../redact.ts";

export type { Notice } from "./notify-record.ts";

/** What became of a notice on one channel. */
export interface Delivery {
  readonly channel: "command" | "url";
  /** null: it arrived. Otherwise one line, without secrets. */
  readonly trouble: string | null;
}

export interface Notifier {
  /**
   * Tells every configured channel at once, and resolves when each has been told or given up.
   *
   * Never rejects. Stops the command and the tries when `signal` aborts.
   */
  tell(notice: Notice, signal: AbortSignal): Promise<readonly Delivery[]>;
}

export interface NotifierOptions {
  readonly settings: NotifySettings;
  /** Absolute; the repository's root. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly redact: Redact;
  /** Of orch. */
  readonly version: string;
  readonly pause?: UrlChannel["pause"];
}

const TROUBLE_CHARS_MAX = 400;
/** A shorter value would be found in words that have nothing to do with it. */
const SECRET_CHARS_MIN = 6;

export function createNotifier(options: NotifierOptions): Notifier {
  const { settings, root, env, version, pause = pauseFor } = options;
  const { command, url, header, timeoutMs } = settings;
  const redact = alsoSecret(options.redact, header === null ? "" : (env[header.variable] ?? ""));
  return {
    async tell(notice, signal) {
      const record = noticeRecord(notice, basename(root), redact);
      const told: Promise<Delivery>[] = [];
      const tell = (channel: Delivery["channel"], trouble: Promise<string | null>): void => {
        const words = trouble.catch((error: unknown) => `it failed: ${String(error)}`);
        told.push(
          words.then((text) => ({ channel, trouble: text === null ? null : lineOf(redact(text)) })),
        );
      };
      if (command !== null) {
        const channel = { command, root, env, redact, timeoutMs };
        tell("command", runNotifyCommand(channel, { notice, record }, signal));
      }
      if (url !== null) {
        const channel = { url, header, env, timeoutMs, version, pause };
        tell("url", postNotice(channel, record, signal));
      }
      return Promise.all(told);
    },
  };
}

function lineOf(text: string): string {
  return excerpt(text, TROUBLE_CHARS_MAX);
}

function alsoSecret(redact: Redact, value: string): Redact {
  const secret = value.trim();
  if (secret.length < SECRET_CHARS_MIN) return redact;
  const more = createRedactor({}, [secret]);
  return (text) => more(redact(text));
}
