// How does a screen in a page compare with one of today?

import { join } from "node:path";

const VERSIONS: Readonly<Record<string, string>> = { node: "v20.19.0", git: "2.39.5" };

/** What differs from one run to the next: ids, hashes, times, money, places. */
export function steady(text: string): string {
  return text
    .replaceAll(join(import.meta.dirname, "../.."), "/usr/lib/node_modules/orch")
    .replace(/\d{8}-\d{6}-([\w-]+?)-[a-z0-9]{4}\b/g, "20261123-101500-$1-k3f9")
    .replace(/\b\d\d:\d\d:\d\d\b/g, "10:15:00")
    .replace(/\b(?:\d+m )?\d+(?:\.\d+)?(?: ms|m?s)\b/g, "2s")
    .replace(/\b[0-9a-f]{16}\b/g, "4298b39de7e38ada")
    .replace(/\b[0-9a-f]{10}\b/g, "d670460b4b")
    .replace(/\b[0-9a-f]{7}\b/g, "d670460")
    .replace(/<?\$\d+\.\d+/g, "$0.02")
    .replace(/\b(run|orch (?:diff|merge|explain|resume|show|log)) [a-z2-9]{4}\b/g, "$1 k3f9")
    .replace(
      /\b[\d.]+k? tokens(?: in, [\d.]+k? out(?:, [\d.]+k? cached)?)?/g,
      "12k tokens in, 2k out",
    )
    .replace(/^✓ (node|git): v?\d[\d.]+/gm, (_all, name) => `✓ ${name}: ${VERSIONS[name]}`)
    .replace(/^. sandbox: .*$/gm, "✓ sandbox: bwrap works; it is not used")
    .replace(/[\d.]+ [GT]B free/g, "80 GB free");
}

/** Where a line breaks depends on how long the numbers in it are. */
export function flat(text: string): string {
  return text.replace(/\s+/g, " ");
}
