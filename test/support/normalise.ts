// How is output made the same on every machine and at every time?

/** Paths of temporary folders, stack frames, versions and the user. */
export function normalise(text: string, folder: string): string {
  return text
    .replaceAll(folder, "<project>")
    .replace(/\(node v[\d.]+\)|node v[\d.]+/g, "node <version>")
    .replace(/^ {4}at .*$/gm, "    at <frame>")
    .replace(/orch answer \([^)]*\)/g, "orch answer (<user>)");
}
