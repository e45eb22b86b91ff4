// Which files did the work change outside its task's scope, and why, as the agent says?

import type { Evidence } from "../model/evidence.ts";

export interface OutOfScope {
  readonly path: string;
  /** Of this report or of an earlier one; null: the agent gave none. */
  readonly reason: string | null;
}

export function outOfScope({
  tree,
  report,
  reasons,
}: Pick<Evidence, "tree" | "report" | "reasons">): readonly OutOfScope[] {
  if (tree.kind !== "measured") return [];
  const given = [...(report.kind === "read" ? report.report.changedChecks : []), ...reasons];
  return tree.outOfScope.map((path) => {
    const about = given.find(({ check }) => isNamed(path, check.trim().replace(/^\.\//, "")));
    return { path, reason: about?.reason ?? null };
  });
}

/** By its path, by the end of it, or by a folder around it. */
function isNamed(path: string, name: string): boolean {
  if (name === "") return false;
  return (
    path === name || path.endsWith(`/${name}`) || path.startsWith(`${name.replace(/\/$/, "")}/`)
  );
}

export function outOfScopeWords({ path, reason }: OutOfScope): string {
  return `${path} is outside the task's scope${reason === null ? "" : ` (the agent says: ${reason})`}`;
}
