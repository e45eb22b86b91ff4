// What became of one POST to an address that a person chose?

import { causeCode } from "./files/disk.ts";

interface Request extends Pick<RequestInit, "headers" | "body"> {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** null: it was taken. A status of 0: nobody answered. Neither address nor headers are in the words. */
export async function post(url: string, { timeoutMs, signal, ...request }: Request) {
  const late = AbortSignal.timeout(timeoutMs);
  // A redirect leads to an address that nobody here chose, and that must not get the secret.
  const how = {
    method: "POST",
    redirect: "manual",
    signal: AbortSignal.any([signal, late]),
  } as const;
  try {
    const { ok, status, headers, body } = await fetch(url, { ...request, ...how });
    await body?.cancel().catch(() => undefined);
    const afterMs = Number(headers.get("retry-after") ?? "?") * 1_000;
    return ok ? null : { status, why: `answered ${status}`, afterMs };
  } catch (error) {
    const failed = `could not be reached (${causeCode(error)})`;
    const why = late.aborted ? `did not answer within ${timeoutMs} ms` : failed;
    return { status: 0, why, afterMs: Number.NaN };
  }
}
