// Which agents could carry out a task here, and what can each of them do?

import * as programs from "../../adapters/project/agent-program.ts";
import { inert } from "../../core/model/excerpt.ts";
import type { AgentSpec } from "../../core/model/settings.ts";
import { printResult, type Style } from "../io.ts";
import { dotted, paragraph, table } from "../layout.ts";
import type { Command } from "../command-line/options.ts";
import { placeOf, type Place } from "./doctor.ts";

interface Abilities {
  readonly can: readonly Ability[];
  /** Where the agent itself offers it. */
  readonly mayOffer: readonly Ability[];
}

/**
 * Stop hook: it is sent back where it stops without a report. Acts guard: it is held before what cannot be
 * undone. Sandbox: it confines its commands by itself.
 */
type Ability = "resume" | "ask" | "stop hook" | "acts guard" | "usage" | "cost" | "sandbox";

const ABILITIES: Readonly<Record<AgentSpec["driver"], Abilities>> = {
  "claude-code": {
    can: ["resume", "ask", "stop hook", "acts guard", "usage", "cost"],
    mayOffer: [],
  },
  codex: { can: ["resume", "ask", "stop hook", "usage", "sandbox"], mayOffer: [] },
  anthropic: { can: ["resume", "ask", "stop hook", "acts guard", "usage"], mayOffer: [] },
  acp: { can: ["ask", "stop hook"], mayOffer: ["resume", "acts guard", "usage", "cost"] },
  command: { can: ["ask"], mayOffer: [] },
};

interface Seen extends Abilities {
  readonly name: string;
  readonly driver: AgentSpec["driver"];
  /** Used where neither task nor step names one. */
  readonly isDefault: boolean;
  /** null: it is not there. */
  readonly program: string | null;
  /** null: it does not say, or nobody knows how to ask. */
  readonly version: string | null;
  /** That orch was tried with; null: any. */
  readonly tested: string | null;
  /** A key or a file of a sign-in is there; null: a look at the machine does not tell. */
  readonly signedIn: boolean | null;
  /** Who gets what its model reads. */
  readonly dataGoesTo: string;
  readonly hint: string | null;
}

export const agentsCommand: Command = async (_args, given, io) => {
  const place = await placeOf(io);
  const agents = await Promise.all(place.settings.agents.map((agent) => lookAt(agent, place)));
  printResult(io, given, { agents }, (style) => rendered(agents, style));
  return 0;
};

async function lookAt(agent: AgentSpec, { root, env, settings }: Place): Promise<Seen> {
  const preset = programs.knownAs(agent);
  const program = programs.programOf(agent, root, env);
  const trouble = programs.signInTrouble(agent, env);
  // On macOS keys lie in the keychain, which is not looked into.
  const canTell =
    process.platform !== "darwin" && (agent.driver === "anthropic" || preset !== null);
  return {
    name: agent.name,
    driver: agent.driver,
    isDefault: settings.agent.includes(agent.name),
    program,
    version: await programs.versionOf(agent, root, env),
    tested: preset?.tested ?? null,
    signedIn: trouble === null ? (canTell ? true : null) : false,
    ...ABILITIES[agent.driver],
    dataGoesTo:
      agent.driver === "anthropic" ? "Anthropic" : (preset?.vendor ?? "whoever your program asks"),
    hint: program === null ? programs.installWords(agent) : (trouble?.hint ?? null),
  };
}

function rendered(agents: readonly Seen[], style: Style): string {
  const missing = agents.filter(({ program }) => program === null);
  const rows = missing.map(({ name, hint }) => [name, hint ?? ""]);
  return [
    ...agents.flatMap((agent) => (agent.program === null ? [] : [block(agent, style)])),
    ...(rows.length === 0 ? [] : ["", "Not installed:", ...table(style, rows, { indent: "  " })]),
  ].join("\n");
}

function block(agent: Seen, style: Style): string {
  const { name, signedIn, hint, dataGoesTo } = agent;
  const signIn = { true: "signed in", false: "no sign-in found", null: null }[`${signedIn}`];
  const called = agent.isDefault ? `${name} (used here)` : name;
  const head = dotted([called, versionWords(agent), signIn]);
  const [mark, tone] =
    signedIn === false ? (["! ", "attention"] as const) : (["✓ ", null] as const);
  const details = [`${abilityWords(agent)} · data goes to ${dataGoesTo}`, ...(hint ? [hint] : [])];
  return [
    paragraph(style, inert(head), { tone, lead: mark, hanging: "    " }),
    ...details.map((text) => paragraph(style, inert(text), { tone: "quiet", lead: "    " })),
  ].join("\n");
}

function versionWords({ version, tested }: Seen): string | null {
  if (version === null || tested === null) return version;
  return programs.isOlder(version, tested)
    ? `${version}, older than ${tested}, which orch was tried with`
    : version;
}

function abilityWords({ can, mayOffer }: Abilities): string {
  const more = mayOffer.length === 0 ? "" : `; where it offers them: ${mayOffer.join(", ")}`;
  return `${can.join(", ")}${more}`;
}
