// At which file and line of the project did a gate find something wrong?

import type { Finding } from "../../core/model/verdict.ts";

/** `cart.ts(1,2)`, `cart.py:1:2`, `Cart.java:[1,2]`; further on only with a folder: hosts have ports, too. */
const LOCATED =
  /(?:^(?:vet: )?(?=\S)|[\s("'](?=[^\s:()[\]"']{0,200}\/))(?<file>[^\s:()[\]"']{1,200}\.[A-Za-z]\w{0,7})(?:\(|:\[?)(?<line>\d{1,7})\b/;
/** A file, alone or in front of the names of suites and tests. */
const NAMED =
  /^(?<file>[^\s:()]{0,200}\/[^\s:()/]{1,100}\.[A-Za-z]\w{0,7}|[^\s:()]{1,200}\.py)(?= [>›] |::|$)/;
const ELSEWHERE = /^(?:\/|\.\.\/)|(?:^|\/)node_modules\//;

/** null: it names none, or one outside of the project; a line of null: only the file. */
export function placeOf({ check, message }: Finding) {
  const { file = "", line = null } =
    LOCATED.exec(message)?.groups ?? NAMED.exec(check)?.groups ?? {};
  return file === "" || ELSEWHERE.test(file) ? null : { file: file.replace(/^\.\//, ""), line };
}
