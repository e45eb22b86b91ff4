// Where do tasks work, what makes a fresh tree ready, and what confines who works there?

import { z } from "zod";

import { NETWORKS, SANDBOXES } from "../core/model/settings.ts";
import type { SandboxSettings, SetupCommand, WorktreeSettings } from "../core/model/settings.ts";
import { milliseconds } from "../core/model/duration.ts";
import { duration, line, list, withoutNul } from "./fields.ts";
import { key, keyWith, needed } from "./key.ts";

const PATH_CHARS_MAX = 1_000;
const SETUP_TIMEOUT = "30m";

const path = (looks: RegExp, error: string) =>
  withoutNul.max(PATH_CHARS_MAX, { error }).regex(looks, { error });

const outside = path(/^~?\//, 'expected a path from "/" or "~/" on');
const pattern = path(/^[^\r\n]+$/, "expected a pattern as in .gitignore, on one line");
const neighbour = path(
  /^\.\.\/(?!\.\.?$)[^/]+$/,
  'expected the path of a folder beside the repository, such as "../shared"',
);

const setup = z.union(
  [
    line,
    z.strictObject({
      run: needed(line, "", "needed"),
      timeout: keyWith(duration, SETUP_TIMEOUT, ["If it takes longer, it has failed."]),
    }),
  ],
  { error: 'expected a line for the shell, or { run: "npm ci", timeout: "10m" }' },
);

export const worktreeShape = z.strictObject({
  root: key(
    outside,
    "The folder that holds them, from `/` or `~/` on; outside the repository.",
    "`~/orch-trees`, else `orch-trees` beside the repository where that is on another disk",
  ),
  include: key(
    list(pattern),
    "Which ignored files are copied into them: patterns as in `.gitignore`, instead of those in a `.worktreeinclude` of the checkout. `[]`: none.",
    "installed dependencies and settings of the machine, such as `node_modules`, `.env`",
  ),
  setup: key(
    setup,
    "A shell command that is run once in a fresh worktree, such as `npm ci`; or `{ run, timeout }`.",
    "none",
  ),
  prepare: key(
    setup,
    "A shell command that is run on each commit before its gates, where they run: code generators, builds that tests need. As `setup`, it may be `{ run, timeout }`.",
    "none",
  ),
  neighbours: key(
    list(neighbour),
    'Folders beside the repository that it needs, such as `"../shared"`: linked beside every worktree, where an agent can change them.',
    "none",
  ),
});

export function worktreeOf(written: z.infer<typeof worktreeShape>): WorktreeSettings {
  const { root: folder = null, include = null, neighbours = [] } = written;
  return {
    root: folder,
    include,
    setup: setupOf(written.setup),
    prepare: setupOf(written.prepare),
    neighbours: neighbours.map((beside) => beside.slice("../".length)),
  };
}

function setupOf(written: z.infer<typeof setup> | undefined): SetupCommand | null {
  if (written === undefined) return null;
  if (typeof written === "string") return { run: written, timeoutMs: milliseconds(SETUP_TIMEOUT) };
  return { run: written.run, timeoutMs: milliseconds(written.timeout) };
}

const sandbox = z.strictObject({
  use: keyWith(z.enum(SANDBOXES), "bwrap", ['`"none"`: no sandbox.']),
  network: keyWith(z.enum(NETWORKS), "all", [
    'Who reaches the network: `"all"`, `"agents"` (gates and setup do not), or `"none"`.',
  ]),
  read: keyWith(list(outside), [], ["What else can be read: paths from `/` or `~/` on."]),
  write: keyWith(list(outside), [], ["What else can be written."]),
  userns: keyWith(z.boolean(), false, [
    "Whether programs inside may make user namespaces of their own: browsers want to.",
  ]),
});

export const sandboxShape = z.union([z.enum(SANDBOXES), sandbox], {
  error: 'expected "none", "bwrap", or { network: "agents", read: ["~/.cargo"] }',
});

export function sandboxOf(written: z.infer<typeof sandboxShape> = "none"): SandboxSettings {
  if (typeof written !== "string") return written;
  return { use: written, network: "all", read: [], write: [], userns: false };
}
