// Which driver carries out the sessions of which agent?

import { dirname, join } from "node:path";

import type { AgentSpec } from "../core/model/settings.ts";
import type { AgentDriver } from "../engine/ports.ts";
import { ACP } from "./acp.ts";
import { anthropicBy } from "./anthropic.ts";
import { claudeCode } from "./claude-code.ts";
import { CODEX } from "./codex.ts";
import { COMMAND } from "./command.ts";
import { createStreamDriver, type StreamDeps } from "./stream-agent.ts";

/** orch's own agent, beside its entry. */
const AGENT = "anthropic-agent.cjs";

type Specs = { readonly [S in AgentSpec as S["driver"]]: S };

const DRIVERS: { readonly [D in keyof Specs]: (spec: Specs[D], deps: StreamDeps) => AgentDriver } =
  {
    "claude-code": (spec, deps) => createStreamDriver(claudeCode(), spec, deps),
    anthropic: (spec, deps) => {
      const agent = anthropicBy([deps.node, join(dirname(deps.cli), AGENT)]);
      return createStreamDriver(agent, spec, deps);
    },
    codex: (spec, deps) => createStreamDriver(CODEX, spec, deps),
    acp: (spec, deps) => createStreamDriver(ACP, spec, deps),
    command: (spec, deps) => createStreamDriver(COMMAND, spec, deps),
  };

export function createDriver<D extends keyof Specs>(
  spec: Specs[D] & { readonly driver: D },
  deps: StreamDeps,
): AgentDriver {
  return DRIVERS[spec.driver](spec, deps);
}
