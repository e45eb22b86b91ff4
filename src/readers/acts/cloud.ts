// Which calls of a cloud's own program write to it?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import { hasOption, optionValues, positionals, setOf, subcommand } from "../shell/call.ts";
import { reachOf } from "./host.ts";
import type { Rule, Rules } from "./rule.ts";

/** Words with which operations begin that change something. */
const WRITES = setOf(
  "abort accept activate add allocate apply assign associate attach authorize cancel change copy create deactivate delete deploy deregister detach disable disassociate enable execute failover import invoke issue merge migrate modify move mv patch promote provision publish purchase purge put reboot rebuild register regenerate reject release remove renew replace reset resize restart restore resume revoke rm rollback rotate run scale send set start stop submit suspend swap tag terminate transfer undelete untag up update upgrade upload write",
);
/** They change settings of the program itself, or of this machine. */
const LOCAL = setOf(
  "configure config sso login logout help history auth account components init info emulators version extension bicep cloud feedback find interactive cache docker kubeconfig context completion",
);

function isWrite(operation: string): boolean {
  return WRITES.has(operation.split("-", 1)[0] ?? "");
}

const aws: Rule = (call) => {
  const endpoint =
    optionValues(call.args, "--endpoint-url")[0] ?? call.env("AWS_ENDPOINT_URL") ?? "";
  if (endpoint !== "" && reachOf(endpoint) === "near") return null;
  const [service = "", verb = "", ...rest] = subcommand(call);
  if (LOCAL.has(service)) return null;
  if (service === "s3") return copyOf(verb, rest);
  // These read, or write to this machine, though they begin so.
  if (/^(?:start-(?:query|live-tail|session)|update-kubeconfig)/.test(verb)) return null;
  if (!isWrite(verb.replace(/^(?:admin|batch)-(?!get)/, ""))) return null;
  return /^(?:sns|ses|sesv2|sqs|pinpoint)$/.test(service) && /^(?:send|publish)/.test(verb)
    ? "message"
    : "deploy";
};

/** "gs://…", "s3://…", and "remote:…" of rclone. */
const BUCKET = /^\w[\w-]{0,80}:/;

/** Copies between a machine and a bucket: only the destination is written to. */
function copyOf(verb: string, paths: readonly string[]): IrreversibleAction | null {
  if (/^(?:rm|rb|mb|mv|move|del|delete|purge|website|setacl|iam|acl)$/.test(verb))
    return verb === "mv" || paths.some((path) => BUCKET.test(path)) ? "deploy" : null;
  const isCopy = /^(?:cp|copy|put|sync|rsync)$/.test(verb);
  return isCopy && BUCKET.test(paths.at(-1) ?? "") ? "deploy" : null;
}

const bucket: Rule = ({ args }) => {
  const [verb = "", ...paths] = positionals(args, setOf("-o -h -u -i"));
  return copyOf(verb, paths);
};

const gcloud: Rule = (call) => {
  const words = subcommand(call).filter((word) => !/^(?:alpha|beta)$/.test(word));
  const [group = "", verb = ""] = words;
  if (LOCAL.has(group)) return null;
  if (group === "storage") return copyOf(verb, words.slice(2));
  if (group === "compute" && /^(?:ssh|scp)$/.test(verb))
    return hasOption(call.args, setOf("--command")) || /:/.test(words.at(-1) ?? "")
      ? "deploy"
      : null;
  // The last words are names of things, and a name may be any word.
  return words.slice(1, 4).some((word) => word !== "run" && isWrite(word)) ? "deploy" : null;
};

const az: Rule = (call) => {
  const [group = "", ...words] = subcommand(call);
  if (LOCAL.has(group)) return null;
  if (words.some((word) => /^(?:what-if|validate|show|list|exists)$/.test(word))) return null;
  if (!words.some((word, at) => isWrite(word) && (word !== "run" || at === words.length - 1)))
    return null;
  return group === "repos" && words[0] === "pr" ? "message" : "deploy";
};

/** Its hosts are in files, but for this machine. */
const ansible: Rule = ({ args }) =>
  positionals(args).length === 0 || args.some((arg) => /^(?:local|localhost,?)$/.test(arg))
    ? null
    : "deploy";

export const CLOUD_RULES: Rules = [
  ["aws", aws],
  ["gcloud", gcloud],
  ["az", az],
  ["gsutil s3cmd rclone", bucket],
  ["ansible-playbook", ansible],
];
