// How fast are an agent's events read?

import { readJsonLines } from "../src/adapters/process/output-lines.ts";
import { atLeast, median } from "./figure.ts";
import type { Figure } from "./figure.ts";

const CHUNK_BYTES = 64 * 1024;
const MEGABYTE = 1_000_000;

/** Reads the same events both ways, in turns, and compares the medians. */
export function benchStream(megabytes = 100, rounds = 7): readonly Figure[] {
  const chunks = eventChunks(megabytes * MEGABYTE);
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const bare: number[] = [];
  const ours: number[] = [];
  for (let i = 0; i < rounds; i += 1) {
    bare.push(timed(() => readBare(chunks)));
    ours.push(timed(() => readOurs(chunks)));
  }
  return [
    {
      name: "reading an event stream",
      measured: bytes / MEGABYTE / (median(ours) / 1_000),
      unit: "MB/s",
      goal: null,
    },
    {
      name: "the same, against bare splitting and JSON.parse",
      measured: median(bare) / median(ours),
      unit: "×",
      goal: atLeast(0.6),
    },
  ];
}

/** The least that any reader must do. */
function readBare(chunks: readonly Buffer[]): number {
  let seen = 0;
  let rest: Buffer = Buffer.alloc(0);
  for (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, start)) {
      JSON.parse(bytes.toString("utf8", start, at));
      seen += 1;
      start = at + 1;
    }
    rest = bytes.subarray(start);
  }
  return seen;
}

function readOurs(chunks: readonly Buffer[]): number {
  let seen = 0;
  const count = (): void => {
    seen += 1;
  };
  const reader = readJsonLines({ onJson: count, onText: count });
  for (const chunk of chunks) reader.write(chunk);
  reader.end();
  return seen;
}

function eventChunks(bytes: number): readonly Buffer[] {
  const lines: string[] = [];
  for (let length = 0, i = 0; length < bytes; i += 1) {
    const line = `${JSON.stringify(sampleEvent(i))}\n`;
    lines.push(line);
    length += line.length;
  }
  const whole = Buffer.from(lines.join(""));
  const chunks: Buffer[] = [];
  for (let at = 0; at < whole.length; at += CHUNK_BYTES)
    chunks.push(whole.subarray(at, at + CHUNK_BYTES));
  return chunks;
}

/** An event of the usual size: most are a few hundred bytes, every tenth carries a file. */
function sampleEvent(i: number): object {
  const text = "const slug = (title) => title.toLowerCase();\n".repeat(i % 10 === 0 ? 60 : 4);
  const usage = { input_tokens: i, output_tokens: 20, cache_read_input_tokens: 4_000 };
  return { type: "assistant", message: { id: `m${i}`, content: [{ type: "text", text }], usage } };
}

function timed(work: () => number): number {
  const startedAt = performance.now();
  if (work() === 0) throw new Error("nothing was read");
  return performance.now() - startedAt;
}
