// Which options of a program take the next word, so that the word is no subcommand?

import { setOf } from "./call.ts";

const NPM =
  "--prefix -C -w --workspace --registry --tag --access --otp --userconfig --loglevel --cache --cwd --scope";
const KUBE =
  "-n --namespace --context --kube-context --kubeconfig --cluster --user -s --server --token --as -l --selector -v";

/** Those that stand before the subcommand, or beside it. */
const ROWS: Readonly<Record<string, string>> = {
  "git hub": "-C -c --git-dir --work-tree --exec-path --namespace --super-prefix --config-env",
  "gh glab tea": "-R --repo --hostname",
  npm: NPM,
  yarn: "--cwd --include --exclude --from -j --jobs",
  pnpm: "-C --dir -F --filter --filter-prod --registry --tag --loglevel --reporter --workspace-concurrency",
  bun: "--cwd --filter -F --env-file",
  cargo: "-C --manifest-path --config -Z -p --package --color --registry",
  "docker podman nerdctl":
    "-H --host -c --context --config -l --log-level -f --file -p --project-name --profile --env-file --url",
  "docker-compose": "-H --host -f --file -p --project-name --profile --env-file",
  "kubectl oc helm k": KUBE,
  helmfile:
    "-f --file -e --environment -l --selector -n --namespace --kube-context --state-values-set",
  "skaffold argocd flux": `${KUBE} -f --filename -p --profile --auth-token`,
  "pulumi terragrunt": "-C --cwd -s --stack --color --working-dir --terragrunt-working-dir",
  "cdk cdktf": "-a --app -c --context --profile -o --output",
  sam: "-t --template --config-file --config-env --region --profile",
  "serverless sls osls": "-s --stage -r --region -c --config --aws-profile -p --package --param",
  "vercel vc":
    "--cwd -t --token -S --scope -A --local-config -Q --global-config -e --env -b --build-env -m --meta",
  "netlify ntl": "-d --dir -s --site --auth --filter -m --message --alias -f --functions --context",
  "fly flyctl": "-a --app -c --config -t --access-token",
  heroku: "-a --app -r --remote -t --team -n --num",
  firebase: "-P --project --only --config --except -m --message --token",
  "wrangler supabase": "-c --config -e --env --cwd --project-ref --workdir",
  railway: "-s --service -e --environment -p --project",
  "kamal mrsk": "-d --destination -c --config-file -h --hosts -r --roles",
  "aws awslocal":
    "--profile --region --endpoint-url --output --query --ca-bundle --color --cli-read-timeout --cli-connect-timeout",
  gcloud:
    "--project --account --configuration --format --verbosity --region --zone --impersonate-service-account",
  az: "--subscription --query -o --output -g --resource-group",
  gsutil: "-o -h -u -i",
  "poetry uv pdm hatch": "-C -P --directory --project -p -e --env",
  "make gmake": "-C -f -I -o -W --directory --file --makefile",
  just: "-f --justfile -d --working-directory --set",
  "rake rails": "-f -e --environment -C --directory",
  "mvn mvnw mvnd":
    "-f --file -pl --projects -P --activate-profiles -s --settings -T --threads -l --log-file -b --builder",
  "gradle gradlew":
    "-p --project-dir -b --build-file -c --settings-file -x --exclude-task -I --init-script -g --gradle-user-home",
  twine: "-r --repository --repository-url -u --username -p --password --config-file -c --comment",
  gem: "--host -k --key -C",
  "psql pgcli":
    "-h -p -U -d -c -f -v -o -P -F -R -T -L --host --port --username --dbname --command --file --set --output",
  cqlsh: "-u --username -p --password -k --keyspace -e --execute -f --file",
  "redis-cli valkey-cli": "-h -p -s -a -u -n -r -i -x --user --pass --cacert --cert --key",
  "mongosh mongo":
    "--host --port -u --username -p --password --eval -f --file --authenticationDatabase --tls --shell",
  doctl: "-t --access-token --context -c --config -u --api-url -o --output",
  nomad: "-address -namespace -region -token",
  "nx turbo": "--filter -F --projects -p --parallel -t",
  jira: "-c --config -p --project",
  ansible:
    "-i --inventory -m --module-name -a --args -u --user -l --limit -e --extra-vars -f --forks -c --connection",
};

const VALUED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(ROWS).flatMap(([programs, options]) =>
    programs.split(" ").map((program) => [program, setOf(options)] as const),
  ),
);

const NONE: ReadonlySet<string> = new Set();

export function valuedOptions(program: string): ReadonlySet<string> {
  return VALUED.get(program) ?? NONE;
}
