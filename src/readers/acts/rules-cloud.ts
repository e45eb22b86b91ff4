// Which calls of a cloud's own program write to it?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import { each, hasOption, optionValues, positionals, setOf } from "../shell/call.ts";
import type { Call, Rule, Rules } from "../shell/call.ts";
import { reachOf } from "./host.ts";
import { subcommand } from "./verb-table.ts";

/** How operations of AWS begin that change something. */
const AWS_WRITES =
  /^(?:admin-|batch-)?(?:abort|accept|activate|add|allocate|apply|assign|associate|attach|authorize|cancel|change|complete|copy|create|deactivate|delete|deploy|deregister|detach|disable|disassociate|enable|execute|import|initiate|invoke|issue|merge|modify|move|promote|provision|publish|purchase|purge|put|reboot|rebuild|register|reject|release|remove|replace|request|reset|restart|restore|resume|revoke|rollback|rotate|run|send|set|start|stop|submit|suspend|swap|tag|terminate|transfer|unassign|untag|update|upgrade|upload|write)(?:-|$)/;
/** These read, or write to this machine, though they begin so. */
const AWS_READS = /^(?:start-(?:query|live-tail|session)|update-kubeconfig|import-key|batch-get)/;
const AWS_LOCAL = setOf("configure sso login logout help history wizard codeartifact");
const AWS_MAIL = setOf("sns ses sesv2 sqs pinpoint chime");

const aws: Rule = (call) => {
  const endpoint =
    optionValues(call.args, "--endpoint-url")[0] ?? call.env("AWS_ENDPOINT_URL") ?? "";
  if (endpoint !== "" && reachOf(endpoint) === "near") return null;
  const [service = "", verb = "", ...rest] = subcommand(call);
  if (service === "deploy" && verb === "push") return "deploy";
  if (AWS_LOCAL.has(service)) return null;
  if (service === "s3") return s3(verb, rest);
  if (!AWS_WRITES.test(verb) || AWS_READS.test(verb)) return null;
  return AWS_MAIL.has(service) && /^(?:send|publish)/.test(verb) ? "message" : "deploy";
};

function s3(verb: string, paths: readonly string[]): IrreversibleAction | null {
  if (/^(?:rm|rb|mb|website)$/.test(verb)) return "deploy";
  if (verb === "mv") return "deploy";
  const isUpload = /^(?:cp|sync)$/.test(verb) && (paths[1] ?? "").startsWith("s3://");
  return isUpload ? "deploy" : null;
}

const GCLOUD_WRITES = setOf(
  "deploy delete create update set-iam-policy add-iam-policy-binding remove-iam-policy-binding start stop reset restart resize patch import submit promote promote-releases rollback migrate update-traffic set-traffic publish undelete disable enable cancel execute add remove replace rm mv rb write failover clone detach-disk attach-disk add-tags remove-tags add-metadata add-labels remove-labels suspend resume set-default-service set-managed-by",
);
/** They change settings of the program itself. */
const GCLOUD_LOCAL = setOf(
  "config auth components init info emulators topic version help docker cheat-sheet",
);

const gcloud: Rule = (call) => {
  const [first = "", ...rest] = subcommand(call);
  const words = /^(?:alpha|beta|preview)$/.test(first) ? rest : [first, ...rest];
  if (GCLOUD_LOCAL.has(words[0] ?? "")) return null;
  if (words[0] === "storage" && /^(?:cp|rsync)$/.test(words[1] ?? ""))
    return words.at(-1)?.startsWith("gs://") ? "deploy" : null;
  if (words[0] === "compute" && /^(?:ssh|scp)$/.test(words[1] ?? ""))
    return hasOption(call.args, setOf("--command")) || /:/.test(words.at(-1) ?? "")
      ? "deploy"
      : null;
  // The last words are names of things, and a name may be any word.
  return words.slice(1, 4).some((word) => GCLOUD_WRITES.has(word)) ? "deploy" : null;
};

