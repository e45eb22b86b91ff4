// How does the page get its data, and keep it as new as the run is?

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";

import type { AnswerGiven, LiveRun } from "../api.ts";

/** Every run at work or waiting; null: nothing was heard yet. */
export const live = signal<readonly LiveRun[] | null>(null);
export const isConnected = signal(true);
/** What came of the last answer: it outlives its question. */
export const notice = signal("");

export function listen(): void {
  const source = new EventSource("/api/live");
  source.addEventListener("message", ({ data }) => {
    const runs: readonly LiveRun[] = JSON.parse(String(data));
    live.value = runs;
    isConnected.value = true;
  });
  source.addEventListener("error", () => {
    isConnected.value = false;
    // The browser itself tries again, but for what it takes for the end.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2_000);
  });
}

/** Changes with every event of a run that is at work. */
export function seqOf(run: string): number {
  return live.value?.find((one) => one.run === run || one.id === run)?.seq ?? 0;
}

export async function get<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(await troubleIn(response));
  return response.json();
}

/** Resolves to what comes next. */
export async function answer(given: AnswerGiven): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(given);
  const response = await fetch("/api/answer", { method: "POST", headers, body });
  if (!response.ok) throw new Error(await troubleIn(response));
  const { next }: { next: string } = await response.json();
  return next;
}

async function troubleIn(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { message, hint }: { message: string; hint: string } = JSON.parse(text);
    return hint === "" ? message : `${message}: ${hint}`;
  } catch {
    return text;
  }
}

export interface Loaded<T> {
  /** null: not there yet. What was there stays until the next one is. */
  readonly data: T | null;
  readonly trouble: string | null;
}

/** Loads again whenever `version` changes. */
export function useLoaded<T>(url: string, version: unknown = 0): Loaded<T> {
  const nothing = { url, data: null, trouble: null };
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly url: string }>(nothing);
  useEffect(() => {
    let isOver = false;
    get<T>(url).then(
      (data) => isOver || setLoaded({ url, data, trouble: null }),
      (error: unknown) =>
        isOver || setLoaded(({ data }) => ({ url, data, trouble: wordsOf(error) })),
    );
    return () => {
      isOver = true;
    };
  }, [url, version]);
  return loaded.url === url ? loaded : nothing;
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
