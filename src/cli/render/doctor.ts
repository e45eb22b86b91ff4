// How do the findings of `orch doctor` read?

import { inert } from "../../core/model/excerpt.ts";
import type { Finding } from "../doctor.ts";
import type { Style } from "../io.ts";
import { paragraph } from "../layout.ts";
import { plural } from "./text.ts";

const MARKS = {
  ok: { mark: "✓", tone: "good" },
  note: { mark: "!", tone: "attention" },
  bad: { mark: "✗", tone: "bad" },
} as const;

export function renderFindings(findings: readonly Finding[], style: Style): string {
  const bad = findings.filter(({ state }) => state === "bad").length;
  const end = bad === 0 ? "nothing to fix" : `${plural(bad, "thing")} to fix first`;
  return [...findings.map((one) => line(one, style)), "", end].join("\n");
}

function line({ about, state, text, hint }: Finding, style: Style): string {
  const { mark, tone } = MARKS[state];
  const said = paragraph(style, inert(`${about}: ${text}`), {
    tone: state === "ok" ? null : tone,
    lead: `${mark} `,
    hanging: "  ",
  });
  return hint === null
    ? said
    : `${said}\n${paragraph(style, `hint: ${inert(hint)}`, { tone: "quiet", lead: "  ", hanging: "    " })}`;
}
