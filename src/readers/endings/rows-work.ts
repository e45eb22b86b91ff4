// Which words tell about the work itself: something not installed, a tool called wrongly, a defect?

import { phrases } from "../match/phrases.ts";
import type { EndingRow } from "./ending-row.ts";

/** Command line tools that come from a project's own package manager. */
const PROJECT_TOOL =
  "tsc|tsx|ts-node|eslint|prettier|biome|oxlint|vitest|jest|mocha|webpack|vite|rollup|esbuild|next" +
  "|nuxt|astro|turbo|nx|rimraf|cross-env|nodemon|husky|playwright|cypress|storybook|prisma|gulp" +
  "|grunt|babel|stylelint|knip|pytest|ruff|black|isort|flake8|mypy|pyright|pylint|tox|nox|coverage" +
  "|poetry|pdm|uv|pipenv|pre-commit|uvicorn|cargo+@|rspec|rubocop|rake|phpunit|phpstan" +
  "|golangci-lint|pnpm|yarn";
const INSTALLER =
  "npm|pnpm|yarn|pip|poetry|uv|bundle|composer|cargo|go|mix|dotnet|flutter|pod|pipenv";
const PACKAGE = "dep|deps|dependenc*|package|packages|requirement*|gem|gems|crate*|module|modules";
const FAILED = "failed|failing|failure*|error|errors";

