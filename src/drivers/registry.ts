// Which driver carries out the sessions of which agent?

import { dirname, join } from "node:path";

import { assertNever } from "../core/model/assert.ts";
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

export function createDriver(spec: AgentSpec, deps: StreamDeps): AgentDriver {
  switch (spec.driver) {
    case "claude-code":
      return createStreamDriver(claudeCode(), spec, deps);
    case "codex":
      return createStreamDriver(CODEX, spec, deps);
    case "acp":
      return createStreamDriver(ACP, spec, deps);
    case "command":
      return createStreamDriver(COMMAND, spec, deps);
    case "anthropic": {
      const agent = anthropicBy([deps.node, join(dirname(deps.cli), AGENT)]);
      return createStreamDriver(agent, spec, deps);
    }
    default:
      return assertNever(spec, "driver");
  }
}
