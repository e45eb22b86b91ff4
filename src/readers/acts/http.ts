// Which requests and messages do others receive?

import { hasOption, optionValues, positionals, setOf, subcommand } from "../shell/call.ts";
import { isKnown, unknownNames } from "../shell/word.ts";
import { hostOf, reachOf } from "./host.ts";
import type { Rule, Rules } from "./rule.ts";

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

function requestTo(addresses: readonly string[], method: string | undefined, hasBody: boolean) {
  return writes(method, hasBody) && addresses.some(isAway) ? "message" : null;
}

/** Options of curl that take a value, as letters and as words. */
const CURL_LETTERS = "AbcCdDeEFHhKmoPQrtTuUwxXyYz";
const CURL_VALUED = setOf(
  "--output --header --user --user-agent --referer --cookie --cookie-jar --max-time --connect-timeout --retry --retry-delay --retry-max-time --cacert --capath --cert --cert-type --key --key-type --pass --proxy --proxy-user --noproxy --resolve --connect-to --interface --write-out --range --data --data-raw --data-binary --data-ascii --data-urlencode --form --form-string --json --request --url --config --dump-header --stderr --trace --trace-ascii --limit-rate --unix-socket --abstract-unix-socket --aws-sigv4 --oauth2-bearer --output-dir --max-redirs --max-filesize --upload-file --url-query --speed-limit --speed-time --netrc-file --etag-save --etag-compare --mail-from --mail-rcpt",
);
const TEXT_BODY = setOf("-d --data --data-raw --data-binary --data-ascii --json");
const BODY = new Set([
  ...TEXT_BODY,
  ...setOf("-F -T --data-urlencode --form --form-string --upload-file --mail-rcpt"),
]);

interface Option {
  readonly name: string;
  readonly value: string;
}

/** curl joins letters: `-sXPOST`. A word that is no option has the name "". */
function readCurl(args: readonly string[]): readonly Option[] {
  const options: Option[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    const next = args[at + 1] ?? "";
    if (!arg.startsWith("-") || arg === "-") options.push({ name: "", value: arg });
    else if (arg.startsWith("--")) {
      const isValued = CURL_VALUED.has(arg);
      options.push({ name: arg, value: isValued ? next : "" });
      at += isValued ? 1 : 0;
    } else {
      const letters = arg.slice(1, 40).split("");
      const end = letters.findIndex((letter) => CURL_LETTERS.includes(letter));
      const flags = end === -1 ? letters : letters.slice(0, end);
      options.push(...flags.map((letter) => ({ name: `-${letter}`, value: "" })));
      if (end === -1) continue;
      const rest = arg.slice(end + 2);
      options.push({ name: `-${letters[end] ?? ""}`, value: rest === "" ? next : rest });
      at += rest === "" ? 1 : 0;
    }
  }
  return options;
}

const QUERY = /^\s*\{\s*"query"\s*:\s*"(?:\s|\\n)*(?:\{|query\b)/;

/** A query of GraphQL is a post that reads. */
function asks(bodies: readonly Option[], method = "POST"): boolean {
  const isQuery = ({ name, value }: Option): boolean =>
    TEXT_BODY.has(name) && QUERY.test(value.slice(0, 500)) && !/\bmutation\b/.test(value);
  return method === "POST" && bodies.length > 0 && bodies.every(isQuery);
}

const curl: Rule = ({ args }) => {
  const options = readCurl(args);
  const named = (...names: readonly string[]): readonly string[] =>
    options.filter(({ name }) => names.includes(name)).map(({ value }) => value);
  if (named("--unix-socket", "--abstract-unix-socket").length > 0) return null;
  const isKept = named("--resolve", "--connect-to").some((value) =>
    /127\.0\.0\.1|localhost|\[?::1/.test(value),
  );
  const [method] = named("-X", "--request");
  const bodies = options.filter(({ name }) => BODY.has(name));
  const hasBody = bodies.length > 0 && named("-G", "--get", "-I", "--head").length === 0;
  if (isKept || asks(bodies, method)) return null;
  return requestTo(named("", "--url"), method, hasBody);
};

const WGET_VALUED = setOf(
  "-O -o -a -P -e -U -T -t -w -Q -i --header --user --password --output-document --directory-prefix --user-agent --timeout --tries --method --post-data --post-file --body-data --body-file",
);

const wget: Rule = ({ args }) => {
  const [method] = optionValues(args, "--method");
  const hasBody = hasOption(args, setOf("--post-data --post-file --body-data --body-file"));
  return requestTo(positionals(args, WGET_VALUED), method, hasBody);
};

const HTTPIE_VALUED = setOf(
  "-a --auth -A --auth-type -o --output -s --style -p --print --timeout --verify --session --proxy --cert --cert-key --raw --pretty",
);
/** "name=value", "name:=json", "name@file": parts of a body. "name==value" and "Header:value" are none. */
const BODY_ITEM = /^[^=:@]{1,100}(?:=(?!=)|:=|@)/;

const httpie: Rule = ({ args }) => {
  if (hasOption(args, setOf("--offline"))) return null;
  const words = positionals(args, HTTPIE_VALUED);
  const hasMethod = /^[A-Z]{3,10}$/.test(words[0] ?? "");
  const [url = "", ...items] = hasMethod ? words.slice(1) : words;
  const hasBody = items.some((item) => BODY_ITEM.test(item)) || hasOption(args, setOf("--raw"));
  return url.startsWith(":") ? null : requestTo([url], hasMethod ? words[0] : undefined, hasBody);
};

const FIELDS = setOf("-f -F --field --raw-field --input --form");

/** `gh api` posts as soon as it has a field; a query of GraphQL is a post that reads. */
const api: Rule = (call) => {
  const { args } = call;
  const [verb, endpoint = ""] = subcommand(call);
  if (verb !== "api") return null;
  const [method] = optionValues(args, "-X --method");
  const hasFields = hasOption(args, FIELDS) || args.some((arg) => /^-[fF]./.test(arg));
  if (!writes(method, hasFields)) return null;
  if (endpoint !== "graphql") return "message";
  const isMutation = args.some((arg) => /^(?:-f)?(?:query=)?\s{0,40}mutation\b/.test(arg));
  return isMutation ? "message" : null;
};

/** A bare `mail` reads; one that sends names somebody, or takes the name from the text. */
const mail: Rule = ({ args }) =>
  args.some((arg) => arg.includes("@") || !isKnown(arg) || arg === "-t") ? "message" : null;

export const HTTP_RULES: Rules = [
  ["curl", curl],
  ["wget wget2", wget],
  ["http https xh xhs", httpie],
  ["gh glab", api],
  ["mail mailx s-nail mutt sendmail msmtp ssmtp", mail],
];
