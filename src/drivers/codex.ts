// How is Codex started for a session?

import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

import { pathInside, realPath } from "../adapters/files/small-file.ts";
import { UNCONFINED } from "../adapters/process/confine.ts";
import { findProgram, isExecutable, realOf, shellWord } from "../adapters/process/program.ts";
import type { Fence } from "../core/model/fence.ts";
import { digestOf } from "../core/model/ids.ts";
import { agentOf } from "../core/model/known-agents.ts";
import { isObject, jsonIn, textAt } from "../core/model/json.ts";
import type { AgentSpec } from "../core/model/settings.ts";
import type { SessionRequest } from "../engine/ports.ts";
import { readCodex } from "./codex/stream.ts";
import { toolServer } from "./question-channel.ts";
import { UUID } from "./session-run.ts";
import { refusalToStop } from "./stopping.ts";
import type { StreamAgent, StreamProgram, StreamSession } from "./stream-agent.ts";

type CodexSpec = Extract<AgentSpec, { driver: "codex" }>;
type CodexSession = StreamSession<CodexSpec>;

/** Drives `codex exec`. What it must know goes on its command line: the user's own folder is not written to. */
export const CODEX: StreamAgent<CodexSpec> = {
  name: "codex",
  // What its sandbox stopped is mostly in no event: it does not tell all its steps.
  abilities: { resumes: true, tellsSteps: false, asks: false, tellsCost: false },
  // Any other name that it does not know begins a new conversation.
  conversation: UUID,
  open,
};

function open(session: CodexSession): StreamProgram {
  const { spec, request, env } = session;
  const [file = "codex", ...leading] = spec.command ?? [env["ORCH_CODEX_BIN"] ?? "codex"];
  const native = leading.length === 0 ? nativeProgram(file, env["PATH"] ?? "") : null;
  const { start } = request;
  // In orch's sandbox none of its own can be made.
  const sandbox = session.deps.confine === UNCONFINED ? spec.sandbox : "danger-full-access";
  return {
    file: native ?? file,
    args: [
      ...leading,
      "exec",
      "--json",
      "--skip-git-repo-check",
      // Options of `exec` are none of `resume`, and stand before it.
      ...sandboxArguments(sandbox, request),
      ...(session.model === null ? [] : ["--model", session.model]),
      ...(session.effort === null ? [] : setting("model_reasoning_effort", session.effort)),
      ...setting("mcp_servers.orch", toolsOf(session)),
      ...stopHook(session),
      ...(start.kind === "fresh" ? [] : ["resume", start.sessionId]),
      "-",
    ],
    env,
    input: start.kind === "deliver" ? start.answer : request.prompt,
    needs: { read: besideProgram(native ?? file) },
    preset: agentOf("codex"),
    ...readCodex(session, native === null ? null : versionOf(native)),
  };
}

/**
 * The program in the platform's package instead of the script that starts it, which takes 60 ms. Another
 * file may go by the name that it is called by. null: it cannot be seen from here.
 */
function nativeProgram(file: string, path: string): string | null {
  const installed = file.includes("/") ? file : findProgram(file, path);
  if (installed === null || !existsSync(installed)) return null;
  const real = realOf(installed);
  if (!real.endsWith(".js")) return installed;
  try {
    const manifest = `@openai/codex-${process.platform}-${process.arch}/package.json`;
    const vendor = join(dirname(createRequire(real).resolve(manifest)), "vendor");
    const programs = readdirSync(vendor).map((target) => join(vendor, target, "bin/codex"));
    return programs.find(isExecutable) ?? null;
  } catch {
    return null; // Installed in another way.
  }
}

function versionOf(native: string): string | null {
  try {
    const path = join(dirname(realOf(native)), "../codex-package.json");
    const written = jsonIn(readFileSync(path, "utf8"));
    return isObject(written) ? textAt(written, "version") : null;
  } catch {
    return null; // Built by somebody else.
  }
}

