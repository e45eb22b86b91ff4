// What happened in a run or in one of its tasks, line by line, as it happens?

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import type { LogLine } from "../api.ts";
import { get, seqOf, wordsOf } from "./data.ts";

export function Log({ run, task }: { readonly run: string; readonly task: string }) {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [trouble, setTrouble] = useState("");
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  const seq = seqOf(run);
  useEffect(() => {
    const after = lines.at(-1)?.seq ?? 0;
    const of = `task=${encodeURIComponent(task)}&after=${after}`;
    get<readonly LogLine[]>(`/api/runs/${encodeURIComponent(run)}/log?${of}`).then(
      (more) =>
        setLines((before) => [
          ...before,
          ...more.filter((line) => line.seq > (before.at(-1)?.seq ?? 0)),
        ]),
      (error: unknown) => setTrouble(wordsOf(error)),
    );
  }, [run, task, seq]);
  useLayoutEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo(0, box.current.scrollHeight);
  }, [lines]);
  return (
    <section>
      <h2>Log</h2>
      {trouble !== "" && <p class="bad">{trouble}</p>}
      <pre
        ref={box}
        class="log"
        role="region"
        aria-label="log"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          isAtEnd.current = scrollTop + clientHeight > scrollHeight - 20;
        }}
      >
        {lines.map(({ seq: at, text }) => (
          <div key={at}>{text}</div>
        ))}
      </pre>
    </section>
  );
}
