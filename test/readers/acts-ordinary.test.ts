import { describe, expect, test } from "vitest";

import { found, lines } from "./acts-cases.ts";

/** Each line is one command of ordinary work. */
const ORDINARY: Readonly<Record<string, string>> = {
  "building, testing and installing": String.raw`
    npm ci && npm run build && npm test
    npm install --save-dev vitest
    npm run lint -- --fix
    npm version patch --no-git-tag-version
    npm pack --dry-run
    npm run build:deploy-image
    npm run publish:local
    npm run deploy:local
    npm run predeploy
    yarn install --immutable && yarn workspace core test
    yarn workspaces foreach -A run build
    pnpm -r --filter ./packages/core test
    pnpm deploy --filter=core out
    pnpm dlx create-vite app
    bun test && bun run build
    npx tsc --noEmit && npx vitest run -t "push"
    npx playwright install --with-deps
    cargo build --release && cargo test -- --nocapture
    cargo publish --dry-run
    cargo release minor
    pip install -r requirements.txt
    python -m pytest -k "deploy and not slow"
    python -m build && twine check dist/*
    poetry install && poetry run pytest
    uv sync && uv run pytest -x
    poetry publish --dry-run
    ./gradlew build publishToMavenLocal
    ./gradlew test -x publish
    gradle tasks --all
    mvn -q verify
    mvn install -DskipTests
    go test ./... && go vet ./...
    dotnet build && dotnet test && dotnet publish -c Release
    bundle exec rspec && bundle exec rake test
    make clean && make -j8 test
    make -n deploy
    make deploy-check
    goreleaser release --snapshot --clean
    semantic-release --dry-run
    npx changeset version
    npx lerna run build
    nx release --dry-run
    turbo run build test --filter=web...
    helm package chart && helm lint chart
    gem build shop.gemspec
    apt-get update && apt-get install -y jq && rm -rf /var/lib/apt/lists/*
    time make test
    timeout 60 npm test`,

  "git on this machine": String.raw`
    git status --short && git diff HEAD~1
    git add -A && git commit -m "Push the release, then npm publish"
    git commit --amend --no-edit
    git reset --hard origin/main
    git clean -fd
    git clean -ndx
    git clean -fdx -e .orch
    git clean -fdx packages/web
    git branch -D feature
    git stash push -m wip && git stash drop
    git stash clear
    git rebase -i --autosquash main
    git rebase --exec "npm test" main
    git fetch --all --prune
    git pull --rebase
    git log --grep push --oneline
    git log --all -- deploy/push.sh
    git push --dry-run origin main
    git push -n
    git push --help
    git help push
    git push /tmp/remote.git main
    git push file:///tmp/remote.git HEAD
    git push ./fixtures/remote.git main
    git tag -d v1
    git worktree add ../shop-2 main && git worktree prune
    git worktree remove --force ../shop-2
    git reflog && git reflog show main
    git gc && git gc --auto
    git prune -n
    git update-ref -d refs/heads/tmp
    git update-ref refs/orch/mark HEAD
    git filter-repo --analyze
    git submodule update --init --recursive
    git submodule foreach 'git status'
    git remote add upstream https://github.com/acme/shop.git
    git config user.email a@b.c
    git bisect run npm test
    git checkout -- . && git restore --staged .
    git subtree split --prefix dist
    git for-each-ref refs/orch
    gh repo sync
    hg pull && hg commit -m x
    svn update`,

  "files of the repository, of temporary folders and of caches": String.raw`
    rm -rf dist node_modules
    rm -rf ./*
    rm -rf * && npm ci
    rm -f src/*.js .eslintcache .*.swp
    rm -rf /work/shop/dist
    rm -rf "$PWD/dist"
    rm -rf "$(pwd)/dist" "$(git rev-parse --show-toplevel)/coverage"
    rm -f .git/index.lock
    rm -rf .git/rebase-merge .git/hooks/pre-push
    rm -rf vendor/lib/.git
    rm -rf .github .gitignore
    rm -f .git/refs/heads/main.lock
    rm -rf .orch/session/x1/draft
    rm -rf /tmp/build-* /var/tmp/x
    rm -rf "$TMPDIR/shop" "$\{TMPDIR:-/tmp}/x"
    rm -rf "$BUILD_DIR" "$OUT/"
    rm -rf "$ROOT"/dist
    tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cp -r src "$tmp"
    rm -rf ~/.cache/pip ~/.npm/_cacache ~/.cargo/registry ~/.gradle/caches
    rm -rf "$HOME/.cache/ms-playwright" $XDG_CACHE_HOME/x
    rm -rf ~/Library/Caches/Cypress ~/Library/Developer/Xcode/DerivedData/*
    rm -rf ../shop-2/node_modules ../other/__pycache__
    rm -rf /usr/local/lib/node_modules/shop
    cd packages/web && rm -rf ../core/dist ../../out
    cd /tmp/work && rm -rf * .git
    cd "$SOMEWHERE" && rm -rf ../x
    rm --help
    rmdir ../empty
    find . -name '*.pyc' -delete
    find . -type d -name __pycache__ -exec rm -rf {} +
    find . -name '*.orig' | xargs rm -f
    find . -maxdepth 1 -type f -name '*.log' -delete
    find packages -mindepth 2 -name .git -exec rm -rf {} +
    find src -type f -exec sed -i 's/a/b/' {} \;
    find /etc -name '*.conf' -exec grep -l push {} +
    find /usr -name libssl.so
    git ls-files -z | xargs -0 rm
    mv ~/a.txt ~/b.txt
    cp -r ../other/src vendor/
    echo x >> ~/.shoprc
    rsync -a --delete dist/ out/
    rsync -a --delete dist/ /tmp/out/
    rsync -a --delete build/ "$TARGET/"
    rsync -an --delete dist/ /srv/www/
    shred -u secrets.env
    unlink out/current
    rimraf dist coverage
    truncate -s 0 out.log`,

  "containers, clusters and plans": String.raw`
    docker build -t shop . && docker run --rm -p 3000:3000 shop npm test
    docker compose up -d && docker compose down -v
    docker compose exec db psql -U postgres -c 'DROP DATABASE shop'
    docker exec -it shop rm -rf /var/lib/data
    docker run --rm alpine sh -c 'rm -rf / && reboot'
    docker rm -f web && docker volume rm shop_data && docker system prune -af
    docker push localhost:5000/shop:dev
    docker image ls | grep push
    docker login ghcr.io -u x
    docker buildx build -t shop --load .
    podman pull alpine
    helm template ./chart | kubectl apply --dry-run=client -f -
    helm upgrade shop ./chart --install --dry-run
    helm install shop ./chart --kube-context kind-dev
    helm list -A
    oc get pods; ansible-playbook site.yml --check; rclone copy a:b .; heroku config; vercel env pull
    kubectl get pods -n shop -w
    kubectl describe deploy web && kubectl logs -f web-0
    kubectl rollout status deploy/web
    kubectl config use-context staging
    kubectl config delete-context old
    kubectl diff -f k8s/
    kubectl delete pod web-0 --dry-run=server
    kubectl --context kind-dev apply -f k8s/
    kubectl --context=minikube delete ns test
    kind create cluster && kubectl apply -f k8s/
    minikube start; kubectl create ns test
    kubectl config use-context docker-desktop && kubectl apply -f k8s/
    terraform init && terraform plan -destroy
    terraform apply -help
    terraform fmt -recursive && terraform validate
    terraform state list && terraform output -json
    pulumi preview
    cdk synth && cdk diff
    sam build && sam local invoke
    serverless offline
    vercel build && vercel dev
    vercel env pull .env.local
    vercel ls
    netlify dev
    fly status && fly logs
    firebase emulators:start
    wrangler dev && wrangler deploy --dry-run
    railway run npm test
    eb status`,

  "reading from clouds and hosts": String.raw`
    aws s3 ls s3://acme-shop
    aws s3 cp s3://acme-shop/a.json .
    aws s3 sync s3://acme-shop ./data
    aws s3 rm s3://acme-shop --recursive --dryrun
    aws ec2 describe-instances
    aws logs start-query --log-group-name x
    aws eks update-kubeconfig --name shop
    aws configure set region eu-west-1
    aws --endpoint-url http://localhost:4566 s3 mb s3://test
    aws --endpoint-url=http://127.0.0.1:4566 sqs send-message --queue-url x
    AWS_ENDPOINT_URL=http://localhost:4566 aws dynamodb create-table --table-name t
    aws sts get-caller-identity
    gcloud config set project shop
    gcloud auth login
    gcloud compute instances list
    gcloud container clusters get-credentials shop
    gcloud storage cp gs://acme/x.json .
    gcloud logging read 'resource.type=x'
    az account set -s x
    az group list -o table
    az deployment group what-if -g x -f main.bicep
    gsutil ls gs://acme
    gsutil cp gs://acme/x .
    ssh -T git@github.com
    ssh localhost uptime
    ssh web-1 'tail -n 100 /var/log/nginx/error.log | grep 500'
    ssh web-1 df -h
    ssh web-1 env LANG=C df -h
    ssh web-1 env
    ssh -N -L 5432:db:5432 web-1
    ssh web-1
    ssh-keygen -t ed25519 -f key -N ''
    scp web-1:/var/log/app.log .
    scp -P 2222 -r dist localhost:/srv
    rsync -az web-1:/srv/data ./data
    rsync -azn dist/ web-1:/srv/`,

  "talking to servers": String.raw`
    curl -fsSL https://example.com/install.sh -o install.sh
    curl https://api.example.com/orders?state=push
    curl -I https://example.com
    curl -G -d q=x https://api.example.com/search
    curl -X GET -H 'Accept: application/json' https://api.example.com
    curl -X POST localhost:3000/orders -d '{"a":1}'
    curl -X POST http://127.0.0.1:8080/orders --data @order.json
    curl -XDELETE 'http://[::1]:9200/test-index'
    curl --json '{}' http://app.localhost:3000/api
    curl -X POST http://api:8080/orders -d x
    curl -d x "http://localhost:$PORT/orders"
    curl -d x "$BASE_URL/orders"
    curl -d x "$\{BASE_URL:-http://localhost:3000}/orders"
    curl --unix-socket /var/run/docker.sock -X POST http://localhost/containers/create
    curl -X "$METHOD" https://api.example.com
    curl -d x --output out.json localhost:3000/x
    curl -sd x -o out.example.json localhost:3000/x
    curl --resolve shop.example.com:443:127.0.0.1 -d x https://shop.example.com/
    wget -q https://example.com/a.tgz
    wget --post-data x http://localhost:3000
    http GET https://api.example.com q==x
    http :3000/orders name=x
    http POST localhost:3000/orders name=x
    http --offline POST https://api.example.com a=b
    gh pr view 12 --json state
    gh pr list --search "merge" && gh pr checkout 12 && gh pr diff
    gh issue view 3 --comments
    gh issue list --label push
    gh run watch && gh run view --log
    gh api repos/acme/shop/issues
    gh api -X GET search/issues -f q=push
    gh api graphql -f query='query { viewer { login } }'
    gh release view v1 && gh release download v1
    gh repo clone acme/shop && gh repo view
    gh auth status
    glab mr list && glab mr view 3
    glab ci status
    mail
    npm view shop dist-tags && npm dist-tag ls shop
    npm whoami && npm owner ls shop
    npm publish --dry-run
    npm publish --registry http://localhost:4873
    npm_config_registry=http://localhost:4873 npm publish
    twine upload --repository-url http://localhost:8080 dist/*
    dotnet nuget push out/x.nupkg -s ./feed
    slack --version`,

  "databases on this machine, and what changes no data elsewhere": String.raw`
    psql -c 'DROP TABLE users'
    psql -h localhost -U postgres -c 'drop database if exists test'
    psql postgres://u:p@127.0.0.1:5432/test -c 'truncate users'
    psql -h db -c 'drop table a'
    psql "$TEST_DATABASE_URL" -c 'drop schema public cascade'
    psql "$\{DATABASE_URL:-postgres://localhost/shop}" -c 'drop table a'
    psql -d shop_test -f reset.sql
    psql -h db.example.com -c 'SELECT * FROM users'
    psql -h db.example.com -c "DELETE FROM users WHERE id = 3"
    psql -h db.example.com -c "select 'drop table users'"
    psql -h db.example.com -c "-- drop table users"
    psql -h db.example.com -c "begin; delete from users; rollback"
    psql "$DATABASE_URL" -c '\dt'
    psql production -c 'drop table a'
    psql -d "$DB_NAME" -c 'drop schema public cascade'
    psql -h 172.17.0.2 -U postgres -c 'drop table a'
    pg_restore --clean -d app dump
    PGHOST=localhost psql -c 'drop table a'
    dropdb --if-exists shop_test && createdb shop_test
    dropdb -h localhost shop_test
    mysql -u root -e 'DROP DATABASE IF EXISTS test; CREATE DATABASE test'
    mysql -h 127.0.0.1 -e 'truncate users'
    mysql -h db.example.com -e 'show tables'
    sqlite3 data/dev.db 'DROP TABLE users'
    mongosh --eval 'db.dropDatabase()'
    mongosh mongodb://localhost/test --eval 'db.users.deleteMany({})'
    mongosh mongodb+srv://c.example.net/a --eval 'db.users.find({})'
    redis-cli flushall
    redis-cli -h redis.example.com get key
    bin/rails db:drop db:create db:migrate
    RAILS_ENV=test bundle exec rake db:reset
    npx prisma migrate reset --force
    DATABASE_URL=postgres://localhost/test npx prisma migrate reset --force
    php artisan migrate:fresh --seed
    python manage.py flush --no-input`,

  "the machine": String.raw`
    dd if=/dev/zero of=disk.img bs=1M count=10
    dd if=/dev/urandom of=/dev/null count=1
    mkfs.ext4 disk.img
    fdisk -l /dev/sda
    lsblk && parted /dev/sda print
    shutdown -c
    systemctl status nginx
    crontab -l
    chmod -R 755 scripts && chmod +x /tmp/x
    chmod 600 ~/.ssh/config
    chown -R node:node . ~/.npm /tmp/x
    kill -9 1234
    kill -1 1234
    pkill -f vite && killall node
    ls 2>/dev/null >/dev/stdout
    sudo -l
    command -v git && which npm`,

  "words that only look like acts": String.raw`
    echo "git push"
    echo git push origin main
    printf 'rm -rf /\n'
    grep 'npm publish' README.md
    rg -n "kubectl apply|terraform destroy" docs
    sed -n '/git push/p' release.sh
    awk '/reboot/ { print }' log.txt
    cat docs/git-push.md
    ls deploy/ && cat deploy/push.sh
    bash -n deploy.sh
    shellcheck scripts/push.sh
    node scripts/push.js
    alias gp='git push'
    type git push
    man git-push
    test "$1" = push && echo yes
    [ "$cmd" = "git push" ] || exit 0
    [[ $cmd == "git push" && $x < y ]] && echo yes
    (( push << 2 )); echo $(( 1 << 3 ))
    export CMD="git push"
    words=(git push origin) && echo "$\{words[@]}"
    MESSAGE="rm -rf /" npm test
    case "$1" in start|stop|reboot) echo "$1" ;; esac
    for word in push publish reboot; do echo "$word"; done
    # git push
    true # && git push
    python -c 'import os; print("git push")'
    node -e "console.log('npm publish')"
    jq '.scripts.deploy' package.json
    npm pkg get scripts.publish
    vim +/push src/a.ts
    touch reboot && cp reboot shutdown
    ./reboot.sh.bak
    echo > push`,

  "repositories that the script made": String.raw`
    T=$(mktemp -d); git init --bare $T/remote.git; git -C $T clone remote.git work; git -C $T/work push origin HEAD:main
    cd $(mktemp -d) && git init --bare r.git && git clone r.git w && cd w && git push
    cd "$(mktemp -d -t shop)" && git init && git remote add origin ../r.git && git push -u origin main
    cd /tmp/x && git init -q && git remote add origin ../remote.git && git push -q origin main
    T=$(mktemp -d) && git push "$T/remote.git" main
    T="$(mktemp -d /tmp/shop.XXXX)"; git push "$T" main
    cp -r . /tmp/copy && cd /tmp/copy && git filter-branch --tree-filter 'rm -f a' HEAD
    git -C /tmp/copy filter-repo --path src
    git worktree add ../shop-fix main && cd ../shop-fix && rm -rf src docs
    git worktree add -b fix ../shop-fix && rm -rf ../shop-fix
    rm -rf ../sibling/dist ../sibling/target/* ~/projects/api/.venv`,

  "tasks of a project that is called deploy": String.raw`
    nx test deploy
    nx lint deploy-cli
    nx serve deploy
    nx run deploy:serve
    pnpm nx build deploy
    nx run-many -t build -p deploy
    just test deploy
    task test -- deploy
    rake spec deploy_spec
    poe test deploy
    turbo run deploy --dry
    turbo run deploy --dry=json
    pnpm run publish-types
    gradle tasks --group publishing
    ./gradlew help --task publish
    bash -n scripts/deploy.sh
    ./deploy.sh --help
    ./deploy.sh --dry-run
    ./scripts/deploy.sh local
    ./scripts/deploy-docs.sh
    cat deploy.sh && chmod +x deploy.sh`,

  "programs in containers, which only look": String.raw`
    kubectl exec web-0 -- ls /srv
    kubectl exec web-0 -n prod -- cat /etc/hosts
    kubectl exec deploy/web -c app -- env
    kubectl exec web-0 -- psql -c 'select 1'
    kubectl exec web-0 -- sh -c 'ps aux | grep node'
    kubectl exec -it web-0 -- bash
    kubectl exec cache-0 -- redis-cli -n 1 get orders
    kubectl exec web-0 -- node -v && kubectl exec web-0 -- curl -s localhost:8080/health
    kubectl cp web-0:/srv/x ./x
    kubectl --context kind-dev exec web-0 -- rm -rf /data
    docker --context prod ps
    docker --context prod compose logs web
    docker --context colima compose up -d
    docker --context default rm -f web
    DOCKER_HOST=unix:///run/user/1000/docker.sock docker compose up -d
    DOCKER_HOST=tcp://docker:2375 docker run --rm alpine
    DOCKER_HOST=ssh://deploy@prod docker ps
    docker run -c 512 --rm alpine true
    docker run --rm -v "$PWD:/app" -w /app node:20 npm test
    docker run --rm -e A=b node:20 npm publish --dry-run
    docker exec kind-control-plane kubectl apply -f /x.yml
    docker compose exec app curl -X POST https://api.example.com/orders
    docker run --rm node:20 sh -c 'rm -rf /srv; npm pack'`,

  "rehearsals, and options that only tell": String.raw`
    kubectl label pod x --list
    kubectl set image --local -f x.yml web=web:2 -o yaml
    kubectl run tmp --image=busybox --rm -it -- sh
    KUBECONFIG=/tmp/kind.yaml kubectl apply -f x
    kubectl --kubeconfig ./kind-config.yml apply -f x
    cdk bootstrap --show-template
    pulumi refresh --preview-only
    gh issue develop --list 3
    gh cache list && gh ssh-key list
    vercel -v
    fly scale show
    fly deploy --build-only
    ssh web-1 'systemctl status nginx'
    ssh web-1 'docker ps && docker logs web'
    ssh web-1 'git -C /srv log -1'
    ssh web-1 'sudo journalctl -u web'
    script -qc "npm test" out.txt`,

  "servers that are containers, or in the same house": String.raw`
    aws --endpoint-url http://localstack:4566 s3 mb s3://x
    AWS_ENDPOINT_URL=http://localstack:4566 aws s3 mb s3://x
    npm publish --registry=http://verdaccio:4873
    npm publish --registry http://verdaccio:4873
    docker push registry:5000/x
    docker push kind-registry:5000/x
    curl -d x http://10.0.0.7:8080/orders
    curl -X POST http://192.168.1.20/api
    curl -X DELETE 172.16.3.4:9200/index
    curl -d x http://shop.lvh.me:3000/orders
    curl -d x http://shop.localtest.me/orders
    curl -d x http://orders.internal/api
    curl -d '{"query":"{ users { id } }"}' https://api.example.com/graphql
    curl -X POST --json '{"query": "query { me { id } }"}' https://api.example.com/graphql`,

  "caches, and what a redirect may write": String.raw`
    rm -rf ~/.ccache ~/.conan ~/.conan2/p ~/.jest-cache ~/.expo ~/.metro
    rm -rf ~/.gradle/caches ~/.gradle/configuration-cache ~/.gradle/daemon ~/.gradle/notifications
    rm -rf ~/.local/share/uv ~/.local/share/mise ~/.nvm/versions/node/v18 ~/.pyenv/versions/3.9
    rm -rf ~/.rustup/toolchains/nightly ~/.bundle ~/.cargo/bin/x ~/go/bin/x ~/go/pkg
    npm test > /tmp/out.log 2>&1
    npm test > ../out.log
    date > ~/out.txt
    npm test > out.log 2> "$TMPDIR/err.log"
    npm test &> "$LOG"
    echo x >> ~/.bashrc
    echo 1 > /proc/self/oom_score_adj
    truncate -s 0 /tmp/x.log
    chmod -R 755 /usr/local/bin/x
    chmod -R go-rwx ~/.ssh
    chown -R node /opt/app
    mv dist /tmp/dist.old
    mv /tmp/x ../x
    mv .git/index.lock /tmp/
    mv .env.example .env`,
};

describe.each(Object.entries(ORDINARY))("ordinary: %s", (_title, text) => {
  test.each(lines(text))("%s", (script) => {
    expect(found(script)).toBeNull();
  });
});
