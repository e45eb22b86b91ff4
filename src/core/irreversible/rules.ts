// Which rules does a program have?

import type { IrreversibleAction } from "./action.ts";
import type { Call, Rule, Rules } from "./call.ts";
import { CLOUD_RULES } from "./rules-cloud.ts";
import { DATA_RULES } from "./rules-data.ts";
import { DELETE_RULES } from "./rules-delete.ts";
import { DEPLOY_RULES } from "./rules-deploy.ts";
import { DISK_RULES, writesDevice } from "./rules-disk.ts";
import { GIT_RULES } from "./rules-git.ts";
import { HTTP_RULES } from "./rules-http.ts";
import { MESSAGE_RULES } from "./rules-message.ts";
import { PUBLISH_RULES } from "./rules-publish.ts";
import { REMOTE_RULES } from "./rules-remote.ts";
import { SCRIPT_RULES } from "./rules-scripts.ts";
import { isHarmless } from "./verb-table.ts";

/** Where several know a call, the first names it. */
const FAMILIES: readonly Rules[] = [
  ...GIT_RULES,
  ...PUBLISH_RULES,
  DATA_RULES,
  ...DEPLOY_RULES,
  CLOUD_RULES,
  REMOTE_RULES,
  DELETE_RULES,
  DISK_RULES,
  ...MESSAGE_RULES,
  HTTP_RULES,
  SCRIPT_RULES,
];

const RULES: ReadonlyMap<string, readonly Rule[]> = gathered();

function gathered(): ReadonlyMap<string, readonly Rule[]> {
  const rules = new Map<string, readonly Rule[]>();
  for (const family of FAMILIES)
    for (const [program, rule] of Object.entries(family))
      rules.set(program, [...(rules.get(program) ?? []), rule]);
  return rules;
}

/** null: none that is known. */
export function actOf(call: Call): IrreversibleAction | null {
  if (writesDevice(call)) return "disk";
  const rules = RULES.get(call.program);
  if (rules === undefined || isHarmless(call)) return null;
  for (const rule of rules) {
    const action = rule(call);
    if (action !== null) return action;
  }
  return null;
}
