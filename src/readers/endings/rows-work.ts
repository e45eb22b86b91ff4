// Which words tell about the work itself: something not installed, a tool called wrongly, a defect?

import { phrases } from "../match/phrases.ts";
import type { EndingRow } from "./ending-row.ts";

/** Command line tools that come from a project's own package manager. */
const PROJECT_TOOL =
  "tsc|tsx|ts-node|eslint|prettier|biome|oxlint|vitest|jest|mocha|ava|nyc|c8|webpack|vite|rollup" +
  "|rolldown|esbuild|parcel|next|nuxt|astro|turbo|nx|lerna|rimraf|cross-env|concurrently|nodemon" +
  "|husky|lint-staged|playwright|cypress|storybook|prisma|wrangler|gulp|grunt|babel|stylelint" +
  "|commitlint|knip|tailwindcss|pytest|py.test|ruff|black|isort|flake8|mypy|pyright|pylint|tox|nox" +
  "|coverage|poetry|pdm|uv|pipenv|hatch|pre-commit|alembic|uvicorn|gunicorn|celery|cargo+@|rspec" +
  "|rubocop|rake|phpunit|phpstan|golangci-lint|gofumpt|serve|pnpm|yarn";
const INSTALLER =
  "npm|pnpm|yarn|pip|poetry|uv|bundle|composer|cargo|go|mix|dotnet|flutter|pod|pipenv";
const PACKAGE = "dep|deps|dependenc*|package|packages|requirement*|gem|gems|crate*|module|modules";
const FAILED = "failed|failing|failure*|error|errors";

export const DEPENDENCY_ROWS = [
  {
    id: "publish-refused",
    means: "missing_dependency",
    class: "hard",
    any: phrases`404 not found put, 404 .. put http*`,
  },
  {
    id: "private-registry",
    means: "missing_dependency",
    class: "hard",
    any: phrases`
      mathlib|library|framework|sdk .. has|contains|offers|provides no,
      private|internal package|registry|module|repository .. not|no|denied|un*|missing`,
  },
  {
    id: "project-tool",
    means: "missing_dependency",
    class: "soft",
    any: phrases`
      ${PROJECT_TOOL} command? not found, command not found ${PROJECT_TOOL},
      ${PROJECT_TOOL} is not recognized, spawn ${PROJECT_TOOL} enoent,
      no module named ${PROJECT_TOOL}, playwright install !deps,
      executable doesn't exist at .. playwright, browser* was|were not found|installed`,
    unless: /\binstall deps\b|\bhost system is missing dependencies/,
  },
  {
    id: "package-not-installed",
    means: "missing_dependency",
    class: "soft",
    any: phrases`
      modulenotfounderror|resolutionimpossible|eresolve|etarget|notarget|e404, no module named,
      err module not found .. package, cannot|could+not find package,
      cannot find module providing, please install, node modules is|are? missing|not+found|absent,
      mean|forget to install, install it|them with|using|via|by|first,
      run ${INSTALLER} ci|i|install|get|add|sync|restore|mod|deps.get|fetch,
      ${PACKAGE} .. not installed|found|satisfied|match*,
      ${PACKAGE} .. could|can not? be? found|resolved, ${PACKAGE} .. unmet|unresolved|unsatisfied,
      dep|dependenc* .. missing|conflict*|incompatible,
      missing|unmet|unsatisfied|unresolvable|conflicting peer? ${PACKAGE},
      unable to resolve dependency, undefined|unknown|no+such package|crate|extension|plugin,
      no matching version|distribution|package, could not find a version, version conflict,
      version solving failed, failed to select a version,
      could not find|resolve compatible|artifact|gem|all|dependenc*,
      no version|versions|candidate of|for|matching|version !control, in sync .. lock,
      lock-file .. date|sync|updated|outdated|match|satisfy|mismatch|modified, outdated lock-file,
      frozen lockfile, missing go.sum, updates to go.mod, package.json and package,
      404 not found get, is not in this|the npm? registry, unable to find package,
      no required module provides, is not in std, could not find @ @? in registry|any,
      package .. does not exist, unresolved import, can't find crate, use of undeclared crate,
      library @ not found in lakefile|manifest, unknown module prefix,
      require* .. package|library|module|gem|crate|plugin to be installed,
      require* the? @ package|library|gem|plugin .. install*|but|which,
      failed to load plugin|config|parser|preset .. cannot+find, plugin .. not found,
      couldn't find the plugin|preset|config,
      ${/\bcannot find module ['"`](?![./\\]|[a-z]:\\)(?!\S{0,200}\/(?:tmp|home|work|src|dist|build|var)\/)/},
      ${/\b(?:can't|could not|cannot|failed to) resolve (?:\w+ ){0,2}['"](?![./\\]|@\/|~)[\w@]/}`,
    unless:
      /\b(?:lib[\w+ ]{1,40}\.so|linker|pkg config|apt(?: get)? install|brew install|not in your path|docker)\b/,
  },
  {
    id: "system-package",
    means: "missing_dependency",
    class: "hard",
    any: phrases`
      command .. not found, is not recognized as, executable file? was? not found,
      is not installed, is not available on|in this|the|your? path|system|machine|image,
      not in|on|found in|on? your|the? path,
      failed to execute|run|spawn|find .. no+such+file|not+found, linker @ not found,
      cannot open shared object, cannot find l@, library not found|loaded,
      unable to load shared? library, dll load failed, pkg config .. not|could|no,
      could not find openssl|python|java|cmake|rust|boost|cuda|libclang|protoc|directory+of,
      could not find package configuration,
      unable to find a? java|vcvarsall|c+compiler|libclang|suitable|protoc,
      no acceptable|usable|cmake*? c|c++|cxx? compiler, cmake c|cxx compiler,
      unable to locate package, no installation candidate, host system is missing, install deps,
      apt|apt+get|brew|yum|dnf|apk|pacman install|add,
      docker|podman|container daemon|engine|desktop .. running|not|connect|unavailable,
      cannot connect to the docker,
      no gpu|cuda|nvidia|display|x11|tty|simulator|emulator ..
      found|available|detected|device|driver|name|set, no nvidia driver,
      cuda driver|is not? available, java home is not, android home, sdk location not found,
      cannot open display, missing x server, ${/(?:^|[\s:])[\w.+ ]{1,60}: not found(?:$|\s)/m},
      ${/\bspawn [\w.+ ]{1,60} enoent\b|\bno such file or directory: '[\w+ ]{1,30}'/},
      ${/\bfatal error: [\w./+ ]{1,100}\.h(?:pp)?: no such file|\blib[\w+. ]{1,60}\.(?:so|dylib|dll)\b/},
      ${/\bno package '[\w.+ ]{1,60}' found|\bpackage [\w.+ ]{1,60} was not found in the pkg/}`,
  },
] as const satisfies readonly EndingRow[];

