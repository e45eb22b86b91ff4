// How is a notice posted to a web address?

import { setTimeout as sleep } from "node:timers/promises";

import type { NotifySettings } from "../../core/model/settings.ts";
import { causeCode } from "../files/disk.ts";

export interface UrlChannel {
  readonly url: string;
  readonly header: NotifySettings["header"];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Of orch. */
  readonly version: string;
  /** Waits between two tries; rejects when `signal` aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Between the first and the second try, and between the second and the third. */
const PAUSES_MS = [1_000, 3_000] as const;

export function pauseFor(ms: number, signal: AbortSignal): Promise<unknown> {
  return sleep(ms, undefined, { signal });
}

/** null: it arrived. Never rejects, and never names the path or the header: both may be secrets. */
export async function postNotice(
  channel: UrlChannel,
  record: string,
  signal: AbortSignal,
): Promise<string | null> {
  const headers = headersOf(channel);
  if (typeof headers === "string") return `${headers}; nothing was sent`;
  const { host } = new URL(channel.url);
  for (let tries = 1; ; tries++) {
    const tried = await tryOnce(channel, { headers, body: record }, signal);
    if (signal.aborted) return `orch stopped before ${host} answered`;
    if (tried.kind === "arrived") return null;
    const pauseMs = tried.again ? PAUSES_MS[tries - 1] : undefined;
    if (pauseMs === undefined) return `${host} ${tried.why}${tries > 1 ? `, ${tries} times` : ""}`;
    // Rejects only because of the signal, which the next try sees.
    await channel.pause(pauseMs, signal).catch(() => undefined);
  }
}

type Tried =
  | { readonly kind: "arrived" }
  | { readonly kind: "failed"; readonly why: string; readonly again: boolean };

async function tryOnce(
  { url, timeoutMs }: UrlChannel,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal: AbortSignal,
): Promise<Tried> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      ...message,
      method: "POST",
      // The next address was chosen by nobody here, and must not get the secret.
      redirect: "manual",
      signal: AbortSignal.any([signal, late]),
    });
    // Nobody reads the answer, and nobody waits for the rest of it.
    await response.body?.cancel().catch(() => undefined);
    return outcomeOf(response.status);
  } catch (error) {
    const why = late.aborted
      ? `did not answer within ${timeoutMs} ms`
      : `could not be reached (${causeCode(error)})`;
    return { kind: "failed", why, again: true };
  }
}

function outcomeOf(status: number): Tried {
  if (status >= 200 && status < 300) return { kind: "arrived" };
  const redirects = status >= 300 && status < 400 ? ", and redirects are not followed" : "";
  const why = `answered ${status}${redirects}`;
  return { kind: "failed", why, again: status === 429 || status >= 500 };
}

/** A sentence where the secret is missing or cannot be sent. */
function headersOf({
  header,
  env,
  version,
}: UrlChannel): Readonly<Record<string, string>> | string {
  const standard = { "content-type": "application/json", "user-agent": `orch/${version}` };
  if (header === null) return standard;
  const secret = env[header.variable]?.trim() ?? "";
  if (secret === "") return `the variable ${header.variable} is not set`;
  // What fetch says of such a value quotes it.
  if (!/^[\t\u0020-\u007e]+$/.test(secret))
    return `the value of ${header.variable} cannot stand in a header`;
  return { ...standard, [header.name]: secret };
}
