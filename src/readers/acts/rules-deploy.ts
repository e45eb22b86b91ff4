// Which calls change what runs on servers, through the tools that are made for it?

import { each, hasOption, optionValues, positionals, setOf } from "../shell/call.ts";
import type { Call, Rule, Rules } from "../shell/call.ts";
import { isLoopback, hostOf } from "./host.ts";
import { madeOf } from "../shell/made.ts";
import { CLUSTER_EXEC_RULES } from "./rules-containers.ts";
import { rulesFrom, subcommand } from "./verb-table.ts";
import type { VerbRow } from "./verb-table.ts";

const ROWS: readonly VerbRow[] = [
  [
    "terraform tofu terragrunt",
    "apply, destroy, import, taint, untaint, force-unlock, state rm|mv|push|replace-provider, workspace delete, run-all apply|destroy, run apply|destroy, apply-all, destroy-all",
    "deploy",
  ],
  ["cdktf", "deploy|destroy", "deploy"],
  ["pulumi", "up|update|destroy|refresh|import|cancel, stack rm, state delete", "deploy"],
  ["cdk", "deploy|destroy|bootstrap|import|rollback", "deploy"],
  ["sam", "deploy|delete|sync", "deploy"],
  ["sst", "deploy|remove", "deploy"],
  ["serverless sls osls", "deploy|remove|rollback", "deploy"],
  ["eb", "deploy|create|terminate|swap|scale|setenv|abort|restore|clone", "deploy"],
  [
    "kubectl oc k",
    "apply|delete|create|replace|patch|scale|drain|cordon|uncordon|taint|label|annotate|edit|set|expose|autoscale|run",
    "deploy",
  ],
  ["kubectl oc k", "rollout restart|undo|pause|resume", "deploy"],
  ["helm", "install|upgrade|uninstall|delete|del|un|rollback", "deploy"],
  ["helmfile", "apply|sync|destroy|delete", "deploy"],
  ["skaffold", "run|deploy|delete|apply", "deploy"],
  [
    "argocd",
    "app sync|delete|set|create|rollback|patch, proj|cluster|repo create|delete|add|rm",
    "deploy",
  ],
  ["flux", "reconcile|bootstrap|create|delete|suspend|resume|install|uninstall", "deploy"],
  ["istioctl", "install|uninstall", "deploy"],
  ["eksctl", "create|delete|scale|upgrade|drain", "deploy"],
  ["docker podman", "stack deploy|rm, service create|update|rm|scale|rollback", "deploy"],
  ["netlify ntl", "deploy, sites:create, sites:delete, env:set, env:unset, env:import", "deploy"],
  [
    "fly flyctl",
    "deploy, launch, destroy, apps|app create|destroy|restart, scale count|vm|memory, secrets set|unset|deploy|import, machine|machines destroy|remove|stop|start|restart|run|update|kill, volumes|volume|vol create|destroy|extend, ips|certs allocate-v4|allocate-v6|release|add|remove, postgres|pg|mpg create|destroy|restart",
    "deploy",
  ],
  [
    "heroku",
    "releases:rollback, rollback, pipelines:promote, ps:scale, ps:restart, ps:stop, ps:kill, ps:resize, ps:type, scale, restart, config:set, config:unset, apps:create, create, apps:destroy, destroy, apps:rename, addons:create, addons:destroy, addons:attach, addons:detach, addons:upgrade, maintenance:on, maintenance:off, container:push, container:release, container:rm, domains:add, domains:remove, buildpacks:set, buildpacks:add, features:enable, run, run:detached, pg:promote, pg:upgrade, deploy:jar",
    "deploy",
  ],
  ["heroku", "pg:reset, pg:copy, pg:push, pg:backups:restore, pg:backups:delete", "drop-data"],
  [
    "firebase",
    "deploy, hosting:disable, hosting:channel:deploy, hosting:clone, functions:delete, functions:config:set, functions:config:unset, functions:secrets:set, database:set, database:update, database:push, ext:install",
    "deploy",
  ],
  ["firebase", "firestore:delete, database:remove", "drop-data"],
  [
    "wrangler",
    "deploy, publish, delete, rollback, secret put|delete|bulk, secret:bulk, pages deploy|publish, versions deploy|upload, triggers deploy, kv key|namespace|bulk put|delete|create, kv:key|kv:namespace|kv:bulk put|delete|create, r2 object|bucket put|delete|create, d1 create|delete, queues create|delete",
    "deploy",
  ],
  ["railway", "up|redeploy|down|delete", "deploy"],
  ["render", "deploys create|cancel, services create|update|delete", "deploy"],
  [
    "kamal mrsk",
    "deploy|redeploy|setup|rollback|remove, app boot|stop|start|remove, env push, accessory boot|reboot|remove|stop|start",
    "deploy",
  ],
  ["mina fab hexo ng deno deployctl modal convex", "deploy", "deploy"],
  ["amplify", "push|publish|delete", "deploy"],
  ["copilot", "deploy, app|svc|job|env|pipeline deploy|delete|init", "deploy"],
  [
    "cf",
    "push|delete|restart|restage|scale|stop|start|set-env|unset-env|map-route|unmap-route",
    "deploy",
  ],
  [
    "supabase",
    "db push, functions deploy|delete, projects create|delete, secrets set|unset, branches create|delete",
    "deploy",
  ],
  ["neonctl neon", "branches|projects|databases create|delete|reset|restore", "deploy"],
  ["pscale", "branch|database|deploy-request create|delete|deploy", "deploy"],
  ["turso", "db|group create|destroy", "deploy"],
  ["nomad", "run|stop, job run|stop|revert|scale|dispatch", "deploy"],
  ["shopify", "app deploy|release, theme push|publish|delete", "deploy"],
  ["sf", "project deploy, project delete", "deploy"],
  ["sfdx", "force:source:deploy, force:source:push, force:mdapi:deploy", "deploy"],
  ["databricks", "bundle deploy|destroy|run", "deploy"],
  [
    "gh",
    "workflow run|enable|disable, run rerun|cancel|delete, cache delete, ssh-key|gpg-key|deploy-key add|delete, repo deploy-key add|delete, secret set|delete|remove, variable set|delete",
    "deploy",
  ],
  [
    "glab",
    "ci run|trigger|retry|cancel|delete, pipeline run|trigger|retry|cancel|delete, variable set|delete|update",
    "deploy",
  ],
  ["ssh-copy-id", "*", "deploy"],
  ["solana", "program deploy|close, transfer", "deploy"],
  ["anchor", "deploy|upgrade", "deploy"],
];

