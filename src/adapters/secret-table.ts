// What is a secret: a value by the name of its variable, a key by its own shape?

export interface SecretName {
  /** As docs put it. */
  readonly says: string;
  readonly name: RegExp;
  /** "strange": only where the value looks the part, too: a cache key is not a secret. */
  readonly value: "any" | "strange" | "address";
  readonly example: string;
}

/** Names of places where a secret lies; the place is none. */
export const PLACE_NAME = /_(?:PATH|FILE|DIR|URL|URI|ENDPOINT|SOCK|HOST)$/i;

/** In this order. "address": it is a secret although its name says where something lies. */
export const SECRET_NAMES: readonly SecretName[] = [
  named("`*WEBHOOK*`", /WEBHOOK/i, "TEAM_WEBHOOK_URL", "address"),
  named("`*_DSN`", /(?:^|_)DSN(?:_|$)/i, "TRACKER_DSN", "address"),
  named("`*CONNECTION_STRING*`", /CONN(?:ECTION)?_?STR/i, "DB_CONNECTION_STRING", "address"),
  named("`*TOKEN*`", /TOKEN/i, "GITHUB_TOKEN"),
  named("`*SECRET*`", /SECRET/i, "SESSION_SECRET"),
  named(
    "`*PASSWORD*`, `*PASSPHRASE*`, `*_PASS`, `*_PWD`",
    /PASSWORD|PASSWD|PASSPHRASE|PASSCODE|(?:^|_)PASS(?:_|$)|[A-Z]_PWD$/i,
    "DB_PASS",
  ),
  named("`*CREDENTIAL*`", /CREDENTIAL/i, "SERVICE_CREDENTIALS"),
  named(
    "`*API_KEY*`, `*ACCESS_KEY*`, `*PRIVATE_KEY*`",
    /(?:API|ACCESS|PRIVATE)_?KEY/i,
    "LLM_API_KEY",
  ),
  named(
    "`*_KEY`, `*_AUTH*`, `*_PAT`, `*_COOKIE*`, `*_SALT`, `*_SIGNATURE`, with a digit or 16 characters",
    /KEY(?:_|$)|(?:^|_)(?:AUTH|PAT|COOKIE|SALT|SIGNATURE)(?:_|$)/i,
    "ENCRYPTION_KEY",
    "strange",
  ),
];

function named(
  says: string,
  name: RegExp,
  example: string,
  value: SecretName["value"] = "any",
): SecretName {
  return { says, name, value, example };
}

export interface SecretShape {
  readonly says: string;
  /** Plain texts without any character of a pattern's own, one of which is in every match. */
  readonly triggers: readonly string[];
  readonly pattern: RegExp;
  /** What an example begins with, how many letters and digits follow, and what ends it. */
  readonly example: readonly [before: string, chars: number, after: string];
}

/**
 * A match begins where a word begins, or after what only looks like a part of it: an escape such as
 * `\n` in JSON, a colour code, a character of an encoded URL. This is also what keeps the patterns
 * linear: a run of letters is entered once, not at each of its characters.
 */
const START = String.raw`(?:(?<![\w-])|(?<=\\[nrt])|(?<=\[[\d;]{0,12}m)|(?<=%[\dA-Fa-f]{2}))`;

/**
 * From BEGIN to END, or to the first character that no key contains where the END was cut off. What
 * begins is always taken, so no text is looked through twice.
 */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\w+/=\s\\:;,.()@<>-]*?(?:-----END [A-Z0-9 ]{0,50}-----|(?![\w+/=\s\\:;,.()@<>-]))/g;

export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    says: "private keys",
    triggers: ["PRIVATE KEY"],
    pattern: PRIVATE_KEY,
    example: ["-----BEGIN PRIVATE KEY-----\n", 64, "\n-----END PRIVATE KEY-----"],
  },
  shape(
    "keys of Anthropic, OpenAI and others that begin with `sk-`",
    ["sk-"],
    String.raw`sk-(?:(?:ant|proj|svcacct|admin|or|lf)-[\w-]{8,}|[A-Za-z0-9]{24,})`,
    ["sk-proj-", 40],
  ),
  // Longer than they need be: `task_` and `ask_` are in every other line, and hold "sk_".
  shape("Stripe", ["k_live_", "k_test_"], "[sr]k_(?:live|test)_[A-Za-z0-9]{16,}", ["sk_live_", 24]),
  shape(
    "GitHub",
    ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    String.raw`gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}`,
    ["ghp_", 36],
  ),
  shape("GitLab", ["glpat-"], String.raw`glpat-[\w-]{16,}`, ["glpat-", 20]),
  shape("npm", ["npm_"], "npm_[A-Za-z0-9]{30,}", ["npm_", 36]),
  shape("Hugging Face", ["hf_"], "hf_[A-Za-z0-9]{30,}", ["hf_", 34]),
  shape("AWS", ["AKIA", "ASIA"], "A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])", ["AKIAA2B3C4D5E6F7G8H9", 0]),
  shape("Google", ["AIza"], String.raw`AIza[\w-]{35}`, ["AIza", 35]),
  shape("Slack", ["xox"], "xox[a-z]-[A-Za-z0-9-]{10,}", ["xoxb-", 30]),
  shape("JSON Web Tokens", ["eyJ"], String.raw`eyJ[\w-]{10,}(?:\.[\w-]{10,}){2,4}`, [
    "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.",
    43,
  ]),
  // Without a digit it is a long word.
  shape(
    "bearer tokens",
    ["earer ", "EARER "],
    String.raw`(?<=[Bb](?:earer|EARER) )(?=[A-Za-z_.~+/=-]{0,400}\d)[\w.~+/=-]{16,}`,
    ["Bearer ", 20],
  ),
  shape(
    "passwords in addresses",
    ["://"],
    String.raw`(?<=://[^\s/:@"'\\]{0,64}:)[^\s/@"'\\]{3,256}(?=@)`,
    ["postgres://me:", 20, "@db/x"],
  ),
];

function shape(
  says: string,
  triggers: readonly string[],
  pattern: string,
  [before, chars, after = ""]: readonly [string, number, string?],
): SecretShape {
  const start = pattern.startsWith("(?<=") ? "" : START;
  const regex = new RegExp(`${start}(?:${pattern})`, "g");
  return { says, triggers, pattern: regex, example: [before, chars, after] };
}
