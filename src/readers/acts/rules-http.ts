// Which requests write to a server that is not on this machine?

import { each, hasLetter, hasOption, optionValues, positionals, setOf } from "../shell/call.ts";
import type { Rule, Rules } from "../shell/call.ts";
import { hostOf, reachOf } from "./host.ts";
import { isKnown, unknownNames } from "../shell/word.ts";

const READS = /^(?:GET|HEAD|OPTIONS|TRACE|PROPFIND)$/i;

/** An address of this kind is made for messages. */
const HOOK_NAME = /WEBHOOK|SLACK|DISCORD|TEAMS_/;

/** A machine of the same network: a test server, a device, a container of a neighbour. */
const PRIVATE =
  /^(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})$|\.internal$/i;

function isAway(address: string): boolean {
  if (PRIVATE.test(hostOf(address))) return false;
  const reach = reachOf(address);
  if (reach !== "unknown") return reach === "far";
  return unknownNames(address).some((name) => HOOK_NAME.test(name.toUpperCase()));
}

/** Whether the method writes; a method that nobody can name counts as none. */
function writes(method: string | undefined, hasBody: boolean): boolean {
  if (method === undefined) return hasBody;
  return isKnown(method) && !READS.test(method);
}

/** Options of curl that take a value, as letters and as words. */
const CURL_LETTERS = "AbcCdDeEFHhKmoPQrtTuUwxXyYz";
const CURL_VALUED = setOf(
  "--output --header --user --user-agent --referer --cookie --cookie-jar --max-time --connect-timeout --retry --retry-delay --retry-max-time --cacert --capath --cert --cert-type --key --key-type --pass --proxy --proxy-user --noproxy --resolve --connect-to --interface --write-out --range --data --data-raw --data-binary --data-ascii --data-urlencode --form --form-string --json --request --url --config --dump-header --stderr --trace --trace-ascii --limit-rate --unix-socket --abstract-unix-socket --aws-sigv4 --oauth2-bearer --variable --ciphers --tls-max --output-dir --max-redirs --max-filesize --upload-file --quote --time-cond --url-query --speed-limit --speed-time --netrc-file --etag-save --etag-compare --mail-from --mail-rcpt --pinnedpubkey --proto --proto-default --keepalive-time --local-port --dns-servers --happy-eyeballs-timeout-ms --expect100-timeout --create-file-mode --rate",
);
const CURL_BODY = setOf(
  "-d -F -T --data --data-raw --data-binary --data-ascii --data-urlencode --form --form-string --json --upload-file --mail-rcpt",
);

interface Option {
  readonly name: string;
  readonly value: string;
}

interface CurlCall {
  readonly options: readonly Option[];
  readonly words: readonly string[];
}

/** curl joins letters: `-sXPOST`. */
function readCurl(args: readonly string[]): CurlCall {
  const options: Option[] = [];
  const words: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-") || arg === "-") words.push(arg);
    else if (arg.startsWith("--")) {
      const isValued = CURL_VALUED.has(arg);
      options.push({ name: arg, value: isValued ? (args[at + 1] ?? "") : "" });
      at += isValued ? 1 : 0;
    } else {
      const read = readLetters(arg, args[at + 1] ?? "");
      options.push(...read.options);
      at += read.isNextTaken ? 1 : 0;
    }
  }
  return { options, words };
}

function readLetters(
  arg: string,
  next: string,
): { options: readonly Option[]; isNextTaken: boolean } {
  const options: Option[] = [];
  for (let at = 0; at < arg.length - 1 && at < 40; at += 1) {
    const letter = arg.charAt(at + 1);
    const name = `-${letter}`;
    if (!CURL_LETTERS.includes(letter)) options.push({ name, value: "" });
    else {
      const rest = arg.slice(at + 2);
      options.push({ name, value: rest === "" ? next : rest });
      return { options, isNextTaken: rest === "" };
    }
  }
  return { options, isNextTaken: false };
}

const TEXT_BODY = setOf("-d --data --data-raw --data-binary --data-ascii --json");
const QUERY = /^\s*\{\s*"query"\s*:\s*"(?:\s|\\n)*(?:\{|query\b)/;

/** A query of GraphQL is a post that reads. */
function asks(options: readonly Option[], method: string | undefined): boolean {
  const bodies = options.filter(({ name }) => CURL_BODY.has(name));
  return (
    (method === undefined || method === "POST") &&
    bodies.length > 0 &&
    bodies.every(({ name, value }) => TEXT_BODY.has(name) && QUERY.test(value.slice(0, 500))) &&
    bodies.every(({ value }) => !/\bmutation\b/.test(value))
  );
}

const curl: Rule = ({ args }) => {
  const { options, words } = readCurl(args);
  const has = (...names: readonly string[]): boolean =>
    options.some(({ name }) => names.includes(name));
  if (has("--unix-socket", "--abstract-unix-socket")) return null;
  const isKept = options.some(
    ({ name, value }) =>
      /^--(?:resolve|connect-to)$/.test(name) && /127\.0\.0\.1|localhost|\[?::1/.test(value),
  );
  if (isKept) return null;
  const method = options.find(({ name }) => name === "-X" || name === "--request")?.value;
  const isRead = has("-G", "--get", "-I", "--head");
  const hasBody = !isRead && options.some(({ name }) => CURL_BODY.has(name));
  if (!writes(method, hasBody) || asks(options, method)) return null;
  const urls = [
    ...words,
    ...options.filter(({ name }) => name === "--url").map(({ value }) => value),
  ];
  return urls.some(isAway) ? "message" : null;
};

const WGET_VALUED = setOf(
  "-O -o -a -P -e -U -T -t -w -Q -i -B -D -I -X -R -A --header --user --password --output-document --directory-prefix --user-agent --timeout --tries --method --post-data --post-file --body-data --body-file",
);

const wget: Rule = ({ args }) => {
  const [method] = optionValues(args, "--method");
  const hasBody = hasOption(args, setOf("--post-data --post-file --body-data --body-file"));
  return writes(method, hasBody) && positionals(args, WGET_VALUED).some(isAway) ? "message" : null;
};

const HTTPIE_VALUED = setOf(
  "-a --auth -A --auth-type -o --output -s --style -p --print --timeout --verify --session --session-read-only --proxy --cert --cert-key --raw --format-options --pretty --max-redirects",
);
/** "name=value", "name:=json", "name@file": parts of a body. "name==value" and "Header:value" are none. */
const BODY_ITEM = /^[^=:@]{1,100}(?:=(?!=)|:=|@)/;

const httpie: Rule = ({ args }) => {
  if (hasOption(args, setOf("--offline"))) return null;
  const words = positionals(args, HTTPIE_VALUED);
  const hasMethod = /^[A-Z]{3,10}$/.test(words[0] ?? "");
  const [url = "", ...items] = hasMethod ? words.slice(1) : words;
  const hasBody = items.some((item) => BODY_ITEM.test(item)) || hasOption(args, setOf("--raw"));
  if (!writes(hasMethod ? words[0] : undefined, hasBody) || url.startsWith(":")) return null;
  return isAway(url) ? "message" : null;
};

export const HTTP_RULES: Rules = {
  ...each("curl curlie", curl),
  ...each("wget wget2", (call) => (hasLetter(call.args.slice(0, 1), "V") ? null : wget(call))),
  ...each("http https xh xhs", httpie),
};
