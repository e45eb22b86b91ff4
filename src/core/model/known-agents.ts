// Which agents are known by name, and what is known of them?

import agents from "./known-agents.json" with { type: "json" };

export interface KnownAgent {
  readonly name: string;
  readonly driver: "claude-code" | "codex" | "acp";
  readonly command: readonly [string, ...string[]];
  /** The package that brings it, and the version that orch was tried with. */
  readonly package: string;
  readonly tested: string;
  /** Who gets what its model reads. */
  readonly vendor: string;
  /** With these it signs in by itself, or elsewhere, or is another program; the first is a key. */
  readonly keys: readonly [string, ...string[]];
  /** Its own folders below the home folder, and in them the files of its sign-in, or what may name another. */
  readonly folders: readonly [string, ...string[]];
  /** Names another folder instead of the first; null: nothing does. */
  readonly folderVariable: string | null;
  readonly files: readonly string[];
  /** What it has of its user's where it is confined, by paths from the home folder on. */
  readonly home: HomeFiles;
  /** Where nobody set these. */
  readonly env: Readonly<Record<string, string>>;
  /** How long it waits for the answer of a tool, in seconds. */
  readonly toolSeconds: number;
}

export interface HomeFiles {
  /** Only read. */
  readonly settings: readonly string[];
  /** As they are when the first session begins. */
  readonly copied: readonly string[];
  /** The same inside and outside, whoever renews them. */
  readonly credentials: readonly string[];
  /** Folders of `.jsonl` files that are brought to the user's. */
  readonly conversations: readonly string[];
}

/** What any agent waits for a tool. */
export const TOOL_SECONDS = 60;
/**
 * Claude's settings may name a helper that gives the key, and those of opencode hold one. Gemini is to be one
 * process, which heeds signals, and to read the settings of a folder that nobody marked as trusted. opencode allows
 * itself every command unless it is told to ask. Without its variables the model of `claude-acp` sees only the names
 * of orch's tools.
 */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A test holds the file to it.
export const KNOWN_AGENTS = agents as unknown as readonly KnownAgent[];

/** Those that have a driver of their own have its name. */
export function agentOf(driver: "claude-code" | "codex"): KnownAgent | null {
  return KNOWN_AGENTS.find(({ name }) => name === driver) ?? null;
}

/** By what it is started with, wherever that lies; null: a program of the user's own. */
export function knownAgent(driver: string, [program]: readonly string[]): KnownAgent | null {
  const name = program?.split("/").at(-1);
  return KNOWN_AGENTS.find((one) => one.driver === driver && one.command[0] === name) ?? null;
}
