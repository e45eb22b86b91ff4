// Which calls say something to other people?

import { each, hasOption, optionValues, positionals, setOf } from "../shell/call.ts";
import type { Rule, Rules } from "../shell/call.ts";
import { isKnown } from "../shell/word.ts";
import { rulesFrom } from "./verb-table.ts";
import type { VerbRow } from "./verb-table.ts";

const ROWS: readonly VerbRow[] = [
  [
    "gh",
    "pr create|new|merge|close|comment|review|edit|ready|reopen|lock|unlock|update-branch, issue create|new|close|comment|edit|delete|reopen|transfer|pin|unpin|lock|unlock|develop, label create|edit|delete|clone, project create|delete|edit|close|copy|link|unlink|item-add|item-create|item-edit|item-delete|item-archive|field-create|field-delete",
    "message",
  ],
  [
    "glab",
    "mr create|new|merge|accept|close|note|comment|approve|revoke|update|delete|reopen|rebase|for, issue create|new|close|note|comment|update|delete|reopen, incident close|note|reopen, label create|delete, milestone create|delete|edit",
    "message",
  ],
  [
    "tea",
    "pr|pulls|pull create|c|close|merge|m|review|approve|reject|reopen, issues|issue|i create|c|close|edit|reopen, comment|c *",
    "message",
  ],
  ["hub", "pull-request, issue create|update, pr merge", "message"],
  ["slack", "chat|file|post|message|send *, send", "message"],
  ["slackcat telegram-send apprise sendemail swaks", "*", "message"],
  ["ntfy", "publish|pub|send|trigger", "message"],
  ["signal-cli", "send", "message"],
  [
    "jira",
    "issue create|edit|move|transition|assign|delete|link|unlink|clone, issue comment add, issue worklog add, epic create|add|remove, sprint add|close",
    "message",
  ],
  ["linear", "issue create|update|delete|comment", "message"],
  ["rbt", "post|land|publish|close", "message"],
  ["arc", "diff|close|abandon", "message"],
  ["b4", "send", "message"],
  ["brew", "bump-formula-pr|bump-cask-pr", "message"],
];

const FIELDS = setOf("-f -F --field --raw-field --input --form");
const READS = /^(?:GET|HEAD|OPTIONS)$/i;

/** `gh api` posts as soon as it has a field; a query of GraphQL is a post that reads. */
const api: Rule = ({ program, args }) => {
  const [verb, endpoint = ""] = positionals(
    args,
    setOf(
      "-X --method -H --header -f -F --field --raw-field --input -q --jq -t --template --hostname -R --repo --cache -p --preview",
    ),
  );
  if (verb !== "api") return null;
  const [method] = optionValues(args, "-X --method");
  if (method !== undefined) {
    if (!isKnown(method) || READS.test(method)) return null;
    if (endpoint !== "graphql") return "message";
  }
  if (!hasOption(args, FIELDS) && !args.some((arg) => /^-[fF]./.test(arg))) return null;
  if (endpoint === "graphql")
    return args.some((arg) => /^(?:-f)?(?:query=)?\s{0,40}mutation\b/.test(arg)) ? "message" : null;
  return program === "glab" && method === undefined && !hasOption(args, FIELDS) ? null : "message";
};

/** A bare `mail` reads; one that sends names somebody. */
const mail: Rule = ({ args }) =>
  args.some((arg) => arg.includes("@") || !isKnown(arg)) ? "message" : null;

const sendmail: Rule = ({ args }) =>
  args.some((arg) => arg.includes("@") || /^-(?:t|ti|it|oi)$/.test(arg)) ? "message" : null;

const twilio: Rule = ({ args }) =>
  args.some(
    (arg) =>
      /^[a-z][\w:-]{1,200}:(?:create|update|remove|send|delete)$/.test(arg) &&
      !arg.startsWith("profiles:"),
  )
    ? "message"
    : null;

/** By itself it works in test mode. */
const stripe: Rule = ({ args }) =>
  hasOption(args, setOf("--live")) &&
  positionals(args).some((word) =>
    /^(?:create|update|delete|post|cancel|confirm|capture|send_\w{1,40}|pay|refund|trigger)$/.test(
      word,
    ),
  )
    ? "message"
    : null;

const SPECIAL: Rules = {
  ...each("gh glab hub", api),
  ...each("mail mailx nail s-nail mutt neomutt", mail),
  ...each("sendmail msmtp ssmtp", sendmail),
  twilio,
  stripe,
};

export const MESSAGE_RULES: readonly Rules[] = [rulesFrom(ROWS), SPECIAL];
