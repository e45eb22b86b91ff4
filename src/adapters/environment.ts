// Which environment do agents, gates and other children get, and what does it ask of orch?

import { existsSync } from "node:fs";
import { dirname } from "node:path";

import { levelFrom, type Level } from "../core/model/policy.ts";
import { OrchError } from "../errors.ts";
import { realOf } from "./process/program.ts";

type Environment = Readonly<Record<string, string>>;

/** What agents sign in with. A check of the work has no business with it. */
const AGENT_KEYS: readonly string[] =
  `ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_CUSTOM_HEADERS AWS_BEARER_TOKEN_BEDROCK
   AZURE_OPENAI_API_KEY CLAUDE_CODE_OAUTH_REFRESH_TOKEN CLAUDE_CODE_OAUTH_TOKEN CODEX_API_KEY
   COPILOT_GITHUB_TOKEN CURSOR_API_KEY DASHSCOPE_API_KEY DEEPSEEK_API_KEY GEMINI_API_KEY
   GOOGLE_API_KEY GROQ_API_KEY MISTRAL_API_KEY OPENAI_API_KEY OPENROUTER_API_KEY QWEN_API_KEY
   XAI_API_KEY`.split(/\s+/);

/** Set by an agent or a session of orch around this one; they would be taken for this one's own. */
export const OUTER_SESSION: readonly string[] =
  `CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_ID CLAUDE_CODE_SSE_PORT ORCH_ATTEMPT
   ORCH_EXIT_CODE ORCH_MCP ORCH_MODEL ORCH_NOTIFY ORCH_PROMPT ORCH_QUESTION ORCH_QUESTION_ID
   ORCH_REPORT ORCH_RUN ORCH_SESSION ORCH_SESSION_DIR ORCH_STEP ORCH_TASK`.split(/\s+/);

/** Who can write to a fleet's database can have machines run what they like. */
const FLEET_ADDRESS = ["ORCH_DATABASE_URL"];

/** For agents: everything orch was given, keys included, without traces of an outer session. */
export function agentEnvironment(base: NodeJS.ProcessEnv, added: Environment = {}): Environment {
  return { ...without(base, [...OUTER_SESSION, ...FLEET_ADDRESS]), ...added };
}

/** For gates and setup commands: as agents, without what agents sign in with. */
export function gateEnvironment(base: NodeJS.ProcessEnv, added: Environment = {}): Environment {
  return { ...without(base, [...OUTER_SESSION, ...FLEET_ADDRESS, ...AGENT_KEYS]), ...added };
}

/**
 * What the environment names in the checkout, led to where the same stands in another tree of it. From
 * where programs and modules are loaded is always led there: what runs in the tree would else run, and
 * check, the checkout. The rest only where it is there: a home or a cache in the checkout stays what it
 * is. Nothing names a repository, and none above the tree is taken for its own.
 */
export function environmentAt(
  env: Environment,
  roots: readonly string[],
  tree: string,
): Environment {
  if (roots.includes(tree)) return env;
  const moved = Object.entries(env)
    .filter(([name]) => !REPOSITORY.test(name))
    .map(([name, value]) => {
      const there = roots.reduce((text, root) => relocate(text, root, tree), value);
      return [name, LOADS.test(name) || existsSync(there) ? there : value];
    });
  return { ...Object.fromEntries(moved), GIT_CEILING_DIRECTORIES: dirname(tree) };
}

const LOADS =
  /^(?:PATH|(?:OLD)?PWD|INIT_CWD|PYTHONPATH|PYTHONHOME|VIRTUAL_ENV|NODE_PATH|GEM_PATH|RUBYLIB|PERL5LIB|CLASSPATH|npm_.*)$/i;

const REPOSITORY = /^GIT_(?:COMMON_DIR|DIR|INDEX_FILE|OBJECT_DIRECTORY|PREFIX|WORK_TREE)$/;

/** A folder by its own name and by its real one, which of it there is. */
export function rootsOf(folder: string): readonly string[] {
  return [...new Set([realOf(folder), folder])].filter((root) => root.length > 1);
}

/**
 * For what nobody watches: `CI` keeps programs from watching files and from asking; colour is of no
 * use in a log. FORCE_COLOR would win over NO_COLOR in many programs.
 */
export function quietEnvironment(env: Environment): Environment {
  return { ...without(env, ["FORCE_COLOR", "CLICOLOR_FORCE"]), CI: "true", NO_COLOR: "1" };
}

function without(base: NodeJS.ProcessEnv, names: readonly string[]): Environment {
  const left = new Set(names);
  return Object.fromEntries(
    Object.entries(base).flatMap(([name, value]) =>
      value === undefined || left.has(name) ? [] : [[name, value]],
    ),
  );
}

export const LEVEL_VARIABLE = "ORCH_INTERACTION_THRESHOLD";

/** null: not set, or set to nothing. Throws OrchError "usage" for anything but 0 to 5. */
export function environmentLevel(env: Readonly<Record<string, string | undefined>>): Level | null {
  const written = env[LEVEL_VARIABLE]?.trim() ?? "";
  if (written === "") return null;
  const level = /^\d$/.test(written) ? levelFrom(Number(written)) : null;
  if (level !== null) return level;
  throw new OrchError(
    "usage",
    `${LEVEL_VARIABLE} is ${JSON.stringify(written.slice(0, 40))}; a whole number from 0 to 5 was expected`,
    "0 never waits for a person, 5 asks most readily",
  );
}

/**
 * Replaces the path `from` by `to` wherever it stands as a whole path or as the beginning of one:
 * "/srv/app" in "/srv/app/bin:/srv/app2:/mnt/srv/app" is found once.
 */
export function relocate(text: string, from: string, to: string): string {
  // The root folder is the beginning of every path: moving it would move everything.
  if (from.length < 2) return text;
  const parts: string[] = [];
  let copied = 0;
  for (let at = text.indexOf(from); at !== -1; at = text.indexOf(from, at + from.length)) {
    if (isOfName(text, at - 1) || isOfName(text, at + from.length)) continue;
    parts.push(text.slice(copied, at), to);
    copied = at + from.length;
  }
  parts.push(text.slice(copied));
  return parts.join("");
}

/** True for what continues a file's name; whatever is not ASCII may. */
function isOfName(text: string, at: number): boolean {
  const char = text.charAt(at);
  return char !== "" && (char > "\u007f" || NAME.test(char));
}

const NAME = /[A-Za-z0-9._~+@-]/;
