// Which calls hand a package, an image or a release to everybody?

import { each, hasLetter, hasOption, optionValues, positionals, setOf } from "../shell/call.ts";
import type { Call, Rule, Rules } from "../shell/call.ts";
import { namesNear } from "./host.ts";
import { rulesFrom, subcommand } from "./verb-table.ts";
import type { VerbRow } from "./verb-table.ts";

const ROWS: readonly VerbRow[] = [
  [
    "npm pnpm yarn",
    "publish, unpublish, deprecate, undeprecate, dist-tag|dist-tags add|rm, owner add|rm|remove, access set|grant|revoke|public|restricted, npm publish, npm tag add|remove, tag add|remove, workspace * publish, workspace * npm publish, workspaces foreach npm publish",
    "publish",
  ],
  ["bun deno jsr lerna changeset beachball", "publish", "publish"],
  ["auto", "shipit|release|canary|next|latest", "publish"],
  ["release-please", "release-pr|manifest-pr|github-release|manifest-release|release", "publish"],
  ["vsce ovsx", "publish|unpublish", "publish"],
  ["web-ext", "sign", "publish"],
  ["cargo", "publish|yank, workspaces|ws publish", "publish"],
  ["twine maturin cabal stack luarocks anaconda snapcraft", "upload", "publish"],
  ["gem", "push|yank", "publish"],
  ["rake", "release", "publish"],
  ["poetry uv hatch flit pdm rye maturin opam nimble spago elm", "publish", "publish"],
  ["snapcraft", "push|release|close", "publish"],
  ["helm", "push", "publish"],
  ["mix", "hex.publish|hex.retire", "publish"],
  ["dart flutter", "pub publish|lish", "publish"],
  ["pod", "trunk push|delete|deprecate, repo push", "publish"],
  ["dotnet", "nuget push|delete", "publish"],
  ["nuget", "push|delete", "publish"],
  ["goreleaser", "release", "publish"],
  [
    "docker podman nerdctl",
    "push, image push, manifest push, compose push, buildx imagetools create",
    "publish",
  ],
  ["docker-compose buildah dvc cachix", "push", "publish"],
  ["crane", "push|copy|cp|tag|delete|append|mutate", "publish"],
  ["oras", "push|copy|cp|attach, manifest push|delete", "publish"],
  ["huggingface-cli hf", "upload|upload-large-folder, repo create|delete", "publish"],
  ["kaggle", "datasets create|version|delete, kernels push, competitions submit", "publish"],
  ["clasp", "push|deploy|undeploy", "publish"],
  ["eas", "submit|update", "publish"],
  ["expo", "publish", "publish"],
  ["ansible-galaxy", "collection publish, role import|delete", "publish"],
  ["quarto", "publish", "publish"],
  [
    "gh",
    "release create|edit|delete|delete-asset|upload, gist create|edit|delete|rename",
    "publish",
  ],
  ["gh", "repo create|fork|edit|rename|archive|unarchive", "publish"],
  ["glab", "release create|upload|delete, snippet create, repo create|fork", "publish"],
  ["tea", "releases|release create|edit|delete", "publish"],
  ["hub", "release create|edit|delete, create, fork, gist create", "publish"],
];

/**
 * "localhost:5000/image", `--registry http://verdaccio:4873`: a registry that a test started. For
 * NuGet, a folder is one.
 */
function isLocalRegistry({ program, args, env }: Call): boolean {
  const variable = env("npm_config_registry") ?? env("NPM_CONFIG_REGISTRY");
  if (namesNear(args) || (variable !== null && namesNear([variable]))) return true;
  const sources = /^(?:nuget|dotnet)$/.test(program) ? "-s --source -Source" : "";
  return optionValues(args, sources).some((one) => /^[./~]/.test(one));
}

function away(rule: Rule): Rule {
  return (call) => (isLocalRegistry(call) ? null : rule(call));
}

/** These do one thing. */
const always: Rule = () => "publish";

