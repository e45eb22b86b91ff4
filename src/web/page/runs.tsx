// Which runs are there, and which of them is looked for?

import { useMemo, useState } from "preact/hooks";

import type { RunRow } from "../api.ts";
import { live, useLoaded } from "./data.ts";
import { Mark, runLink, Select, WhenLoaded } from "./parts.tsx";

type Column = "startedAt" | "title" | "elapsedMs" | "costUsd";
const COLUMNS: readonly (readonly [Column, string])[] = [
  ["startedAt", "began"],
  ["title", "title"],
  ["elapsedMs", "took"],
  ["costUsd", "cost"],
];
const SHOWN = [
  ["", "all"],
  ["good", "done"],
  ["attention", "waiting"],
  ["accent", "running"],
  ["bad", "not done"],
] as const;

/** Of one row, in pixels, as in page.css: only those in sight are in the document. */
const ROW_HEIGHT = 56;
const ROWS_BESIDE = 6;

export function RunsView() {
  const atWork = live.value?.map(({ run }) => run).join(" ");
  const loaded = useLoaded<readonly RunRow[]>("/api/runs", atWork);
  return (
    <>
      <h1>Runs</h1>
      <WhenLoaded loaded={loaded}>{(rows) => <RunsTable rows={rows} />}</WhenLoaded>
    </>
  );
}

function RunsTable({ rows }: { readonly rows: readonly RunRow[] }) {
  const [text, setText] = useState("");
  const [tone, setTone] = useState<(typeof SHOWN)[number][0]>("");
  const [by, setBy] = useState<Column>("startedAt");
  const [isRising, setRising] = useState(false);
  const [top, setTop] = useState(0);
  const shown = useMemo(
    () => sorted(matching(rows, text, tone), by, isRising),
    [rows, text, tone, by, isRising],
  );
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - ROWS_BESIDE);
  const count = Math.ceil(innerHeight / ROW_HEIGHT) + 2 * ROWS_BESIDE;
  return (
    <>
      <div class="controls">
        <label>
          search{" "}
          <input
            type="search"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <Select label="show" value={tone} options={SHOWN} choose={setTone} />
        <Select label="sort by" value={by} options={COLUMNS} choose={setBy} />
        <button type="button" aria-pressed={isRising} onClick={() => setRising(!isRising)}>
          {isRising ? "rising" : "falling"}
        </button>
        <span role="status" class="quiet">
          {shown.length} of {rows.length}
        </span>
      </div>
      <div
        class="rows"
        role="table"
        aria-label="runs"
        aria-rowcount={shown.length}
        tabIndex={0}
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      >
        <div role="rowgroup" class="all-rows" style={{ height: `${shown.length * ROW_HEIGHT}px` }}>
          {shown.slice(first, first + count).map((row, at) => (
            <Row key={row.run} row={row} at={first + at} />
          ))}
        </div>
      </div>
    </>
  );
}

function Row({ row, at }: { readonly row: RunRow; readonly at: number }) {
  const { run, id, title, words, mark, tone, startedAt, took, cost } = row;
  const began = new Date(startedAt).toLocaleString([], { dateStyle: "short", timeStyle: "short" });
  const facts = [began, took, cost, id];
  return (
    <div role="row" aria-rowindex={at + 1} class="row" style={{ top: `${at * ROW_HEIGHT}px` }}>
      <span role="cell">
        <a href={runLink(run)}>
          <Mark mark={mark} tone={tone} /> <strong>{title}</strong>{" "}
          <span class="came">{words}</span>
        </a>
      </span>
      <span role="cell" class="quiet">
        {facts.filter((fact) => fact !== "").join(" · ")}
      </span>
    </div>
  );
}

function matching(rows: readonly RunRow[], text: string, tone: string): readonly RunRow[] {
  const words = text.toLowerCase().split(/\s+/);
  return rows.filter((row) => {
    const all = `${row.run} ${row.title} ${row.words}`.toLowerCase();
    return (tone === "" || row.tone === tone) && words.every((word) => all.includes(word));
  });
}

function sorted(rows: readonly RunRow[], by: Column, isRising: boolean): readonly RunRow[] {
  const sign = isRising ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [one, other] = [a[by] ?? -1, b[by] ?? -1];
    return one < other ? -sign : one > other ? sign : 0;
  });
}
