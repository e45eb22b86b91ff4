// Which subcommands of a program are acts, whatever else is told to it?

import { IRREVERSIBLE_ACTIONS, type IrreversibleAction } from "../../core/model/irreversible.ts";
import { subcommand, type Call } from "../shell/call.ts";
import { isLocalCluster, isLocalRegistry } from "./host.ts";
import type { Rule, Rules } from "./rule.ts";

/**
 * Programs and their verbs, which are separated by commas; each is the first words after the program,
 * "a|b" is one word of several, "*" any word. The verb "" is the bare call.
 */
const ROWS: Readonly<Partial<Record<IrreversibleAction, Readonly<Record<string, string>>>>> = {
  push: {
    git: "lfs push, subtree push, svn dcommit, p4 submit, send-pack",
    "hg jj hub": "push, git push",
    svn: "commit|ci|copy|delete|import",
    mkdocs: "gh-deploy",
    "gh-pages": "*",
    lerna: "version",
    // Alone it brings this copy up to date; with a name it writes to that repository.
    gh: "repo sync *",
  },
  message: {
    git: "send-email",
    gh: "pr create|new|merge|close|comment|review|edit|ready|reopen|lock|unlock|update-branch, issue create|new|close|comment|edit|delete|reopen|transfer|pin|unpin|lock|unlock|develop, label create|edit|delete|clone, project create|delete|edit|close|copy|link|unlink|item-add|item-create|item-edit|item-delete|item-archive",
    glab: "mr create|new|merge|accept|close|note|comment|approve|revoke|update|delete|reopen|rebase, issue create|new|close|note|comment|update|delete|reopen",
    hub: "pull-request",
    slack: "chat|file|message send|upload|update|delete",
  },
  publish: {
    "npm pnpm yarn":
      "publish, unpublish, deprecate, undeprecate, dist-tag add|rm, owner add|rm, access set|grant|revoke|public|restricted, npm publish, npm tag add|remove, tag add|remove, workspace * publish, workspace * npm publish, workspaces foreach npm publish",
    "bun deno jsr lerna changeset vsce ovsx maturin opam": "publish",
    sbt: "publish|publishSigned",
    "dart flutter": "pub publish",
    mix: "hex.publish",
    pod: "trunk push",
    "fastlane eas": "deliver|release|submit",
    "poetry uv hatch flit pdm": "publish",
    "twine cabal stack luarocks": "upload",
    "setup.py": "upload, * upload",
    cargo: "publish|yank, workspaces publish",
    gem: "push|yank",
    rake: "release",
    dotnet: "nuget push|delete",
    nuget: "push|delete",
    helm: "push",
    "docker podman": "push, image push, manifest push, compose push, buildx imagetools create",
    "docker-compose crane buildah nerdctl oras": "push",
    "goreleaser nx": "release",
    "semantic-release release-it np": ", *",
    gh: "release create|edit|delete|delete-asset|upload, gist create|edit|delete|rename, repo create|fork|edit|rename|archive|unarchive",
    glab: "release create|upload|delete, snippet create, repo create|fork",
  },
  "drop-data": {
    gh: "repo delete",
    bq: "rm",
    heroku: "pg:reset",
    firebase: "firestore:delete|database:remove",
  },
  deploy: {
    "terraform tofu terragrunt":
      "apply, destroy, import, taint, untaint, force-unlock, state rm|mv|push|replace-provider, workspace delete, run-all apply|destroy",
    "kubectl oc k":
      "apply|delete|create|replace|patch|scale|drain|cordon|uncordon|taint|label|annotate|edit|set|expose|autoscale|run, rollout restart|undo|pause|resume",
    helm: "install|upgrade|uninstall|delete|rollback",
    "docker podman": "stack deploy|rm, service create|update|rm|scale|rollback",
    pulumi: "up|update|destroy|refresh|import|cancel, stack rm, state delete",
    "cdk sam sst serverless sls firebase wrangler":
      "deploy|publish|bootstrap|destroy|remove|delete|rollback, secret put|delete, pages|versions deploy, kv|r2|d1 delete, kv key|bulk put|delete, r2 object|bucket put|delete",
    "netlify fly flyctl railway kamal eb nomad cf supabase":
      "deploy|up|launch|setup|push|terminate|destroy|rollback, secrets set|unset, apps|machine|volumes destroy, scale count|vm|memory, job run|stop, db push, functions deploy|delete",
    heroku: "apps:destroy|config:set|config:unset|ps:scale|releases:rollback|container:release",
    argocd: "app sync|delete|set|create|rollback",
    flux: "reconcile|delete|suspend|resume",
    "eksctl skaffold": "create|delete|run|deploy",
    surge: "* *",
    "cap fab": "deploy, * deploy",
    vercel: ", .|deploy|redeploy|remove|rm|promote|rollback, env|domains|alias add|set|rm|remove",
    gh: "workflow run|enable|disable, run rerun|cancel|delete, cache delete, ssh-key|gpg-key|deploy-key add|delete, repo deploy-key add|delete, secret set|delete|remove, variable set|delete",
    glab: "ci|pipeline run|trigger|retry|cancel|delete, variable set|delete|update",
  },
};

type Verb = readonly ReadonlySet<string>[];

function verbFrom(verb: string): Verb {
  return verb === "" ? [] : verb.split(" ").map((word) => new Set(word.split("|")));
}

function isMeant(verb: Verb, words: readonly string[]): boolean {
  if (verb.length === 0) return words.length === 0;
  return verb.every((one, at) => at < words.length && (one.has("*") || one.has(words[at] ?? "")));
}

/** A cluster of this machine is made anew in a minute, and so is a registry that a test started. */
function isOwn(call: Call, action: IrreversibleAction, cluster: string | null): boolean {
  if (action === "publish") return isLocalRegistry(call);
  return (
    /^(?:kubectl|oc|k|helm|flux|skaffold)$/.test(call.program) && isLocalCluster(call, cluster)
  );
}

export const TABLE_RULES: Rules = IRREVERSIBLE_ACTIONS.flatMap((action) =>
  Object.entries(ROWS[action] ?? {}).map(([programs, row]) => {
    const verbs = row.split(", ").map(verbFrom);
    const rule: Rule = (call, { cluster }) => {
      const words = subcommand(call);
      const isAct = verbs.some((verb) => isMeant(verb, words));
      return isAct && !isOwn(call, action, cluster) ? action : null;
    };
    return [programs, rule] as const;
  }),
);