const LOCAL_CLUSTER =
  /^(?:kind(?:-.*)?|k3d-.*|k3s.*|minikube|docker-desktop|docker-for-desktop|orbstack|rancher-desktop|colima.*|microk8s|.*@kind-.*)$/;

/** A file for a cluster that is named for what it is. */
const LOCAL_CONFIG =
  /(?:^|[/._-])(?:kind|k3d|k3s|minikube|microk8s|envtest|e2e|local)(?:[._-][^/]*)?$/;

/** A cluster that runs on this machine is made anew in a minute. */
function isLocalCluster({ args, env }: Call): boolean {
  const context =
    optionValues(args, "--context --kube-context")[0] ?? madeOf("cluster", { env }).at(-1) ?? "";
  const config = optionValues(args, "--kubeconfig")[0] ?? env("KUBECONFIG") ?? "";
  const server = optionValues(args, "--server")[0] ?? "";
  return LOCAL_CLUSTER.test(context) || LOCAL_CONFIG.test(config) || isLoopback(hostOf(server));
}

function inCluster(rule: Rule): Rule {
  return (call) => (isLocalCluster(call) ? null : rule(call));
}

const LOCAL_INVENTORY = /^(?:localhost|127\.0\.0\.1),?$/;

const ansible: Rule = ({ program, args }) => {
  const isLocal =
    optionValues(args, "-c --connection").includes("local") ||
    optionValues(args, "-i --inventory -l --limit").some((one) => LOCAL_INVENTORY.test(one));
  if (isLocal) return null;
  if (program === "ansible-playbook") return positionals(args).length > 0 ? "deploy" : null;
  const [module = ""] = optionValues(args, "-m --module-name");
  if (/^(?:ansible\.builtin\.)?(?:ping|setup|debug|stat|gather_facts)$/.test(module)) return null;
  return LOCAL_INVENTORY.test(positionals(args)[0] ?? "localhost") ? null : "deploy";
};

