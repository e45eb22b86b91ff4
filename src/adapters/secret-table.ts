// What is a secret: a value by the name of its variable, a key by its own shape?

export interface SecretName {
  readonly name: RegExp;
  /** "strange": only where the value looks the part, too: a cache key is not a secret. */
  readonly value: "any" | "strange" | "address";
}

/** Names of places where a secret lies; the place is none. */
export const PLACE_NAME = /_(?:PATH|FILE|DIR|URL|URI|ENDPOINT|SOCK|HOST)$/i;

/** By how docs put it, in this order. "address": it is a secret although its name says where something lies. */
export const SECRET_NAMES = {
  "`*WEBHOOK*`": { name: /WEBHOOK/i, value: "address" },
  "`*_DSN`": { name: /(?:^|_)DSN(?:_|$)/i, value: "address" },
  "`*CONNECTION_STRING*`": { name: /CONN(?:ECTION)?_?STR/i, value: "address" },
  "`*TOKEN*`": { name: /TOKEN/i, value: "any" },
  "`*SECRET*`": { name: /SECRET/i, value: "any" },
  "`*PASSWORD*`, `*PASSPHRASE*`, `*_PASS`, `*_PWD`": {
    name: /PASSWORD|PASSWD|PASSPHRASE|PASSCODE|(?:^|_)PASS(?:_|$)|[A-Z]_PWD$/i,
    value: "any",
  },
  "`*_HEADERS`": { name: /_HEADERS$/i, value: "any" },
  "`*CREDENTIAL*`": { name: /CREDENTIAL/i, value: "any" },
  "`*API_KEY*`, `*ACCESS_KEY*`, `*PRIVATE_KEY*`": {
    name: /(?:API|ACCESS|PRIVATE)_?KEY/i,
    value: "any",
  },
  "`*_KEY`, `*_AUTH*`, `*_PAT`, `*_COOKIE*`, `*_SALT`, `*_SIGNATURE`, with a digit or 16 characters":
    { name: /KEY(?:_|$)|(?:^|_)(?:AUTH|PAT|COOKIE|SALT|SIGNATURE)(?:_|$)/i, value: "strange" },
} as const satisfies Readonly<Record<string, SecretName>>;

export interface SecretShape {
  /** Plain texts without any character of a pattern's own, one of which is in every match. */
  readonly triggers: readonly string[];
  readonly pattern: RegExp;
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

/** By how docs put it. */
export const SECRET_SHAPES = {
  "private keys": { triggers: ["PRIVATE KEY"], pattern: PRIVATE_KEY },
  "keys of Anthropic, OpenAI and others that begin with `sk-`": shape(
    ["sk-"],
    String.raw`sk-(?:(?:ant|proj|svcacct|admin|or|lf)-[\w-]{8,}|[A-Za-z0-9]{24,})`,
  ),
  // Longer than they need be: `task_` and `ask_` are in every other line, and hold "sk_".
  Stripe: shape(["k_live_", "k_test_"], "[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
  GitHub: shape(
    ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    String.raw`gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}`,
  ),
  GitLab: shape(["glpat-"], String.raw`glpat-[\w-]{16,}`),
  npm: shape(["npm_"], "npm_[A-Za-z0-9]{30,}"),
  "Hugging Face": shape(["hf_"], "hf_[A-Za-z0-9]{30,}"),
  AWS: shape(["AKIA", "ASIA"], "A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])"),
  Google: shape(["AIza"], String.raw`AIza[\w-]{35}`),
  Slack: shape(["xox"], "xox[a-z]-[A-Za-z0-9-]{10,}"),
  "JSON Web Tokens": shape(["eyJ"], String.raw`eyJ[\w-]{10,}(?:\.[\w-]{10,}){2,4}`),
  // Without a digit it is a long word.
  "bearer tokens": shape(
    ["earer ", "EARER "],
    String.raw`(?<=[Bb](?:earer|EARER) )(?=[A-Za-z_.~+/=-]{0,400}\d)[\w.~+/=-]{16,}`,
  ),
  "passwords in addresses": shape(
    ["://"],
    String.raw`(?<=://[^\s/:@"'\\]{0,64}:)[^\s/@"'\\]{3,256}(?=@)`,
  ),
} as const satisfies Readonly<Record<string, SecretShape>>;

function shape(triggers: readonly string[], pattern: string): SecretShape {
  const start = pattern.startsWith("(?<=") ? "" : START;
  return { triggers, pattern: new RegExp(`${start}(?:${pattern})`, "g") };
}
