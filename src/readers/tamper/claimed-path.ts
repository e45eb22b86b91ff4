// Which path of the working tree does a report mean?

/**
 * Relative to the root, with "/" between its parts. null: it leads out of the tree, or is none that a
 * file could have.
 */
export function resolvePath(path: string, root: string): string | null {
  const own = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  // A line break would be two questions to git; the others name no file of the tree.
  if (own === "" || /[\n\r\0]/.test(own) || own.startsWith("/") || own.startsWith("~")) return null;
  if (/^[a-z][a-z0-9+.-]*:/i.test(own)) return null;
  const parts: string[] = [];
  for (const part of own.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.length === 0 ? null : parts.join("/");
}
