// What is a changed file, going by its path: a test, a source, or nothing that matters?

export type Language = "js" | "python" | "go" | "rust" | "c-like" | "hash";

export interface Role {
  readonly language: Language;
  readonly isTest: boolean;
}

/** null: nothing in such a file is looked at. */
export function roleOf(path: string): Role | null {
  if (path.length > PATH_CHARS_MAX || GENERATED.test(path)) return null;
  const language = LANGUAGES.find(([, ending]) => ending.test(path))?.[0];
  return language === undefined ? null : { language, isTest: isTestPath(path, language) };
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