const AZ_WRITES =
  /^(?:create|delete|update|deploy|set|start|stop|restart|remove|add|purge|import|up|upload|upload-batch|delete-batch|sync|deallocate|regenerate|regenerate-keys?|renew|reset|resize|scale|swap|invoke|run|failover|restore|set-policy|delete-policy|attach|detach|enable|disable|cancel|approve|assign|grant|revoke|move|rotate|redeploy|reimage|publish|send|deployment)$/;
const AZ_LOCAL = setOf(
  "account config configure extension bicep login logout cloud feedback find version self-test upgrade interactive cache",
);

const az: Rule = (call) => {
  const [group = "", ...words] = subcommand(call);
  if (AZ_LOCAL.has(group) || words.length === 0) return group === "up" ? "deploy" : null;
  if (words.some((word) => /^(?:what-if|validate|show|list|exists)$/.test(word))) return null;
  if (group === "devops" && words[0] === "configure") return null;
  const isWrite = words.some(
    (word) => word !== "deployment" && word !== "run" && AZ_WRITES.test(word),
  );
  if (group === "repos" && words[0] === "pr") return isWrite ? "message" : null;
  return isWrite || words.at(-1) === "run" ? "deploy" : null;
};

/** Programs of smaller clouds all speak so: things, then a verb. */
const OTHER_WRITES =
  /^(?:create|delete|remove|rm|destroy|update|deploy|reboot|restart|start|stop|resize|rebuild|rollback|apply|terminate|shutdown|poweroff|power-off|enable|disable|attach|detach|attach-to-|assign|unassign|reset|create-deployment|add|set)$/;
const OTHER_LOCAL = setOf(
  "auth config context init version help completion kubeconfig login logout plugin",
);

const otherCloud: Rule = (call) => {
  const words = subcommand(call);
  if (OTHER_LOCAL.has(words[0] ?? "") || words.includes("kubeconfig")) return null;
  return words.slice(1, 4).some((word) => OTHER_WRITES.test(word)) ? "deploy" : null;
};

const BUCKET = /^(?:gs|s3|b2|az|oss|cos):\/\//;

/** Copies between a machine and a bucket: only the destination is written to. */
const bucket: Rule = ({ args }) => {
  const [verb = "", ...paths] = positionals(args, setOf("-o -h -u -i -c -P"));
  if (/^(?:rm|rb|mb|del|mv|setacl|put|setpolicy|delpolicy|defacl|iam|acl)$/.test(verb))
    return verb === "mv" || paths.some((path) => BUCKET.test(path)) ? "deploy" : null;
  const isCopy = /^(?:cp|rsync|sync|copy|upload)$/.test(verb);
  return isCopy && BUCKET.test(paths.at(-1) ?? "") ? "deploy" : null;
};

const REMOTE = /^[\w-]{1,60}:/;

const rclone: Rule = ({ args }) => {
  const [verb = "", ...paths] = positionals(args);
  if (/^(?:delete|purge|deletefile|rmdir|rmdirs|mkdir|cleanup|dedupe|rcat|touch)$/.test(verb))
    return REMOTE.test(paths[0] ?? "") ? "deploy" : null;
  if (/^move(?:to)?$/.test(verb)) return paths.some((path) => REMOTE.test(path)) ? "deploy" : null;
  return /^(?:copy|copyto|sync|bisync)$/.test(verb) && REMOTE.test(paths[1] ?? "")
    ? "deploy"
    : null;
};

const azcopy: Rule = ({ args }: Call) => {
  const [verb = "", ...paths] = positionals(args);
  if (/^(?:remove|rm)$/.test(verb)) return "deploy";
  return /^(?:copy|cp|sync|c)$/.test(verb) && (paths[1] ?? "").startsWith("https:")
    ? "deploy"
    : null;
};

export const CLOUD_RULES: Rules = {
  aws,
  gcloud,
  az,
  ...each("doctl hcloud oci ibmcloud linode-cli scw exo vultr-cli civo ovhcloud", otherCloud),
  ...each("gsutil s3cmd s5cmd", bucket),
  rclone,
  azcopy,
};
