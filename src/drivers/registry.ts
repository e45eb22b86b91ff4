// Which driver carries out the sessions of which agent?

import { dirname, join } from "node:path";

import type { AgentSpec } from "../core/model/settings.ts";
import type { AgentDriver } from "../engine/ports.ts";
import { createAnthropic } from "./anthropic.ts";
import { createClaudeCode, PATIENCE } from "./claude-code.ts";
import { CODEX } from "./codex.ts";
import { createCommandDriver } from "./command.ts";
import { createStreamDriver, type StreamDeps } from "./stream-agent.ts";

/** orch's own agent, beside its entry. */
const AGENT = "anthropic-agent.cjs";

type Specs = { readonly [S in AgentSpec as S["driver"]]: S };

const DRIVERS: { readonly [D in keyof Specs]: (spec: Specs[D], deps: StreamDeps) => AgentDriver } =
  {
    "claude-code": (spec, deps) => createClaudeCode(spec, { ...deps, patience: PATIENCE }),
    anthropic: (spec, deps) =>
      createAnthropic(spec, { ...deps, agent: [deps.node, join(dirname(deps.cli), AGENT)] }),
    codex: (spec, deps) => createStreamDriver(CODEX, spec, deps),
    command: createCommandDriver,
  };

export function createDriver<D extends keyof Specs>(
  spec: Specs[D] & { readonly driver: D },
  deps: StreamDeps,
): AgentDriver {
  return DRIVERS[spec.driver](spec, deps);
}
