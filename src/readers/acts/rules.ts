// Is one call of a program an act?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import type { Call } from "../shell/call.ts";
import { CLOUD_RULES } from "./cloud.ts";
import type { Created } from "./created.ts";
import { DATA_RULES } from "./data.ts";
import { DISK_RULES, writesDevice } from "./disk.ts";
import { DELETE_RULES, overwrites } from "./files.ts";
import { GIT_RULES } from "./git.ts";
import { HTTP_RULES } from "./http.ts";
import { NAME_RULES, scriptFile } from "./named.ts";
import { PUBLISH_RULES } from "./publish.ts";
import { REMOTE_RULES } from "./remote.ts";
import { isHarmless, type Rule } from "./rule.ts";
import { TABLE_RULES } from "./table.ts";

/** Where several know a call, the first names it. */
const FAMILIES = [
  GIT_RULES,
  PUBLISH_RULES,
  DATA_RULES,
  TABLE_RULES,
  CLOUD_RULES,
  REMOTE_RULES,
  DELETE_RULES,
  DISK_RULES,
  HTTP_RULES,
  NAME_RULES,
];

const RULES: ReadonlyMap<string, readonly Rule[]> = gathered();

function gathered(): ReadonlyMap<string, readonly Rule[]> {
  const rules = new Map<string, readonly Rule[]>();
  for (const [programs, rule] of FAMILIES.flat())
    for (const program of programs.split(" "))
      rules.set(program, [...(rules.get(program) ?? []), rule]);
  return rules;
}

/** What leaves a container as it leaves this machine; its files are its own. */
const LEAVES_CONTAINER: ReadonlySet<IrreversibleAction> = new Set(["push", "publish", "deploy"]);

/** null: none that is known. */
export function actOf(call: Call, created: Created): IrreversibleAction | null {
  const action = ruledAct(call, created);
  if (call.isContained) return action !== null && LEAVES_CONTAINER.has(action) ? action : null;
  if (writesDevice(call)) return "disk";
  return action ?? overwrites(call, created);
}

function ruledAct(call: Call, created: Created): IrreversibleAction | null {
  if (isHarmless(call)) return null;
  for (const rule of RULES.get(call.program) ?? [scriptFile]) {
    const action = rule(call, created);
    if (action !== null) return action;
  }
  return null;
}
