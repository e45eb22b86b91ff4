// What does a file export that a person named as a policy, or the project has as its config?

import { extname, relative, resolve } from "node:path";

import { OrchError } from "../../errors.ts";
import { importDefault } from "./config-code.ts";
import { CONFIG_BYTES_MAX } from "./config-loader.ts";
import { readSourceFile } from "./source-file.ts";

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
  if (CODE.includes(kind))
    return { name, text, raw: await importDefault({ path: full, name, text }) };
  throw new OrchError(
    "usage",
    `${JSON.stringify(name)} is neither JSON nor a config`,
    `name a file that ends in .json, ${CODE.join(", ")}`,
  );
}

function textOf(path: string, name: string): string {
  const found = readSourceFile(path, CONFIG_BYTES_MAX);
  if (found.kind === "read") return found.text;
  const isMissing = found.code === "ENOENT";
  throw new OrchError(
    isMissing ? "config-missing" : "config-invalid",
    `the policy file ${JSON.stringify(name)} ${found.why}`,
    isMissing
      ? "check the path"
      : "name a file that this user may read, with the keys of the policy",
  );
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new OrchError(
      "config-invalid",
      `${name} is not JSON: ${firstLine(error)}`,
      "fix it, or write it as .js with `export default { … }`",
      { cause: error },
    );
  }
}

function firstLine(error: unknown): string {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return words.split("\n")[0]?.slice(0, 200) ?? "";
}