const UNKNOWN = "unknown|unrecognized|unrecognised|invalid|illegal|no+such";
const CALL_PART =
  "option*|argument*|flag*|switch|command*|subcommand|parameter*|choice|usage|value|revision|target" +
  "|operation|shorthand|script|task|tool|service|container|image|remote|recipe|profile|reference" +
  "|syntax|directive|action|function|input|file|directory";
const GIT_SAYS =
  "pathspec|src+refspec|your+local+changes|the+following|you+have+not|the+branch|branch|remote|switch" +
  "|object|patch|corrupt+patch|no+merge+base|failed+to+push|could+not+apply";

/** Last of all: a tool called wrongly, then anything that looks like an ordinary error. */
export const OWN_ROWS = [
  {
    id: "failed-test",
    means: "code_defect",
    any: phrases`
      ^ traceback most recent,
      assertionerror*|syntaxerror|typeerror|referenceerror|nameerror|keyerror|valueerror,
      attributeerror|indexerror|indentationerror|recursionerror|rangeerror|zerodivisionerror,
      nullpointerexception, panicked at, uncaught @? error|exception, ^ e? assert !that,
      ${/^\S{1,200}[:(]\d+(?:[:,]\d+)?\)?:? .{0,60}\berror\b/m},
      ${/\berror(?:\[e\d+\]| ts(?![56]\d{3}:|18003)\d+| cs\d+| c\d{4}| fs\d+)/}`,
  },
  {
    id: "wrong-call",
    means: "agent_usage_error",
    any: phrases`
      ^ error ${GIT_SAYS}, ^ error cannot pull|rebase|delete, ^ usage,
      pathspec|enoent|enotdir|eisdir|eexist|filenotfounderror|inputvalidationerror|eaddrinuse,
      no upstream branch, unstaged|uncommitted changes, commit|stash your|or changes|stash,
      updates were rejected, non fast forward, merge conflict,
      committing|commit|merging|pulling is not possible, nothing to commit,
      nothing added to commit, not a git repository, not something we can merge, no stash entries,
      detached head, tell me who you are, is not a @? command|task|file|directory|valid,
      missing script, no rule|targets|makefile to|specified|found,
      or any of? the? parent director*, ${UNKNOWN} @? ${CALL_PART},
      invalid|wrong|missing|required @? number|value|operand*|destination*|argument*|parameter*,
      unexpected|too+many|too+few|missing|following|conflicting required|positional?
      argument*|option*, require* an|a argument|value|parameter,
      task|recipe|target|project|workspace|goal|command|service|script .. not
      found|defined|exist|known, unknown lifecycle, did you mean, see|try .. help,
      most similar command, for more information try,
      no test|tests file|files? found|ran|were|matched, no matches found,
      not a recognized|supported command|option, not find a task, cannot find the file|path,
      could+not|couldn't|can't|cannot open|read|find .. file|input|package.json|config|buildspec,
      cannot|can't open|stat|access|cd|remove|create|overwrite|copy|move|read
      !properties|property, file|directory|path .. not found|exist, file|already exists,
      is|not a directory, directory not empty, string to replace, old string,
      file has not been read, modified since read,
      must be called|used|run|invoked with|from|in|inside|before, syntax error near,
      unexpected end of file, unexpected eof while, unbound variable, bad substitution,
      ambiguous redirect, argument list too long, not found in file, parameter .. is required,
      tool use error, hunk|patch #? failed|does, failed to find expected, address already in use,
      port # is already? in|allocated|occupied, bind for .. failed, dubious ownership,
      ${/^fatal: |\bcould not find [`'"]?[\w./ ]{0,80}\.(?:toml|json|ya?ml|lock|xml|gradle|mod|cfg|ini|txt|md)\b/m}`,
  },
  {
    id: "ordinary-error",
    means: "code_defect",
    any: phrases`
      build*|compil*|test*|lint*|type-check|check*|gate*|job*|task*|command*|step* @? ${FAILED},
      execution|assertion*|validation|migration*|coverage|link*|make* @? ${FAILED},
      failed to
      compile|build|parse|render|load|start|run|elaborate|synthesize|unify|transform|link|execute|evaluate,
      criteri* .. not|un|unmet met|verified|satisfied, not all acceptance? criteria, not met,
      # error*|failure*|failing|failed|problem*|violation*|vulnerabilit*|issue*|offense*,
      failed|fails with, treated as error, exit|exited with? code|status? #,
      does not compile|build|pass|match|typecheck|type,
      still|tests|specs|checks|test fail|fails|failing, tests|specs|checks did|do not pass,
      coverage .. below|threshold|meet, regression .. found|detected|in,
      unknown|undefined|undeclared|duplicate|unresolved @?
      identifier|constant|tactic|variable|type,
      unknown|undefined|undeclared|duplicate|unresolved @?
      symbol*|attribute|field|name*|reference,
      undefined|duplicate method|local|definition|declaration|key, unsolved goal*, type mismatch,
      mismatched|incompatible types, cannot find symbol|name|value|type|function|macro|module,
      expected .. got|found|received|actual, expected .. to be|equal|have|contain|match,
      cannot infer|unify|convert|assign|borrow|apply|use|read|import,
      is not a? function|defined|assignable|iterable|callable|member|declared|exported|provable,
      has no member|attribute|method|field|property|exported,
      symbol*|scope not|s|not+found in|found, not found in this scope, does not exist,
      segmentation fault, core dumped, stack overflow|trace, tactic .. failed,
      declaration uses sorry, no overload matches, syntax|parse error,
      unexpected token|indent|identifier|character|symbol, the term .. has type, unable to unify,
      not in scope, couldn't match, ambiguous .. reference|call|name|overload|type,
      redefinition of, required type, null pointer, goroutine|goroutines #|are,
      ${/^(?:\S{1,200}: )?(?:fatal )?error\b(?! ?[:=]? ?0\b| (?:handling|messages?|codes?|paths?|pages?|tables?|boundar\w+|banners?|types?|class(?:es)?|cases?)\b)/m},
      ${/\b\w{1,60}(?:error|exception)(?:: |\b \()|\babort(?:ed)?\b(?:$| \()|\bpanic: /m}`,
  },
] as const satisfies readonly EndingRow[];