/** Beside its folder lie programs that it starts itself. */
function besideProgram(file: string): readonly string[] {
  return file.includes("/") ? [dirname(dirname(realOf(file)))] : [];
}

/** On a machine with much to do. */
const STARTUP_S = 60;
/** More than the longest that orch lets a person think. */
const TOOL_SPARE_S = 60;

function toolsOf({ request, deps, channel }: CodexSession): object {
  return {
    ...toolServer(channel.folder, deps),
    // Where an agent may ask, it must not go on without a way to.
    required: channel.asks,
    default_tools_approval_mode: "approve",
    startup_timeout_sec: STARTUP_S,
    tool_timeout_sec: Math.ceil(request.holdMs / 1000) + TOOL_SPARE_S,
  };
}

/**
 * Without a fence, Codex's own sandbox for work, with what the user's settings add to it. A fence is a
 * list of the folders that may be written: wider than its patterns, which are measured afterwards.
 */
function sandboxArguments(
  sandbox: CodexSpec["sandbox"],
  { cwd, reportPath, fence }: SessionRequest,
): readonly string[] {
  const reports = dirname(reportPath);
  if (sandbox === "danger-full-access") return ["--sandbox", sandbox];
  const isInside = pathInside(realPath(cwd), realPath(reports)) !== null;
  if (fence.allowWrite === null)
    return ["--sandbox", sandbox, ...(isInside ? [] : ["--add-dir", reports])];
  const writable = [...fencedFolders(cwd, fence), reports, ":tmpdir", ":slash_tmp"];
  const places = writable.map((place) => [place, "write"]);
  // The tree may lie below a folder for temporary files: what names a place more exactly counts.
  const filesystem = { ":root": "read", [cwd]: "read", ...Object.fromEntries(places) };
  return [
    ...setting("default_permissions", "orch"),
    ...setting("permissions.orch.filesystem", filesystem),
  ];
}

const WILDCARD = /[*?[{!]/;

function fencedFolders(cwd: string, { allowWrite, conflicts }: Fence): readonly string[] {
  return [...(allowWrite ?? []), ...conflicts].map((pattern) => {
    const words = pattern.split("/");
    const wild = words.findIndex((word) => WILDCARD.test(word));
    let place = resolve(cwd, words.slice(0, wild === -1 ? words.length : wild).join("/"));
    // What is still to be made needs the folder above it.
    while (place !== cwd && !existsSync(place)) place = dirname(place);
    return place;
  });
}

const HOOK_TIMEOUT_S = 30;

/**
 * Sends the agent back once where it stops without a report. A hook counts that carries the hash of what
 * it is; where a later version reckons otherwise, it is passed over.
 */
function stopHook({ request, channel }: CodexSession): readonly string[] {
  const refusal = refusalToStop(request.reportPath);
  const path = join(channel.folder, "stop");
  const lines = [
    "#!/bin/sh",
    `case "$(cat)" in *'"stop_hook_active":true'*) exit 0 ;; esac`,
    `[ -s ${shellWord(request.reportPath)} ] || printf %s ${shellWord(JSON.stringify(refusal))}`,
  ];
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o700 });
  const hook = { async: false, command: shellWord(path), timeout: HOOK_TIMEOUT_S, type: "command" };
  const identity = JSON.stringify({ event_name: "stop", hooks: [hook] });
  const key = "/<session-flags>/config.toml:stop:0:0";
  return [
    ...setting("hooks.Stop", [{ hooks: [hook] }]),
    ...setting("hooks.state", { [key]: { trusted_hash: `sha256:${digestOf(identity)}` } }),
  ];
}

function setting(key: string, value: unknown): readonly string[] {
  return ["-c", `${key}=${toml(value)}`];
}

/** Texts, numbers and flags are written as in JSON. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}=${toml(each)}`);
  return `{${pairs.join(",")}}`;
}
