// What is a changed file, going by its path: a test, a source, or nothing that matters?

import { setOf } from "../shell/call.ts";

/** A path whose text differs between the base and the final tree; null: absent. A move is two of them. */
export interface ChangedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** null: nothing in such a file is looked at. */
export function roleOf(path: string): "test" | "source" | null {
  if (path.length > PATH_CHARS_MAX || GENERATED.test(path)) return null;
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  if (!SOURCES.has(ending)) return null;
  return TEST.test(path) ? "test" : "source";
}

const PATH_CHARS_MAX = 1_000;

const SOURCES = setOf(
  "js ts cjs mjs cts mts jsx tsx vue svelte astro py pyi go rs java kt kts scala groovy cs c cc cpp cxx h hpp swift php dart m mm rb ex exs sh bash bats pl",
);

/** Copies, products and data: whoever changes these changes them by machine, or changes no check. */
const GENERATED =
  /(?:^|\/)(?:node_modules|bower_components|dist|build|out|target|vendor|third_party|\.git|\.orch|\.venv|venv|site-packages|__pycache__|coverage|\.next|__generated__|generated|fixtures?|__fixtures__|testdata|__snapshots__|__mocks__)\/|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json)$|\.(?:lock|min\.js|map|snap|pb\.go|gen\.[jt]s|generated\.[jt]sx?)$|_pb2(?:_grpc)?\.pyi?$/;

const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\/|[._-](?:tests?|specs?|e2e|cy|unittest)\.\w+$|(?:^|\/)(?:test[-_.][^/]*|tests\.(?:py|rs)|conftest\.py)$|(?:Tests?|TestCase|Spec|[a-z]IT)\.\w+$|\.bats$/;

/** By exclusion: no test, no data, no settings, and not where help for tests, settings and tools stand. */
export function isProduct(path: string): boolean {
  if (path.length > PATH_CHARS_MAX) return false;
  return ![GENERATED, TEST, BESIDE_PRODUCT, DATA].some((pattern) => pattern.test(path));
}

const BESIDE_PRODUCT =
  /(?:^|\/)(?:support|config|scripts?|\.[^/]+)\/|(?:^|\/)[\w.-]+\.config\.\w+$/;
/** Also what has a name and no ending, as Makefile and LICENSE have. */
const DATA =
  /\.(?:json\w?|ya?ml|toml|ini|cfg|conf|env|properties|txt|md|rst|[ct]sv|xml|svg|png|jpe?g|gif|pdf)$|(?:^|\/)(?:\.[^/]+|[A-Z][^./]*)$/;
