// Who is told, outside the terminal, that a question waits or that the run is over?

import { z } from "zod";

import type { NotifySettings } from "../core/model/settings.ts";
import { isOutside } from "./duration.ts";
import { duration, line } from "./fields.ts";
import { milliseconds } from "./limit-choice.ts";

const TIMEOUT_DEFAULT_MS = 10_000;
const TIMEOUT_LEAST_MS = 1_000;
const TIMEOUT_MOST_MS = 60_000;
const URL_CHARS_MAX = 2_000;
const HEADER_CHARS_MAX = 100;

/** They say how the request is sent, which is for orch to know. */
const OWN_HEADERS: readonly string[] = [
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "user-agent",
];

const HEADER_WORDS = 'expected the name of a header, like "Authorization" or "X-Token"';

export const notifyShape = z
  .strictObject({
    command: line.optional(),
    url: z
      .url({ protocol: /^https?$/, error: "expected an http or https address" })
      .max(URL_CHARS_MAX, { error: `expected at most ${URL_CHARS_MAX} characters` })
      .refine(isWithoutCredentials, {
        error: "expected an address without a user and a password: a secret belongs in `header`",
      })
      .optional(),
    header: z
      .strictObject({
        name: z
          .string()
          .max(HEADER_CHARS_MAX, { error: HEADER_WORDS })
          .regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: HEADER_WORDS })
          .refine((name) => !OWN_HEADERS.includes(name.toLowerCase()), {
            error: "orch sets this header itself",
          }),
        env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
          error: "expected the name of an environment variable",
        }),
      })
      .optional(),
    timeout: duration
      .refine((text) => !isOutside(text, TIMEOUT_LEAST_MS, TIMEOUT_MOST_MS), {
        error: "expected a time from 1s to 60s",
      })
      .optional(),
    bell: z.boolean().optional(),
  })
  // An address from a variable that is not set is a choice, and tells nobody.
  .refine((notify) => notify.header === undefined || "url" in notify, {
    path: ["header"],
    error: "a header is sent with `url`, and there is none",
  });

export function notifyOf(written: z.infer<typeof notifyShape> | undefined): NotifySettings {
  const header = written?.header;
  return {
    command: written?.command ?? null,
    url: written?.url ?? null,
    header: header === undefined ? null : { name: header.name, variable: header.env },
    timeoutMs: milliseconds(written?.timeout) ?? TIMEOUT_DEFAULT_MS,
    bell: written?.bell ?? true,
  };
}

function isWithoutCredentials(text: string): boolean {
  if (!URL.canParse(text)) return true; // Said already.
  const { username, password } = new URL(text);
  return username === "" && password === "";
}