const VERCEL_WRITES = setOf(
  "deploy redeploy rm remove promote rollback alias certs rolling-release blob",
);

/** Without a subcommand, or with a folder, it deploys. */
const vercel: Rule = (call) => {
  const [verb = "", second = ""] = subcommand(call);
  if (verb === "" || VERCEL_WRITES.has(verb) || /^[./]/.test(verb))
    return /^(?:ls|list|inspect|status)$/.test(second) ? null : "deploy";
  const isSetting = /^(?:env|domains|dns|secrets|project)$/.test(verb);
  if (isSetting) return /^(?:add|rm|remove|update|import|buy|move)$/.test(second) ? "deploy" : null;
  return hasOption(call.args, setOf("--prod")) && !/^(?:build|pull|dev|link)$/.test(verb)
    ? "deploy"
    : null;
};

/** Capistrano: "cap production deploy". */
const cap: Rule = ({ args }) =>
  positionals(args).some((task) => /^deploy(?:$|:(?!check|print))/.test(task)) ? "deploy" : null;

const surge: Rule = ({ args }) =>
  /^(?:list|login|logout|whoami|help|token|plan)$/.test(args[0] ?? "") ? null : "deploy";

/** By itself `wrangler d1 execute` works on a copy on this machine. */
const d1: Rule = (call) => {
  const [first, second = ""] = subcommand(call);
  if (first !== "d1" || !/^(?:execute|migrations)$/.test(second)) return null;
  return hasOption(call.args, setOf("--remote")) ? "deploy" : null;
};

const supabaseReset: Rule = (call) => {
  const [first, second] = subcommand(call);
  const isFar = hasOption(call.args, setOf("--linked --db-url"));
  return first === "db" && second === "reset" && isFar ? "drop-data" : null;
};

/** What a chain keeps, it keeps. */
const chain: Rule = ({ program, args }) => {
  const url = optionValues(args, "--rpc-url -r --fork-url")[0] ?? "";
  if (isLoopback(hostOf(url)) || url === "anvil") return null;
  const isSent =
    program === "cast"
      ? /^(?:send|publish)$/.test(positionals(args)[0] ?? "")
      : hasOption(args, setOf("--broadcast"));
  return isSent ? "deploy" : null;
};

const hardhat: Rule = ({ args }) => {
  const [network = ""] = optionValues(args, "--network");
  if (network === "" || /^(?:localhost|hardhat|dev\w*|local\w*|anvil|ganache)$/.test(network))
    return null;
  return positionals(args).some((word) => /^(?:run|deploy|ignition|verify)$/.test(word))
    ? "deploy"
    : null;
};

const SPECIAL: Rules = {
  ...each("ansible ansible-playbook", ansible),
  ...each("vercel vc", vercel),
  cap,
  surge,
  wrangler: d1,
  supabase: supabaseReset,
  ...each("forge cast", chain),
  hardhat,
};

const CLUSTER_PROGRAMS = setOf("kubectl oc k helm helmfile skaffold flux istioctl");

const TABLE: Rules = Object.fromEntries(
  Object.entries(rulesFrom(ROWS)).map(([program, rule]) => [
    program,
    CLUSTER_PROGRAMS.has(program) ? inCluster(rule) : rule,
  ]),
);

const INTO_PODS: Rules = Object.fromEntries(
  Object.entries(CLUSTER_EXEC_RULES).map(([program, rule]) => [program, inCluster(rule)]),
);

export const DEPLOY_RULES: readonly Rules[] = [TABLE, SPECIAL, INTO_PODS];
