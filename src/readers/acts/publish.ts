// Which builds hand a package or an image to everybody, by an option or a goal among many?

import { hasOption, optionValues, positionals, setOf, subcommand } from "../shell/call.ts";
import { isLocalRegistry } from "./host.ts";
import type { Rule, Rules } from "./rule.ts";

/** `cargo release` only tells, until it is told to do it. */
const cargo: Rule = ({ args }) => {
  const [verb = ""] = positionals(args);
  if (verb === "owner") return hasOption(args, setOf("--add --remove -a -r")) ? "publish" : null;
  return verb === "release" && hasOption(args, setOf("--execute -x")) ? "publish" : null;
};

const docker: Rule = (call) => {
  const { args } = call;
  const isBuild = positionals(args).some((word) => /^(?:build|buildx|bake)$/.test(word));
  const sends = optionValues(args, "-o --output").some((one) =>
    /type=registry|push=true/.test(one),
  );
  const isSent = isBuild && (sends || hasOption(args, setOf("--push")));
  return isSent && !isLocalRegistry(call) ? "publish" : null;
};

const maven: Rule = (call) => {
  if (call.args.some((arg) => /^-Dmaven\.deploy\.skip(?:=true)?$|^-Dalt\w*=.*\bfile:/.test(arg)))
    return null;
  const isDeploy = (goal: string): boolean =>
    /^deploy(?:$|:)|^release:perform$|:deploy(?:-file)?$/.test(goal);
  return subcommand(call).some(isDeploy) ? "publish" : null;
};

/** A task may stand behind its project: ":lib:publish". */
const PUBLISHES = /(?:^|:)(?:publish\w*|uploadArchives|closeAndRelease\w*|jib)$/;

const gradle: Rule = (call) => {
  const tasks = subcommand(call);
  if (/^(?:help|tasks)$/.test(tasks[0] ?? "")) return null;
  return tasks.some((task) => PUBLISHES.test(task) && !/Local(?:$|[A-Z])/.test(task))
    ? "publish"
    : null;
};

export const PUBLISH_RULES: Rules = [
  ["cargo", cargo],
  ["docker podman", docker],
  ["mvn mvnw", maven],
  ["gradle gradlew", gradle],
];
