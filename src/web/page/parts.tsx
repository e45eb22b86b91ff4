// What do all views of the page have in common?

import type { ComponentChildren } from "preact";

import type { PageFacts } from "../api.ts";
import type { Loaded } from "./data.ts";

/** A definition list; what is null is left out, and a line without a label goes on the one before. */
export function Facts({ facts }: { readonly facts: PageFacts }) {
  const shown = facts.filter(([, text]) => text !== null && text !== "");
  if (shown.length === 0) return null;
  return (
    <dl class="facts">
      {shown.map(([label, text, tone], at) => (
        <div key={at}>
          <dt>{label}</dt>
          <dd class={tone ?? ""}>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Mark({ mark, tone }: { readonly mark: string; readonly tone: string }) {
  return (
    <span class={`mark ${tone}`} aria-hidden="true">
      {mark}
    </span>
  );
}

interface View<T> {
  readonly loaded: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}

export function WhenLoaded<T>({ loaded: { data, trouble }, children }: View<T>) {
  return (
    <>
      {trouble !== null && <p class="bad">{trouble}</p>}
      {data === null ? trouble === null && <p class="quiet">loading …</p> : children(data)}
    </>
  );
}

export const runLink = (run: string): string => `#/runs/${run}`;
export const taskLink = (run: string, task: string): string => `#/runs/${run}/${task}`;

interface Choosing<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, words: string])[];
  readonly choose: (value: T) => void;
}

export function Select<T extends string>({ label, value, options, choose }: Choosing<T>) {
  return (
    <label>
      {label}{" "}
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([one]) => one === currentTarget.value);
          if (chosen !== undefined) choose(chosen[0]);
        }}
      >
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
