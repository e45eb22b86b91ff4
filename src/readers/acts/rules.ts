// Which rules does a program have?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import type { Call, Rule, Rules } from "../shell/call.ts";
import { innerOf } from "../shell/inner.ts";
import { readShell } from "../shell/read-shell.ts";
import { CLOUD_RULES } from "./rules-cloud.ts";
import { REMOTE_CONTAINER_RULES, startedInContainer } from "./rules-containers.ts";
import { DATA_RULES } from "./rules-data.ts";
import { DELETE_RULES, overwrites } from "./rules-delete.ts";
import { DEPLOY_RULES } from "./rules-deploy.ts";
import { DISK_RULES, writesDevice } from "./rules-disk.ts";
import { GIT_RULES } from "./rules-git.ts";
import { HTTP_RULES } from "./rules-http.ts";
import { MESSAGE_RULES } from "./rules-message.ts";
import { PUBLISH_RULES } from "./rules-publish.ts";
import { REMOTE_RULES } from "./rules-remote.ts";
import { SCRIPT_RULES, scriptFile } from "./rules-scripts.ts";
import { isHarmless } from "./verb-table.ts";
import { isKnown } from "../shell/word.ts";
import { programName } from "../shell/wrappers.ts";

/** Where several know a call, the first names it. */
const FAMILIES: readonly Rules[] = [
  ...GIT_RULES,
  ...PUBLISH_RULES,
  DATA_RULES,
  ...DEPLOY_RULES,
  REMOTE_CONTAINER_RULES,
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
  return ruledAct(call) ?? containedAct(call) ?? overwrites(call);
}

function ruledAct(call: Call): IrreversibleAction | null {
  const rules = RULES.get(call.program) ?? [scriptFile];
  if (isHarmless(call)) return null;
  for (const rule of rules) {
    const action = rule(call);
    if (action !== null) return action;
  }
  return null;
}

/** What leaves a container as it leaves this machine; its files are its own. */
const LEAVES_CONTAINER: ReadonlySet<IrreversibleAction> = new Set(["push", "publish", "deploy"]);
const CONTAINED_HOPS_MAX = 4;

function containedAct(call: Call): IrreversibleAction | null {
  const words = startedInContainer(call);
  return words.length === 0 ? null : actWithin(words, call, CONTAINED_HOPS_MAX);
}

function actWithin(words: readonly string[], call: Call, hops: number): IrreversibleAction | null {
  const [first = "", ...args] = words;
  if (hops === 0 || !isKnown(first)) return null;
  const within: Call = {
    ...call,
    program: programName(first),
    args,
    redirects: [],
    input: () => null,
    feeders: () => [],
  };
  const action = ruledAct(within);
  if (action !== null) return LEAVES_CONTAINER.has(action) ? action : null;
  const { calls, scripts } = innerOf(within);
  const started = scripts.flatMap((script) =>
    readShell(script).flatMap((item) => (item.kind === "command" ? [item.words] : [])),
  );
  for (const inner of [...calls, ...started]) {
    const found = actWithin(inner, call, hops - 1);
    if (found !== null) return found;
  }
  return null;
}
