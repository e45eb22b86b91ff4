// How is a config kept as data, without the secrets that it took from elsewhere?

import { parsed, unparsed, type Parsed } from "../../schema/parsed.ts";
import { namedSecrets } from "../redact.ts";
import type { LoadedConfig } from "./config-loader.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A config as data; `made`: its own secrets, by the variables that have to hold them later. */
export interface Hidden {
  readonly json: string;
  readonly made: Readonly<Record<string, string>>;
}

/**
 * What the config exported, as JSON, with the name of a variable in each secret's place. A value that
 * stands in the config's own text is in a file already, and stays.
 */
export function hiddenSecrets(config: LoadedConfig, env: Env): Hidden {
  const taken = namedSecrets(env);
  const others = config.settings.agents
    .flatMap((agent) => namedSecrets(agent.env))
    .filter(([value]) => !taken.some(([secret]) => value.includes(secret)));
  const named = new Map(taken);
  const made: Record<string, string> = {};
  for (const [value, name] of others) {
    const given = Object.keys(env).find((one) => env[one]?.trim() === value);
    const variable = given ?? freeName(name, value, { ...env, ...made });
    named.set(value, variable);
    if (given === undefined) made[variable] = value;
  }
  const hidden = [...named]
    .filter(([value]) => !config.text.includes(value))
    .sort(([a], [b]) => b.length - a.length);
  const json = JSON.stringify(config.raw, (_key, value: unknown) =>
    typeof value === "string"
      ? hidden.reduce((text, [secret, name]) => text.replaceAll(secret, `\0${name}\0`), value)
      : value,
  );
  return { json, made };
}

/** Of a variable that holds no other value. */
function freeName(name: string, value: string, env: Env): string {
  return (env[name] ?? value) === value ? name : freeName(`ORCH_${name}`, value, env);
}

/** The config's export with all values in place; otherwise the variables that are not set. */
export function shownSecrets(json: string, env: Env): Parsed<unknown> {
  const missing = new Set<string>();
  const shown: unknown = JSON.parse(json, (_key, value: unknown) =>
    typeof value === "string"
      ? value.replace(/\0([^\0]+)\0/g, (_all, name: string) => {
          const secret = env[name]?.trim();
          if (secret === undefined) missing.add(name);
          return secret ?? "";
        })
      : value,
  );
  return missing.size === 0 ? parsed(shown) : unparsed(...missing);
}
