// What is a changed file, going by its path: a test, a source, a setting of a gate, or nothing that matters?

export type Language = "js" | "python" | "go" | "rust" | "c-like" | "hash";

/** How a settings file is written. */
export type Syntax = "object" | "ini" | "yaml" | "lines";

export interface Settings {
  /** The program it belongs to. */
  readonly tool: string;
  readonly syntax: Syntax;
}

export interface Role {
  readonly language: Language | null;
  readonly isTest: boolean;
  readonly settings: Settings | null;
}

/** null: nothing in such a file is looked at. */
export function roleOf(path: string): Role | null {
  if (path.length > PATH_CHARS_MAX || GENERATED.test(path)) return null;
  const settings = SETTINGS.find(([pattern]) => pattern.test(path));
  const language = languageOf(path);
  if (language === null && settings === undefined) return null;
  return {
    language,
    isTest: settings === undefined && language !== null && isTestPath(path, language),
    settings: settings === undefined ? null : { tool: settings[1], syntax: settings[2] },
  };
}

function languageOf(path: string): Language | null {
  return LANGUAGES.find(([, ending]) => ending.test(path))?.[0] ?? null;
}

const PATH_CHARS_MAX = 1_000;

const LANGUAGES: readonly (readonly [Language, RegExp])[] = [
  ["js", /\.(?:[cm]?[jt]s|[jt]sx|vue|svelte|astro)$/i],
  ["python", /\.pyi?$/i],
  ["go", /\.go$/i],
  ["rust", /\.rs$/i],
  ["c-like", /\.(?:java|kts?|scala|groovy|cs|c|cc|cpp|cxx|h|hpp|swift|php|dart|mm?)$/i],
  ["hash", /\.(?:rb|exs?|sh|bash|bats|pl)$/i],
];

/** Copies, products and data: whoever changes these changes them by machine, or changes no check. */
const GENERATED =
  /(?:^|\/)(?:node_modules|bower_components|dist|build|out|target|vendor|third_party|\.git|\.orch|\.venv|venv|site-packages|__pycache__|coverage|\.next|__generated__|generated|fixtures?|__fixtures__|testdata|__snapshots__|__mocks__)\/|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json)$|\.(?:lock|min\.js|map|snap|pb\.go|gen\.[jt]s|generated\.[jt]sx?)$|_pb2(?:_grpc)?\.pyi?$/;

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\//i;

const TEST_NAMES: Readonly<Record<Language, RegExp>> = {
  js: /[.\-_](?:test|tests|spec|specs|e2e|cy)\.[cm]?[jt]sx?$|(?:^|\/)test[-_.][^/]*\.[cm]?[jt]sx?$/i,
  python: /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests|conftest)\.py$/,
  go: /_test\.go$/,
  rust: /(?:^|\/)tests\/[^/]*\.rs$|_test\.rs$|(?:^|\/)tests\.rs$/,
  "c-like":
    /(?:Tests?|TestCase|Spec|IT)\.(?:java|kt|scala|groovy|cs|swift|php)$|_(?:test|unittest)\.(?:c|cc|cpp|cxx|dart)$/,
  hash: /_(?:spec|test)\.(?:rb|exs?)$|\.bats$/,
};

function isTestPath(path: string, language: Language): boolean {
  if (TEST_NAMES[language].test(path)) return true;
  return (language === "js" || language === "python") && TEST_FOLDER.test(path);
}

const CODE = String.raw`\.(?:[cm]?[jt]s|json|jsonc|json5)`;

function named(names: string): RegExp {
  return new RegExp(`(?:^|/)(?:${names})$`);
}

/** The first row that fits the path wins. */
const SETTINGS: readonly (readonly [path: RegExp, tool: string, syntax: Syntax])[] = [
  [named(String.raw`\.?orchestrator\.config\.[cm]?[jt]s`), "orch", "lines"],
  [named(String.raw`package\.json`), "package", "object"],
  [named(String.raw`(?:ts|js)config(?:\.[\w.-]{1,60})?\.json`), "typescript", "object"],
  [named(`vite(?:st)?\\.(?:config|workspace)(?:\\.[\\w-]{1,40})?${CODE}`), "vitest", "object"],
  [named(`jest\\.config(?:\\.[\\w-]{1,40})?${CODE}`), "jest", "object"],
  [named(String.raw`\.mocharc\.ya?ml`), "mocha", "yaml"],
  [named(`\\.mocharc${CODE}`), "mocha", "object"],
  [named(`\\.(?:nyc|c8)rc|\\.(?:nyc|c8)rc${CODE}|nyc\\.config${CODE}`), "js-coverage", "object"],
  [named(String.raw`\.(?:eslint|oxlint|biome)ignore`), "eslint", "lines"],
  [named(String.raw`\.eslintrc\.ya?ml`), "eslint", "yaml"],
  [named(`\\.eslintrc|\\.eslintrc${CODE}|eslint\\.config${CODE}`), "eslint", "object"],
  [named(`\\.oxlintrc${CODE}|oxlint\\.config${CODE}`), "oxlint", "object"],
  [named(String.raw`biome\.jsonc?`), "biome", "object"],
  [named(String.raw`deno\.jsonc?`), "deno", "object"],
  [named(String.raw`pyrightconfig\.json`), "pyright", "object"],
  [named(String.raw`pyproject\.toml|setup\.cfg|tox\.ini`), "python", "ini"],
  [named(String.raw`pytest\.ini|\.pytest\.ini`), "pytest", "ini"],
  [named(String.raw`\.coveragerc`), "python-coverage", "ini"],
  [named(String.raw`\.?mypy\.ini`), "mypy", "ini"],
  [named(String.raw`\.flake8|\.?ruff\.toml|\.?pylintrc`), "python-lint", "ini"],
  [named(String.raw`\.golangci\.ya?ml`), "golangci", "yaml"],
  [named(String.raw`\.golangci\.toml`), "golangci", "ini"],
  [named(String.raw`Cargo\.toml|\.?clippy\.toml`), "cargo", "ini"],
  [named(String.raw`\.rubocop\.ya?ml`), "rubocop", "yaml"],
];
