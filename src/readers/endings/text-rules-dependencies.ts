// Which words tell of something that is not installed, and can the agent install it inside the workspace?

import { pattern } from "./pattern.ts";
import type { TextRule } from "./text-rule.ts";

/** Command line tools that come from a project's own package manager. */
const PROJECT_TOOLS = `(?:${[
  "tsc tsx ts-node eslint prettier biome oxlint vitest jest mocha ava nyc c8 webpack vite",
  "rollup rolldown esbuild parcel next nuxt astro turbo nx lerna rimraf cross-env",
  "concurrently nodemon husky lint-staged playwright cypress storybook prisma drizzle-kit",
  "wrangler ng gulp grunt pytest py\\.test ruff black isort flake8 mypy pyright pylint tox",
  "nox coverage poetry pdm uv pipenv hatch pre-commit alembic uvicorn gunicorn celery",
  "mkdocs sphinx-build cargo-\\w+ rspec rubocop rake phpunit phpstan golangci-lint gofumpt",
  "mockgen stylelint commitlint knip swc babel sass tailwindcss serve http-server pnpm",
  "yarn",
]
  .join(" ")
  .replaceAll(" ", "|")})`;

export const DEPENDENCY_RULES = [
  {
    id: "publish-refused",
    type: "missing_dependency",
    class: "hard",
    any: [/\b404 not found - put\b|\bnpm (?:err!|error) 404\b.{0,200}\bput http/],
    unless: null,
  },
  {
    id: "private-registry",
    type: "missing_dependency",
    class: "hard",
    any: [
      /\bmathlib\b.{0,40}\b(?:has|contains) no\b/,
      pattern`
        \b(?:library|mathlib|framework|sdk) (?:has|offers|provides|
        contains) no (?:\w+ ){0,3}(?:lemma|theorem|function|api|support)`,
      pattern`
        \b(?:private|internal) (?:package|registry|module|repository)\b.{0,80}\b(?:not|no|
        denied|unavailable|unreachable|missing)\b`,
    ],
    unless: null,
  },
  {
    id: "project-tool",
    type: "missing_dependency",
    class: "soft",
    any: [
      new RegExp(`(?:^|[\\s'"\`:])${PROJECT_TOOLS}['"\`]?: (?:command )?not found\\b`),
      new RegExp(`\\bcommand not found: ${PROJECT_TOOLS}\\b`),
      new RegExp(`\\bcommand ['"\`]${PROJECT_TOOLS}['"\`] not found\\b`),
      new RegExp(`'${PROJECT_TOOLS}' is not recognized as an internal`),
      new RegExp(`\\b(?:spawn ${PROJECT_TOOLS} enoent|no module named ${PROJECT_TOOLS})\\b`),
      /\bplaywright install\b(?!-deps)|\bexecutable doesn't exist at\b.{0,200}\bplaywright/,
      /\bbrowser(?:s)? (?:was|were) not (?:found|installed)\b/,
    ],
    unless: /\binstall-deps\b|\bhost system is missing dependencies/,
  },
  {
    id: "package-not-installed",
    type: "missing_dependency",
    class: "soft",
    any: [
      /\bmodulenotfounderror\b|\bno module named\b|\bimporterror: no module\b/,
      pattern`
        \bcannot find (?:module|package) ['"\`](?![./\\]|[a-z]:\\)(?!\S{0,200}/(?:tmp|home|
        work|src|dist|build|var)/)`,
      /\bcan't resolve ['"](?![./\\@]|@\/)[\w@]/,
      pattern`
        \b(?:could not|cannot|failed to) resolve (?:import |module |
        entry module )?["'](?![./\\]|@/|~)[\w@]`,
      /\berr_module_not_found\b.{0,60}\bpackage\b|\bcannot find package\b/,
      /\bplease install\b|\bnode_modules (?:is |are )?(?:missing|not found|absent)\b/,
      /\bdid you mean to install\b|\binstall (?:it|them) (?:with|using|via|by|first)\b/,
      pattern`
        \brun [\`'"]?(?:npm|pnpm|yarn|pip|poetry|uv|bundle|composer|cargo|go|mix|dotnet|
        flutter|pod) (?:ci|i|install|get|add|sync|restore|mod (?:tidy|download)|deps\.get|
        fetch)\b`,
      pattern`
        \b(?:peer )?dep(?:endency|endencies|s)?\b.{0,60}\b(?:not installed|not found|
        missing|unmet|unresolved|could not be (?:found|resolved)|conflict\w*|
        incompatible)\b`,
      pattern`
        \b(?:missing|unmet|unsatisfied|unresolvable|
        conflicting) (?:peer )?(?:dep(?:endency|endencies|s)?|packages?|requirements?|
        gems?|crates?|modules?)\b`,
      /\bundefined package\b/,
      /\bno matching (?:version|distribution|package)\b/,
      /\bcould not find a version that satisfies|\bresolutionimpossible\b/,
      /\bconflicting dependencies\b|\bversion conflict\b|\bversion solving failed\b/,
      /\bunable to resolve dependency tree\b|\beresolve\b|\betarget\b|\bnotarget\b/,
      /\bfailed to select a version\b/,
      pattern`
        \bcould not (?:find|resolve) (?:compatible versions|artifact|gem|all (?:files|
        dependencies|artifacts))`,
      /\bno versions? (?:of|for|matching)\b.{0,80}\b(?:match|satisf|found|available)/,
      /\bno candidate version/,
      /\bin sync\b.{0,200}\block/,
      pattern`
        \block ?file\b.{0,80}\b(?:out of (?:date|sync)|needs to be updated|
        is not up[- ]to[- ]date|outdated|does not (?:match|satisfy)|mismatch)`,
      /\bfrozen-lockfile\b|\bmissing go\.sum entry\b|\bupdates to go\.mod needed\b/,
      /\bpackage\.json and package-lock\.json\b|\berr_pnpm_outdated_lockfile\b/,
      /\brequirements? .{0,60}not satisfied/,
      /\be404\b|\b404 not found - get\b|\bis not in (?:this|the npm) registry\b/,
      /\bcould not find package\b/,
      /\bpackage ['"`]?[@\w/.-]{1,100}['"`]? (?:was |is )?not found\b|\bno such package\b/,
      /\bunable to find package\b|\bcannot find package\b/,
      /\bno required module provides package\b|\bis not in std\b|\bcould not find gem\b/,
      /\bcould not find [`'][\w-]{1,60}[`'] in (?:registry|any of)/,
      /\bpackage .{1,80} does not exist\b|\bunresolved import `?(?!crate|super|self)/,
      /\bcan't find crate for\b|\bno such crate\b|\buse of undeclared crate\b/,
      /\bno such extension\b|\blibrary '?[\w-]{1,60}'? not found in (?:lakefile|manifest)/,
      /\bunknown package\b|\bunknown module prefix\b/,
      pattern`
        \brequires? (?:the )?['"\`]?[\w@/.-]{1,60}['"\`]? (?:package|library|module|gem|
        crate|plugin|extra)s?\b.{0,40}\b(?:to be installed|installed|install|but|which)`,
      /\bfailed to load (?:plugin|config|parser|preset)\b.{0,120}\bcannot find\b/,
      /\bplugin ['"`]?[\w@/-]{1,80}['"`]? (?:was )?not found\b/,
      /\bcouldn't find the (?:plugin|preset|config)\b|\bno such plugin\b/,
    ],
    unless: pattern`
        \b(?:lib[\w+-]{1,40}\.so|linker|pkg-config|apt-get install|apt install|
        brew install|yum install|dnf install|not in your path|docker)\b`,
  },
  {
    id: "system-package",
    type: "missing_dependency",
    class: "hard",
    any: [
      /\bcommand not found\b|(?:^|[\s:])[\w.+-]{1,60}: not found(?:$|\s)/,
      /\bis not recognized as an internal or external\b/,
      /\bcommand ['"`]?[\w.+-]{1,60}['"`]? (?:was )?not found\b/,
      pattern`
        \bis not (?:installed|on (?:your |the )?\$?path|in (?:your |the )?\$?path|
        available on (?:this|the) (?:system|machine|image))\b`,
      /\bnot in your path\b|\bnot found (?:in|on) (?:your |the )?\$?path\b/,
      /\bexecutable file not found in \$path|\bexecutable (?:was )?not found\b/,
      /\bspawn [\w.+-]{1,60} enoent\b/,
      pattern`
        \bno such file or directory: '(?:docker|git|make|cmake|gcc|java|psql|ffmpeg|node|
        npm|kubectl|terraform|helm|aws|gcloud|az)'`,
      /\bfailed to (?:execute|run|spawn|find tool)\b.{0,60}\b(?:no such file|not found|is `)/,
      /\blinker [`'"]?[\w-]{1,30}[`'"]? not found/,
      /\blib[\w+.-]{1,60}\.(?:so|dylib|dll)[\w.]{0,12}: cannot open shared object/,
      /\bcannot open shared object file\b|\bcannot find -l[\w+.-]{1,60}/,
      /\blibrary not (?:found for|loaded)\b|\blibrary not loaded\b/,
      /\bunable to load (?:shared )?library\b|\bdll load failed\b/,
      /\bfatal error: [\w./+-]{1,100}\.h(?:pp)?: no such file/,
      /\bpkg-config\b.{0,120}\b(?:not found|could not|was not found|no package)/,
      /\bno package '[\w.+-]{1,60}' found/,
      /\bpackage [\w.+-]{1,60} was not found in the pkg-config/,
      pattern`
        \bcould not find (?:openssl|python|java|cmake|rust|boost|cuda|libclang|protoc|
        package configuration file)\b`,
      /\bcould not find directory of openssl/,
      /\bunable to find (?:a )?(?:vcvarsall|c compiler|libclang|suitable|protoc)/,
      /\bno (?:acceptable )?c(?:\+\+|xx)? compiler\b|\bcmake_c(?:xx)?_compiler\b/,
      /\bno (?:cmake_\w+|usable) compiler/,
      /\bunable to locate package\b|\bno installation candidate\b/,
      /\bhost system is missing dependencies|\binstall-deps\b|\bapt(?:-get)? install\b/,
      /\bbrew install\b|\b(?:yum|dnf|apk|pacman) (?:install|add|-s)\b/,
      pattern`
        \b(?:docker|podman|container) (?:daemon|engine|desktop)\b.{0,60}\b(?:running|not|
        connect|unavailable)`,
      /\bcannot connect to the docker daemon/,
      /\bno (?:gpu|cuda|nvidia)\b.{0,40}\b(?:found|available|detected|device|driver)/,
      /\bno nvidia driver|\bcuda (?:driver|is not available)/,
      /\bkvm\b.{0,40}\b(?:not|required|missing)|\bjava_home is not (?:set|defined)/,
      /\bandroid_home|\bsdk location not found/,
      pattern`
        \bno (?:display|x11|tty|simulator|device|emulator)\b.{0,40}\b(?:found|available|
        connected|set|name)`,
      /\bcannot open display|\bmissing (?:x server|\$display)/,
    ],
    unless: null,
  },
] as const satisfies readonly TextRule[];
