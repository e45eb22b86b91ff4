// Which calls reach into containers on servers, and what do those start that run here?

import { each, hasOption, optionValues, positionals, setOf } from "../shell/call.ts";
import type { Call, Rule, Rules } from "../shell/call.ts";
import { hostOf, isLoopback, reachOfHost } from "./host.ts";
import { readsVerb, readsWords } from "./readers.ts";
import { valuedOptions } from "../shell/valued.ts";
import { isKnown } from "../shell/word.ts";

/** Those of programs that run containers on this machine. */
const LOCAL_CONTEXT =
  /^(?:default|desktop-.*|colima.*|orbstack|rootless|lima.*|rancher-.*|kind.*)$/;
/** They send a folder to be built, or fetch something. */
const BUILDS = setOf("build buildx bake pull login logout context");

/** The options before the subcommand; after it, the same letters mean other things. */
function globalOptions({ program, args }: Call): readonly string[] {
  const valued = valuedOptions(program);
  let at = 0;
  for (; (args[at] ?? "").startsWith("-"); at += 1) if (valued.has(args[at] ?? "")) at += 1;
  return args.slice(0, at);
}

function isElsewhere(call: Call): boolean {
  const options = globalOptions(call);
  const host = optionValues(options, "-H --host --url")[0] ?? call.env("DOCKER_HOST") ?? "";
  if (host !== "") {
    if (!isKnown(host) || /^(?:unix|npipe|fd):|^\//.test(host)) return false;
    const name = hostOf(host);
    return host.startsWith("ssh://") ? !isLoopback(name) : reachOfHost(name) === "far";
  }
  const context = optionValues(options, "--context -c")[0] ?? call.env("DOCKER_CONTEXT") ?? "";
  return context !== "" && isKnown(context) && !LOCAL_CONTEXT.test(context);
}

/** What it does there, it does to a server. */
const docker: Rule = (call) => {
  const words = positionals(call.args, valuedOptions(call.program));
  const [verb = ""] = words;
  if (verb === "" || BUILDS.has(verb) || readsVerb(call.program, words)) return null;
  return isElsewhere(call) ? "deploy" : null;
};

const KUBE_VALUED = setOf("-c --container --pod-running-timeout");
const SHELL = /^(?:\/bin\/)?(?:ba|z|da|a)?sh$/;

/** A shell without a script is a person's login. */
const kubectl: Rule = (call) => {
  const valued = new Set([...valuedOptions("kubectl"), ...KUBE_VALUED]);
  const end = call.args.indexOf("--");
  const own = positionals(end === -1 ? call.args : call.args.slice(0, end), valued);
  const [verb = "", first = "", second = ""] = own;
  // "pod:/path"; the pod may have a namespace and a slash before it.
  if (verb === "cp") return first !== "" && /^[\w./-]{1,200}:/.test(second) ? "deploy" : null;
  if (verb !== "exec") return null;
  const started = end === -1 ? own.slice(2) : call.args.slice(end + 1);
  const isFed =
    call.feeders().length > 0 || call.redirects.some(({ operator }) => /^<(?!&)/.test(operator));
  if (started.length === 1 && !isFed && /^(?:psql|mysql|redis-cli)$/.test(started[0] ?? ""))
    return null;
  if (started.length <= 2 && !isFed && SHELL.test(started[0] ?? "")) return null;
  return started.length === 0 || readsWords(started) ? null : "deploy";
};

export const REMOTE_CONTAINER_RULES: Rules = each("docker podman docker-compose", docker);
export const CLUSTER_EXEC_RULES: Rules = each("kubectl oc k", kubectl);

const RUN_VALUED = setOf(
  "-v --volume -w --workdir -e --env --env-file -u --user -p --publish --name --network --net --entrypoint --mount -h --hostname -l --label --platform -m --memory --cpus --add-host --cap-add --cap-drop --device --gpus --ip --link --log-driver --log-opt --pid --ipc --restart --security-opt --shm-size --tmpfs --ulimit --userns --volumes-from --pull --cidfile --dns --expose --group-add --detach-keys --index",
);
/** Their programs reach a cluster or a cloud that is a container itself. */
const LOCAL_CONTAINER = /control-plane|k3s|k3d|kind|minikube|localstack|verdaccio/;

/** The program that a container is started or entered for, with its arguments; none: its own. */
export function startedInContainer(call: Call): readonly string[] {
  if (!/^(?:docker|podman|nerdctl|docker-compose)$/.test(call.program)) return [];
  const valued = new Set([...valuedOptions(call.program), "--project-directory", "--ansi"]);
  let rest = fromWord(call.args, valued);
  if (/^(?:compose|container)$/.test(rest[0] ?? "")) rest = fromWord(rest.slice(1), valued);
  if (!/^(?:run|exec)$/.test(rest[0] ?? "")) return [];
  const own = rest.slice(1);
  const [name = "", ...words] = fromWord(own, RUN_VALUED);
  if (LOCAL_CONTAINER.test(name) || hasOption(words, setOf("--dry-run"))) return [];
  const options = own.slice(0, own.length - words.length - 1);
  return [...optionValues(options, "--entrypoint"), ...words];
}

function fromWord(args: readonly string[], valued: ReadonlySet<string>): readonly string[] {
  let at = 0;
  for (; (args[at] ?? "").startsWith("-"); at += 1) if (valued.has(args[at] ?? "")) at += 1;
  return args.slice(at);
}
