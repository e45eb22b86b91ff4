// Which failures are the machine's own, and what helps?

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "free space or inodes on the disk",
  EDQUOT: "free some of the disk quota",
  EMFILE: "allow more open files (`ulimit -n`)",
  ENFILE: "close programs: the machine has no open files left",
  EAGAIN: "end some processes, or allow more (`ulimit -u`, `pids.max`)",
  ENOMEM: "free some memory",
  EIO: "look at the disk: reading or writing it failed",
  EROFS: "make the disk writable again",
  ESTALE: "look at the network disk: it lost the file",
};

const NAMED = new RegExp(`\\b(?:${Object.keys(REMEDIES).join("|")})\\b`);

/** As the C library says them, git with it, and a shell. */
const SAID: Readonly<Record<string, string>> = {
  "Too many open files in system": "ENFILE",
  "Too many open files": "EMFILE",
  "Resource temporarily unavailable": "EAGAIN",
  "Cannot fork": "EAGAIN",
  "Cannot allocate memory": "ENOMEM",
  "Input/output error": "EIO",
  "Read-only file system": "EROFS",
  "Stale file handle": "ESTALE",
};

/** By the system's names and words alone, as orch, Node.js and git quote them; null: it is none of these. */
export function machineRemedy(words: string): string | null {
  const code = NAMED.exec(words)?.[0];
  const byWords = Object.entries(SAID).find(([text]) => words.includes(text))?.[1];
  return REMEDIES[code ?? byWords ?? ""] ?? null;
}

/** Why something that orch itself could not do was not done. */
export function refusedBy(detail: string): "machine" | "refused" {
  return machineRemedy(detail) === null ? "refused" : "machine";
}
