// What is an agent answered that asks whether it may?

import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";

import { isObject, textAt } from "../../core/model/json.ts";
import type { AgentSpec } from "../../core/model/settings.ts";
import { refusedWrite } from "../fenced-write.ts";
import { permission, type Permit } from "../permission.ts";
import type { StreamSession } from "../stream-agent.ts";

export type AcpSession = StreamSession<Extract<AgentSpec, { driver: "acp" }>>;

type Reply = Promise<RequestPermissionResponse>;

/** Kinds of calls that write files, by the protocol. */
const WRITES = ["edit", "delete", "move"];

/**
 * By the step's fence and the acts that cannot be undone; all else is allowed, once. The agent is told
 * only that it may not: why, goes to `onRefusal`.
 */
export function permissionFor(
  { request, deps, channel, env }: AcpSession,
  onRefusal: (why: string) => void,
) {
  const { cwd, reportPath, fence, allowedActions } = request;
  const { asking } = channel.questions;
  const orch = () => Promise.resolve(channel.answer);
  const { redact } = deps;
  const home = env["HOME"] ?? null;
  const permit = permission({ cwd, home, allowedActions, asking, orch, redact });
  const refusalOf = async (call: ToolCallUpdate): Promise<string | null> => {
    const command = commandOf(call);
    if (command !== null) return refusalBy(permit, command);
    const paths = WRITES.includes(call.kind ?? "") ? pathsOf(call) : [];
    const refusals = paths.map((path) => refusedWrite(path, { root: cwd, reportPath, fence }));
    return refusals.find((refusal) => refusal !== null) ?? null;
  };
  return async ({ toolCall, options }: RequestPermissionRequest): Reply => {
    const refusal = await refusalOf(toolCall);
    if (refusal !== null) onRefusal(refusal);
    const side = refusal === null ? "allow" : "reject";
    const option = ["once", "always"].flatMap((often) =>
      options.filter(({ kind }) => kind === `${side}_${often}`),
    )[0];
    if (option === undefined) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  };
}

async function refusalBy(permit: Permit, command: string): Promise<string | null> {
  try {
    await permit(command, null);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Some agents give it as the title of the call alone. null: it is none. */
function commandOf({ kind, rawInput, title }: ToolCallUpdate): string | null {
  const written = isObject(rawInput) ? rawInput["command"] : null;
  if (typeof written === "string") return written;
  if (Array.isArray(written)) return written.filter((word) => typeof word === "string").join(" ");
  return kind === "execute" ? (title ?? null) : null;
}

function pathsOf({ locations, content, rawInput }: ToolCallUpdate): readonly string[] {
  const places = [...(locations ?? []), ...(content ?? []), rawInput];
  const paths = places
    .filter(isObject)
    .flatMap((place) => [textAt(place, "path"), textAt(place, "file_path")]);
  return [...new Set(paths.filter((path) => path !== null))];
}
