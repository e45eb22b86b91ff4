// Which calls are acts by their program, their first words and an option?

import { IRREVERSIBLE_ACTIONS, type IrreversibleAction } from "../../core/model/irreversible.ts";
import { hasLetter, hasOption, setOf, subcommand, type Call } from "../shell/call.ts";

/**
 * Programs and their verbs, which are separated by commas. A verb is the first words after the
 * program: "a|b" is one word of several, "a*" any word that begins so, "*" any word. "--push" is an
 * option that must be there, wherever it stands. The verb "" is every call.
 */
const ROWS: Readonly<Partial<Record<IrreversibleAction, Readonly<Record<string, string>>>>> = {
  push: {
    git: "lfs push, subtree push, svn dcommit",
    "hg jj": "push, git push",
    svn: "commit|ci|copy|delete|import",
    mkdocs: "gh-deploy",
    "gh-pages": "",
    gh: "repo sync *",
  },
  publish: {
    "npm pnpm yarn":
      "publish|unpublish|deprecate, npm publish, dist-tag add|rm, owner add|rm, access set|grant|revoke|public|restricted, workspace * publish, workspace * npm publish, run publish|publish:all",
    "bun deno jsr lerna changeset vsce ovsx poetry uv hatch flit pdm": "publish",
    "dart flutter": "pub publish",
    mix: "hex.publish",
    pod: "trunk push",
    "fastlane eas": "deliver|release|submit",
    "twine cabal stack": "upload",
    cargo: "publish|yank, release --execute",
    gem: "push|yank",
    rake: "release",
    nuget: "push|delete",
    dotnet: "nuget push|delete",
    "mvn mvnw": "deploy, * deploy, release:perform",
    "gradle gradlew": "publish*, clean|build publish*",
    helm: "push",
    "docker podman docker-compose":
      "push, image|manifest|compose push, build --push, buildx build --push",
    "goreleaser nx": "release",
    "semantic-release release-it np": "",
    gh: "release create|edit|delete|upload, gist create|edit|delete, repo create|fork|edit|rename|archive",
    glab: "release create|upload|delete, repo create|fork",
  },
  deploy: {
    "terraform tofu terragrunt":
      "apply|destroy|import|taint, state rm|mv|push, workspace delete, run-all apply|destroy",
    "kubectl oc":
      "apply|delete|create|replace|patch|scale|drain|cordon|set|edit, rollout restart|undo",
    helm: "install|upgrade|uninstall|delete|rollback",
    "docker podman": "stack deploy|rm, service create|update|rm|scale",
    pulumi: "up|update|destroy|import, stack rm",
    "cdk sam sst serverless sls firebase firebase-tools wrangler netlify fly flyctl eb cap fab":
      "deploy|destroy|delete|remove|rollback, pages|versions|functions deploy, secret put|delete, secrets set|unset, apps|machine|volumes destroy",
    "railway supabase": "up, db push, functions deploy|delete",
    heroku: "apps:destroy|config:set|config:unset|ps:scale|container:release",
    vercel: "deploy|redeploy|remove|rm|promote|rollback, --prod",
    argocd: "app sync|delete|set|create|rollback",
    aws: "* rb|mb|rm|deploy|invoke|create-*|delete-*|terminate-*|put-*|modify-*|run-*|stop-*|reboot-*",
    "gcloud az":
      "* rm|create|delete|deploy|update|restart|stop, * * create|delete|update|restart|stop, * * * create|delete",
    "gsutil rclone": "rm|rb|mb|delete|purge",
    "ansible-playbook": "*",
    gh: "workflow run|enable|disable, run rerun|cancel|delete, secret|variable set|delete, ssh-key|deploy-key add|delete",
    glab: "ci|pipeline run|trigger|retry|cancel|delete, variable set|delete|update",
    "npm pnpm": "run deploy|deploy:prod*|deploy:stag*",
    "yarn bun": "deploy|deploy:prod*|deploy:stag*, run deploy|deploy:prod*|deploy:stag*",
    make: "deploy, * deploy",
    "just task rake turbo nx": "deploy, run deploy",
    "deploy.sh deploy.py": "",
  },
  "drop-data": { gh: "repo delete", bq: "rm", heroku: "pg:reset" },
  "delete-history": {
    git: "filter-branch|filter-repo, reflog expire|delete, gc --prune=now, prune",
  },
  disk: {
    shutdown: "now|+*, -h, -r",
    "reboot poweroff halt": "",
    systemctl: "reboot|poweroff|halt|rescue",
    crontab: "-r",
    diskutil: "erase*|partitionDisk|zeroDisk|secureErase|delete*",
    "zpool zfs": "destroy|labelclear",
    "lvremove vgremove pvremove": "*",
  },
  message: {
    git: "send-email",
    gh: "pr create|new|merge|close|comment|review|edit|ready|reopen|lock, issue create|new|close|comment|edit|delete|reopen|transfer|pin|lock, label create|edit|delete, project create|delete|edit|close|item-*",
    glab: "mr create|new|merge|close|note|comment|approve|update|delete|reopen, issue create|new|close|note|comment|update|delete|reopen",
    slack: "chat|file send|upload|update|delete",
    "mail mailx mutt sendmail msmtp": "*",
    aws: "sns|ses|sesv2|sqs send-*|publish*",
  },
};

interface Row {
  readonly action: IrreversibleAction;
  readonly programs: ReadonlySet<string>;
  readonly words: readonly (readonly string[])[];
  readonly options: readonly string[];
}

const ALL: readonly Row[] = IRREVERSIBLE_ACTIONS.flatMap((action) =>
  Object.entries(ROWS[action] ?? {}).flatMap(([programs, verbs]) =>
    verbs.split(", ").map((verb) => {
      const parts = verb.split(" ").filter((part) => part !== "");
      const words = parts.filter((part) => !part.startsWith("-")).map((part) => part.split("|"));
      const options = parts.filter((part) => part.startsWith("-"));
      return { action, programs: setOf(programs), words, options };
    }),
  ),
);

/** Where several rows know a call, the first names it. */
export function tableAct(call: Call): IrreversibleAction | null {
  const words = subcommand(call);
  const row = ALL.find(
    ({ programs, words: verb, options }) =>
      programs.has(call.program) &&
      verb.every((oneOf, at) => oneOf.some((one) => isWord(one, words[at]))) &&
      options.every((option) => isThere(option, call)),
  );
  return row?.action ?? null;
}

function isWord(pattern: string, word: string | undefined): boolean {
  if (word === undefined) return false;
  return pattern.endsWith("*") ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}

function isThere(option: string, { args }: Call): boolean {
  return option.startsWith("--")
    ? args.includes(option) || hasOption(args, new Set([option]))
    : hasLetter(args, option.slice(1));
}
