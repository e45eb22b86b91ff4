// How does text that names one folder name another in its place?

/**
 * Replaces the path `from` by `to` wherever it stands as a whole path or as the beginning of one:
 * "/srv/app" in "/srv/app/bin:/srv/app2:/mnt/srv/app" is found once.
 */
export function relocate(text: string, from: string, to: string): string {
  // The root folder is the beginning of every path: moving it would move everything.
  if (from.length < 2) return text;
  const parts: string[] = [];
  let copied = 0;
  for (let at = text.indexOf(from); at !== -1; at = text.indexOf(from, at + from.length)) {
    if (isOfName(text, at - 1) || isOfName(text, at + from.length)) continue;
    parts.push(text.slice(copied, at), to);
    copied = at + from.length;
  }
  parts.push(text.slice(copied));
  return parts.join("");
}

/** True for what continues a file's name; whatever is not ASCII may. */
function isOfName(text: string, at: number): boolean {
  const char = text.charAt(at);
  return char !== "" && (char > "\u007f" || NAME.test(char));
}

const NAME = /[A-Za-z0-9._~+@-]/;
