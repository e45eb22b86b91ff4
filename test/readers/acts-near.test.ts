import { describe, expect, test } from "vitest";

import { found, lines } from "./acts-cases.ts";

/** Each line is one command of ordinary work that an act looks much like. */
const NEAR: Readonly<Record<string, string>> = {
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

describe.each(Object.entries(NEAR))("ordinary: %s", (_title, text) => {
  test.each(lines(text))("%s", (script) => {
    expect(found(script)).toBeNull();
  });
});
