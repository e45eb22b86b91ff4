// How does the agent reach the orch that runs its session: to ask, to report, and for permission?

import { askOrch, leaveReport } from "../../mcp/ask.ts";
import type { Permit } from "../permission.ts";
import type { AgentOptions } from "./options.ts";
import type { Tool } from "./tool.ts";

/** Never aborts: what waits for orch ends with the process. */
const { signal } = new AbortController();

/** Loaded when it is needed: the model is to be asked before. */
const orchAt = async (folder: string) => (await import("../../mcp/channel.ts")).sideOf(folder);

export function orchTools({ channel, orchTools }: AgentOptions): readonly Tool[] {
  return orchTools.map((spec) => ({
    spec,
    run: async (input, call) => {
      const orch = await orchAt(channel);
      if (spec.name === "report") {
        const { path, text } = await leaveReport(orch, input, signal);
        if (path === null) throw new Error(text);
        return text;
      }
      const asked = { question: input, holdMs: null, call };
      const { kind, text } = await askOrch(orch.call, asked, signal);
      if (["busy", "wordless", "closed"].includes(kind)) throw new Error(text);
      return text;
    },
  }));
}

/** What cannot be undone is for a person to allow. */
export function permitFor({ cwd, allowedActions, asking, channel }: AgentOptions): Permit {
  let permit: Permit | null = null;
  return async (command, call) => {
    if (permit === null) {
      const { permission } = await import("../permission.ts");
      const home = process.env["HOME"] ?? null;
      const orch = async () => (await orchAt(channel)).call;
      permit = permission({ cwd, home, allowedActions, asking, orch });
    }
    return permit(command, call);
  };
}
