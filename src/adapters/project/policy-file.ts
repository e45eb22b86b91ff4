// What does a file export that a person named as a policy, or the project has as its config?

import { extname, relative, resolve } from "node:path";

import { OrchError } from "../../errors.ts";
import { readFileBounded } from "../files/small-file.ts";
import { importDefault } from "./config-code.ts";
import { CONFIG_BYTES_MAX } from "./config-loader.ts";

const CODE = [".js", ".mjs", ".cjs", ".ts"];

export interface PolicyFile {
  /** As a person in `cwd` would write it. */
  readonly name: string;
  readonly text: string;
  /** What it says, unchecked. */
  readonly raw: unknown;
}

/** JSON is read, code is run: naming the file is the person's consent. Throws OrchError. */
export async function readPolicyFile(path: string, cwd: string): Promise<PolicyFile> {
  const full = resolve(cwd, path);
  const name = relative(cwd, full);
  const text = textOf(full, name);
  const kind = extname(full).toLowerCase();
  if (kind === ".json") return { name, text, raw: parsed(text, name) };
  if (CODE.includes(kind)) return { name, text, raw: await importDefault({ path: full, name }) };
  throw new OrchError(
    "usage",
    `${JSON.stringify(name)} is neither JSON nor a config`,
    `name a file that ends in .json, ${CODE.join(", ")}`,
  );
}

function textOf(path: string, name: string): string {
  const found = readFileBounded(path, CONFIG_BYTES_MAX, "followed");
  if (found.kind === "read") return found.text;
  throw new OrchError(
    found.kind === "absent" ? "config-missing" : "config-invalid",
    `the policy file ${JSON.stringify(name)} ${found.kind === "absent" ? "does not exist" : found.why}`,
    "name a file that this user may read, with the keys of the policy",
  );
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new OrchError(
      "config-invalid",
      `${name} is not JSON: ${String(error).split("\n", 1).join("").slice(0, 200)}`,
      "fix it, or write it as .js with `export default { … }`",
      { cause: error },
    );
  }
}
