// What did the work change, with the colours of its language?

import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import { useState } from "preact/hooks";

import { useLoaded } from "./data.ts";
import { WhenLoaded } from "./parts.tsx";

const LANGUAGES = { bash, css, go, java, javascript, json, python, rust, typescript, xml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Their own names are known as well. */
const BY_ENDING: Readonly<Record<string, string>> = { kt: "java", svg: "xml" };

/** Longer lines take the highlighter more than their square in time. */
const COLOURED_CHARS_MAX = 2_000;
const LINE_CHARS_MAX = 20_000;
const LINES_MAX = 3_000;
const OPENED_LINES_MAX = 400;

export function Diff({ run, task }: { readonly run: string; readonly task: string }) {
  const url = `/api/runs/${encodeURIComponent(run)}/diff?task=${encodeURIComponent(task)}`;
  const loaded = useLoaded<string>(url);
  return (
    <WhenLoaded loaded={loaded}>
      {(text) => (text === "" ? <p>nothing was changed</p> : <Files text={text} />)}
    </WhenLoaded>
  );
}

function Files({ text }: { readonly text: string }) {
  const files = text.split(/^(?=diff --git )/m);
  return (
    <>
      {files.map((file, at) => (
        <File key={at} lines={file.trimEnd().split("\n")} />
      ))}
    </>
  );
}

function File({ lines }: { readonly lines: readonly string[] }) {
  const [isOpen, setOpen] = useState(lines.length <= OPENED_LINES_MAX);
  const head = lines.findIndex((line) => line.startsWith("@@"));
  const body = head < 0 ? lines.slice(1) : lines.slice(head);
  const name = / b\/(.*)$/.exec(lines[0] ?? "")?.[1] ?? lines[0] ?? "";
  const ending = name.split(".").at(-1) ?? "";
  const language = hljs.getLanguage(ending) === undefined ? BY_ENDING[ending] : ending;
  const more = body.length - LINES_MAX;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{name}</summary>
      {isOpen && (
        <pre class="diff" role="region" aria-label={name} tabIndex={0}>
          {body.slice(0, LINES_MAX).map((line, at) => (
            <Line key={at} line={line} language={language} />
          ))}
          {more > 0 && <div class="quiet">… and {more} more lines: orch diff</div>}
        </pre>
      )}
    </details>
  );
}

const KINDS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place" };

function Line({
  line,
  language,
}: {
  readonly line: string;
  readonly language: string | undefined;
}) {
  const kind = KINDS[line.charAt(0)] ?? "";
  const rest = line.slice(1, LINE_CHARS_MAX);
  const left = line.length - LINE_CHARS_MAX;
  const isPlain = language === undefined || kind === "place" || line.length > COLOURED_CHARS_MAX;
  // What the highlighter returns is escaped by it: its own marks are all that is in it.
  const html = isPlain ? null : hljs.highlight(rest, { language, ignoreIllegals: true }).value;
  return (
    <div class={kind}>
      {line.charAt(0)}
      {html === null ? rest : <span dangerouslySetInnerHTML={{ __html: html }} />}
      {left > 0 && <span class="quiet"> … {left} more characters</span>}
    </div>
  );
}