/** `cargo release` and `cargo smart-release` only tell, until they are told to do it. */
const cargo: Rule = ({ args }) => {
  const [verb = "", second = ""] = positionals(args);
  if (verb === "owner") return hasOption(args, setOf("--add --remove -a -r")) ? "publish" : null;
  if (!/^(?:release|smart-release)$/.test(verb) || /^(?:changes|config|hook)$/.test(second))
    return null;
  return hasOption(args, setOf("--execute -x")) ? "publish" : null;
};

const docker: Rule = ({ args }) => {
  const isBuild = positionals(args).some((word) => /^(?:build|buildx|bake)$/.test(word));
  const sends = optionValues(args, "-o --output").some((one) =>
    /type=registry|push=true/.test(one),
  );
  return isBuild && (sends || hasOption(args, setOf("--push"))) ? "publish" : null;
};

const skopeo: Rule = ({ args }) => {
  const words = positionals(args, setOf("--src-creds --dest-creds --authfile -a"));
  const [verb = ""] = words;
  if (verb === "delete") return "publish";
  return /^(?:copy|sync)$/.test(verb) && words.at(-1)?.startsWith("docker://") ? "publish" : null;
};

const maven: Rule = ({ args }) => {
  if (args.some((arg) => /^-Dmaven\.deploy\.skip(?:=true)?$|^-Dalt\w*=.*\bfile:/.test(arg)))
    return null;
  const goals = positionals(args, setOf("-f --file -pl --projects -P -s --settings -T -l -b -rf"));
  return goals.some((goal) => /^deploy(?:$|:)|^release:perform$|:deploy(?:-file)?$/.test(goal))
    ? "publish"
    : null;
};

/** A task may stand behind its project: ":lib:publish". */
const PUBLISHES =
  /(?:^|:)(?:publish\w*|uploadArchives|closeAndRelease\w*|bintrayUpload|jreleaser(?:Full)?Release|jib)$/;

const gradle: Rule = (call) => {
  const tasks = subcommandsOf(call);
  if (/^(?:help|tasks)$/.test(tasks[0] ?? "")) return null;
  return tasks.some((task) => PUBLISHES.test(task) && !/Local(?:$|[A-Z])/.test(task))
    ? "publish"
    : null;
};

function subcommandsOf({ args }: Call): readonly string[] {
  return positionals(
    args,
    setOf("-p -b -c -x -I -g --project-dir --build-file --exclude-task --init-script"),
  );
}

const sbt: Rule = ({ args }) =>
  args.some((arg) =>
    /(?:^|[\s;/:+])(?:publish|publishSigned|sonatype\w*Release|release)$/.test(arg.slice(0, 500)),
  )
    ? "publish"
    : null;

const setupPy: Rule = ({ args }) => (args.includes("upload") ? "publish" : null);

/** Without `--publish` a rehearsal. */
const rush: Rule = ({ args }) =>
  args[0] === "publish" && (hasOption(args, setOf("--publish")) || hasLetter(args, "p"))
    ? "publish"
    : null;

const nx: Rule = (call) => {
  const [verb = "", second = ""] = subcommand(call);
  if (verb !== "release" || /^(?:plan|plan:check|changelog|version)$/.test(second)) return null;
  return hasOption(call.args, setOf("--skip-publish")) ? null : "publish";
};

const fastlane: Rule = ({ args }) =>
  args.some((arg) => /^(?:deliver|pilot|supply|release|beta|deploy|upload_to_\w{1,40})$/.test(arg))
    ? "publish"
    : null;

const SPECIAL: Rules = {
  ...each("semantic-release release-it np clean-publish multi-semantic-release", always),
  cargo,
  ...each("docker podman nerdctl", docker),
  skopeo,
  ...each("mvn mvnw mvnd", maven),
  ...each("gradle gradlew", gradle),
  sbt,
  "setup.py": setupPy,
  rush,
  nx,
  fastlane,
};

export const PUBLISH_RULES: readonly Rules[] = [rulesFrom(ROWS), SPECIAL].map((rules) =>
  Object.fromEntries(Object.entries(rules).map(([program, rule]) => [program, away(rule)])),
);
