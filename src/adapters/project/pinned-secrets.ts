// How is a config kept as data, without the secrets that it took from elsewhere?

import { parsed, unparsed, type Parsed } from "../../schema/parsed.ts";
import { looksSecret, namedSecrets, VALUE_CHARS_MIN } from "../redact.ts";
import type { LoadedConfig } from "./config-loader.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A config as data; `made`: its own secrets, by the variables that have to hold them later. */
export interface Hidden {
  readonly json: string;
  readonly made: Readonly<Record<string, string>>;
}

/**
 * What the config exported, as JSON. A value that stands in its own text is in a file already; any other
 * that is a secret, or that an agent gets from orch's environment, is kept as the name of a variable.
 */
export function hiddenSecrets(config: LoadedConfig, env: Env): Hidden {
  const taken = [...namedSecrets(env), ...takenForAgents(config, env)];
  // What a secret of the environment is a part of is found again with it.
  const isTaken = (value: string) => taken.some(([secret]) => value.includes(secret));
  const made = madeForAgents(config, env, isTaken);
  const named = [...taken, ...Object.entries(made).map(([name, value]) => [value, name] as const)];
  const hidden = [...new Map(named)]
    .filter(([value]) => !config.text.includes(value))
    .sort(([a], [b]) => b.length - a.length);
  const json = JSON.stringify(config.raw, (_key, value: unknown) =>
    typeof value === "string"
      ? hidden.reduce((text, [secret, name]) => text.replaceAll(secret, `\0${name}\0`), value)
      : value,
  );
  return { json, made };
}

function valuesForAgents({ settings }: LoadedConfig): readonly (readonly [string, string])[] {
  return settings.agents
    .flatMap((agent) =>
      Object.entries(agent.env).map(([name, value]) => [name, value.trim()] as const),
    )
    .filter(([, value]) => value.length >= VALUE_CHARS_MIN);
}

function variableWith(value: string, env: Env): string | undefined {
  return Object.keys(env).find((name) => env[name]?.trim() === value);
}

function takenForAgents(config: LoadedConfig, env: Env): readonly (readonly [string, string])[] {
  return valuesForAgents(config).flatMap(([, value]) => {
    const variable = variableWith(value, env);
    return variable === undefined ? [] : [[value, variable] as const];
  });
}

/** A secret that the config made by itself is not written down: later it has to be given. */
function madeForAgents(
  config: LoadedConfig,
  env: Env,
  isTaken: (value: string) => boolean,
): Hidden["made"] {
  const own = valuesForAgents(config).filter(
    ([name, value]) => looksSecret(name, value) && !isTaken(value),
  );
  const made = new Map<string, string>();
  for (const [name, value] of own) {
    let variable = name;
    while ((env[variable] ?? made.get(variable) ?? value) !== value) variable = `ORCH_${variable}`;
    made.set(variable, value);
  }
  return Object.fromEntries(made);
}

/** The config's export with all values in place; otherwise the variables that are not set. */
export function shownSecrets(json: string, env: Env): Parsed<unknown> {
  const missing = new Set<string>();
  const shown: unknown = JSON.parse(json, (_key, value: unknown) =>
    typeof value === "string"
      ? value.replace(/\0([^\0]+)\0/g, (_all, name: string) => {
          const found = env[name]?.trim();
          if (found === undefined) missing.add(name);
          return found ?? "";
        })
      : value,
  );
  return missing.size === 0 ? parsed(shown) : unparsed(...missing);
}
