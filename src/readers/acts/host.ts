// Does an address lead to this machine, or to one that others use?

import { optionValues, type Call } from "../shell/call.ts";
import { isKnown, unknownNames } from "../shell/word.ts";

/** "near": this machine, its containers and test names. */
export type Reach = "near" | "far" | "unknown";

const LOOPBACK =
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[?(?:::1|::|0:0:0:0:0:0:0:1)\]?|0\.0\.0\.0|host\.docker\.internal|.{1,200}\.localhost)$/i;
/** Names that never leave the local network, and the networks that Docker makes. */
const LOCAL_NAME =
  /\.(?:test|local)$|(?:^|\.)(?:lvh\.me|localtest\.me)$|^172\.(?:1[7-9]|2\d)\.\d{1,3}\.\d{1,3}$/i;
/** A name without a dot is a container of the same network, if it does not say otherwise. */
const LIVE_NAME = /prod|stag|live/i;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.slice(0, 300));
}

export function reachOfHost(host: string): Reach {
  if (!isKnown(host)) return "unknown";
  if (isLoopback(host) || host === "" || host.startsWith("/") || LOCAL_NAME.test(host))
    return "near";
  return host.includes(".") || host.includes(":") || LIVE_NAME.test(host) ? "far" : "near";
}

/** Of "https://user@host:80/path", "host:80" or "host". */
export function hostOf(address: string): string {
  const plain = address.slice(0, 2_000).replace(/^[A-Za-z][\w+.-]{0,40}:\/\//, "");
  const [authority = ""] = plain.split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return host.startsWith("[")
    ? host.slice(0, host.indexOf("]") + 1)
    : (host.split(/[:,]/, 1)[0] ?? "");
}

export function reachOf(address: string): Reach {
  return reachOfHost(hostOf(address));
}

const SERVER_NAME = /URL|URI|DSN|HOST|SERVER|CONN/;
const TEST_NAME = /TEST|LOCAL|DEV|(?:^|_)CI(?:_|$)|SCRATCH|SHADOW|TMP|TEMP/;

/**
 * Does a database client reach a server that others use? Nothing told, or this machine: such a
 * database is dropped and made again by tests every day. A variable that is named for a server, and
 * not for tests, may lead anywhere.
 */
export function isFarServer(addresses: readonly string[]): boolean {
  return addresses.some((address) => {
    const reach = reachOf(address);
    if (reach !== "unknown") return reach === "far";
    const names = unknownNames(hostOf(address)).map((name) => name.toUpperCase());
    return names.some((name) => SERVER_NAME.test(name) && !TEST_NAME.test(name));
  });
}

/** "http://name…" or "name:5000/…". */
const ADDRESS = /(?:^|=)(?:https?:\/\/[^/\s]|[\w.-]{1,100}:\d{2,5}\/)/;

/** `localhost:5000/image`, `--registry http://verdaccio:4873`; for NuGet, a folder is one. */
export function isLocalRegistry({ program, args, env }: Call): boolean {
  const variable = env("npm_config_registry") ?? env("NPM_CONFIG_REGISTRY") ?? "";
  const sources = /^(?:nuget|dotnet)$/.test(program) ? optionValues(args, "-s --source") : [];
  if (sources.some((one) => /^[./~]/.test(one))) return true;
  return [...args, variable].some((arg) => {
    const start = arg.slice(0, 500);
    const found = ADDRESS.exec(start);
    return found !== null && reachOf(start.slice(found.index).replace(/^=/, "")) === "near";
  });
}

const LOCAL_CLUSTER =
  /^(?:kind(?:-.*)?|k3d-.*|k3s.*|minikube|docker-desktop|orbstack|rancher-desktop|colima.*|microk8s)$/;

/** A file for a cluster that is named for what it is. */
const LOCAL_CONFIG =
  /(?:^|[/._-])(?:kind|k3d|k3s|minikube|microk8s|envtest|e2e|local)(?:[._-][^/]*)?$/;

/** `current` is the cluster that the script chose. */
export function isLocalCluster({ args, env }: Call, current: string | null): boolean {
  const context = optionValues(args, "--context --kube-context")[0] ?? current ?? "";
  const config = optionValues(args, "--kubeconfig")[0] ?? env("KUBECONFIG") ?? "";
  const server = optionValues(args, "--server")[0] ?? "";
  return LOCAL_CLUSTER.test(context) || LOCAL_CONFIG.test(config) || isLoopback(hostOf(server));
}
