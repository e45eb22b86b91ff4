// In what does a config confine agents, gates and setup commands?

import { z } from "zod";

import { NETWORKS, SANDBOXES, type SandboxSettings } from "../core/model/settings.ts";
import { list, withoutNul } from "./fields.ts";
import { keyWith } from "./key.ts";

const PATH_WORDS = 'expected a path from "/" or "~/" on';

const path = withoutNul.max(1_000, { error: PATH_WORDS }).regex(/^~?\//, { error: PATH_WORDS });

const shape = z.strictObject({
  use: keyWith(z.enum(SANDBOXES), "bwrap", ['`"none"`: no sandbox.']),
  network: keyWith(z.enum(NETWORKS), "all", [
    'Who reaches the network: `"all"`, `"agents"` (gates and setup do not), or `"none"`.',
  ]),
  read: keyWith(list(path), [], ["What else can be read: paths from `/` or `~/` on."]),
  write: keyWith(list(path), [], ["What else can be written."]),
});

export const sandboxShape = z.union([z.enum(SANDBOXES), shape], {
  error: 'expected "none", "bwrap", or { network: "agents", read: ["~/.cargo"] }',
});

export function sandboxOf(written: z.infer<typeof sandboxShape> = "none"): SandboxSettings {
  if (typeof written !== "string") return written;
  return { use: written, network: "all", read: [], write: [] };
}
