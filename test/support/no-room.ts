// How does git fail where the disk has no room, for whoever may not mount one?

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The PATH of programs whose git says git's words as long as the file is there. */
export function gitWithoutRoom(bin: string, path: string, filler: string): string {
  mkdirSync(bin);
  const fails = `echo "fatal: unable to write file: No space left on device" >&2; exit 128`;
  const script = `#!/bin/sh
PATH=${path}
case " $* " in *" write-tree "*|*" update-ref "*) [ -e ${filler} ] && { ${fails}; } ;; esac
exec git "$@"
`;
  writeFileSync(join(bin, "git"), script);
  chmodSync(join(bin, "git"), 0o755);
  return `${bin}${delimiter}${path}`;
}