export const DEPENDENCY_ROWS = [
  {
    id: "project-tool",
    means: "missing_dependency",
    class: "soft",
    any: phrases`
      ${PROJECT_TOOL} command? not found, command not found ${PROJECT_TOOL}, ${PROJECT_TOOL} is not
      recognized, spawn ${PROJECT_TOOL} enoent, no module named ${PROJECT_TOOL}, playwright install
      !deps`,
    unless: /\binstall deps\b|\bhost system is missing dependencies/,
  },
  {
    id: "package-not-installed",
    means: "missing_dependency",
    class: "soft",
    any: phrases`
      modulenotfounderror|resolutionimpossible|eresolve|etarget|notarget|e404, no module named,
      cannot|could+not|unable+to find package, please install, install it|them
      with|using|via|by|first, node modules is|are? missing|not+found|absent, no required module
      provides, frozen lockfile, run ${INSTALLER} ci|i|install|get|add|sync|restore|mod|fetch,
      ${PACKAGE} .. not installed|found|satisfied|match*|exist, ${PACKAGE} .. could|can not? be?
      found, missing|unmet|unsatisfied|unresolvable|conflicting|undeclared|undefined|unknown|no+such
      peer? ${PACKAGE}|extension|plugin, dep|dependenc* .. missing|conflict*|incompatible|unmet, no
      matching version|distribution|package, version conflict|solving, failed to select a version,
      could not find|resolve a+version|compatible|artifact|gem|dependenc*, package.json and package,
      no version|versions of|for|matching|version !control, lock-file ..
      date|sync|updated|outdated|match|satisfy|mismatch|modified, 404 not found get, is not in
      this|the npm? registry|std, require* .. package|library|module|plugin to be installed,
      ${/\b(?:cannot find module|(?:can't|could not|cannot|failed to) resolve (?:\w+ ){0,2})['"` ]{1,2}(?![./\\]|@\/|~|[a-z]:\\)(?!\S{0,200}\/(?:tmp|home|work|src|dist|build|var)\/)[\w@]/}`,
    unless:
      /\b(?:lib[\w+ ]{1,40}\.so|linker|pkg config|apt(?: get)? install|brew install|not in your path|docker|not found\W+put)\b/,
  },
  {
    id: "system-package",
    means: "missing_dependency",
    class: "hard",
    any: phrases`
      command .. not found, is not recognized as, executable file? was? not found, is not installed,
      is not available on|in this|the|your? path|system|machine|image, linker @ not found, not
      in|on|found in|on? your|the? path, cannot open shared object, library not found|loaded, failed
      to execute|run|spawn|find .. no+such+file|not+found, cannot find l@, could+not|unable+to find
      a? java|openssl|python|cmake|rust|boost|cuda|libclang|protoc|suitable, pkg config ..
      not|could|no, in the pkg config, 404 not found put, unable to locate package, no
      acceptable|usable|cmake*? c|c++|cxx? compiler, host system is missing,
      apt|apt+get|brew|yum|dnf|apk install|add, docker|podman|container daemon|engine|desktop ..
      running|not|connect|unavailable,
      ${/(?:^|[\s:])[\w.+ ]{1,60}: not found(?:$|\s)|\bspawn [\w.+ ]{1,60} enoent\b/m},
      ${/\bfatal error: [\w./+ ]{1,100}\.h(?:pp)?: no such file|\blib[\w+. ]{1,60}\.(?:so|dylib|dll)\b/},
      ${/\bno such file or directory: '[\w+ ]{1,30}'|\bno package '[\w.+ ]{1,60}' found/}`,
  },
] as const satisfies readonly EndingRow[];

const CALL_PART =
  "option*|argument*|flag*|switch|command*|subcommand|parameter*|choice|usage|value|revision|target" +
  "|operation|shorthand|script|task|tool|service|container|image|remote|recipe|profile|reference" +
  "|syntax|directive|action|function|input|file|directory";
const GIT_SAYS =
  "pathspec|src+refspec|your+local+changes|the+following|you+have+not|the+branch|branch|remote|switch" +
  "|object|patch|corrupt+patch|no+merge+base|failed+to+push|could+not+apply|cannot";

/** Last of all: a tool called wrongly, then anything that looks like an ordinary error. */
export const OWN_ROWS = [
  {
    id: "failed-test",
    means: "code_defect",
    any: phrases`
      ^ traceback most recent, panicked at, uncaught @? error|exception, ^ e? assert !that,
      assertionerror*|syntaxerror|typeerror|referenceerror|nameerror|keyerror|valueerror,
      attributeerror|indexerror|indentationerror|recursionerror|rangeerror|nullpointerexception,
      ${/^\S{1,200}[:(]\d+(?:[:,]\d+)?\)?:? .{0,60}\berror\b/m},
      ${/\berror(?:\[e\d+\]| ts(?![56]\d{3}:|18003)\d+| cs\d+| c\d{4}| fs\d+)/}`,
  },
  {
    id: "wrong-call",
    means: "agent_usage_error",
    any: phrases`
      ^ error ${GIT_SAYS}, ^ usage, no upstream branch, unstaged|uncommitted changes, merge
      conflict,
      pathspec|enoent|enotdir|eisdir|eexist|filenotfounderror|inputvalidationerror|eaddrinuse, not
      something we can merge, tell me who you are, nothing to commit, not a git repository, is not a
      @? command|task|file|directory|valid, missing script, no rule|targets|makefile to,
      unknown|unrecognized|unrecognised|invalid|illegal|no+such @? ${CALL_PART},
      missing|required|unexpected|too+many|too+few|following|conflicting required?
      argument*|option*|value, require* an|a argument|value|parameter, did you mean, see|try ..
      help, task|recipe|target|project|workspace|goal|command|service|script .. not
      found|defined|exist|known, no test|tests file|files? found|ran|were|matched, is|not a
      directory, syntax error near, could+not|couldn't|can't|cannot
      open|read|stat|access|cd|remove|create|overwrite|copy|move !properties|property,
      file|directory|path .. not found|exist, file|path already exists, string to replace, file has
      not been read, unexpected end of file, unexpected eof while, address already in use, tool use
      error,
      ${/^fatal: |\bcould not find [`'"]?[\w./ ]{0,80}\.(?:toml|json|ya?ml|lock|xml|gradle|mod|cfg|ini|txt|md)\b/m}`,
  },
  {
    id: "ordinary-error",
    means: "code_defect",
    any: phrases`
      build*|compil*|test*|lint*|type-check|check*|gate*|job*|task*|command*|step*|validation @?
      ${FAILED}, failed|fails with|to, criteri* .. not|un|unmet met|verified|satisfied, not all
      acceptance? criteria, #
      error*|failure*|failing|failed|problem*|violation*|vulnerabilit*|issue*|offense*, exit|exited
      with? code|status? #, does not compile|build|pass|match|typecheck|exist,
      still|tests|specs|checks|test fail|fails|failing, tests|specs|checks did|do not pass, unsolved
      goal*, tactic .. failed,
      unknown|undefined|undeclared|duplicate|unresolved|ambiguous|unexpected @?
      identifier|constant|tactic|variable|type|symbol*|name*|reference|method|definition|token|indent,
      expected .. got|found|received|actual, not found in this scope, syntax|parse error,
      segmentation fault, core dumped,
      ${/^(?:\S{1,200}: )?(?:fatal )?error\b(?! ?[:=]? ?0\b| (?:handling|messages?|codes?|paths?|pages?|tables?|boundar\w+|banners?|types?|class(?:es)?|cases?)\b)/m},
      ${/\b\w{1,60}(?:error|exception)(?:: |\b \()|\babort(?:ed)?\b(?:$| \()|\bpanic: /m}`,
  },
] as const satisfies readonly EndingRow[];
