// What do the gates in a record of measurements say, and was what fails failing before?

import type { GateSum } from "../../core/model/verdict.ts";
import { amountOf, fieldsOf } from "./leaves.ts";
import type { Leaf } from "./leaves.ts";

type Light = "passed" | "failed" | "unknown";

export interface GateReading {
  readonly gates: GateSum;
  readonly anyPassed: boolean;
  readonly failuresKnown: boolean | null;
}

const WORDS: Readonly<Record<string, Light>> = {
  true: "passed",
  pass: "passed",
  passed: "passed",
  green: "passed",
  ok: "passed",
  success: "passed",
  false: "failed",
  fail: "failed",
  failed: "failed",
  red: "failed",
  failure: "failed",
};

const GATES_MAX = 100;

export function readGates(record: unknown, leaves: readonly Leaf[]): GateReading {
  const fields = fieldsOf(record) ?? {};
  const lights = requiredLights(fields);
  const sum = lights.length === 0 ? sumOfCounts(leaves) : sumOf(lights);
  const emptyRun = sum !== "failed" && sum !== "ungated" && ranNothing(leaves);
  const excused = sum === "failed" && failedOutside(leaves);
  return {
    gates: emptyRun || excused ? "unknown" : sum,
    anyPassed: !emptyRun && lights.includes("passed"),
    failuresKnown: failuresKnown(leaves),
  };
}

function requiredLights(fields: Readonly<Record<string, unknown>>): readonly Light[] {
  const listed = Array.isArray(fields["required"]) ? fields["required"] : null;
  const gates = gatesOf(fields["gates"] ?? fields["gate"] ?? fields["verdict"]);
  return gates
    .slice(0, GATES_MAX)
    .filter(([name, value]) => isRequired(name, value) && (listed?.includes(name) ?? true))
    .map(([, value]) => lightOf(value));
}

function gatesOf(raw: unknown): readonly (readonly [string, unknown])[] {
  if (raw === undefined) return [];
  if (Array.isArray(raw)) {
    return raw.map((gate: unknown, at) => {
      const name = fieldsOf(gate)?.["name"];
      return [typeof name === "string" ? name : String(at), gate];
    });
  }
  const fields = fieldsOf(raw);
  return fields === null ? [["gate", raw]] : Object.entries(fields);
}

function isRequired(_name: string, gate: unknown): boolean {
  return fieldsOf(gate)?.["required"] !== false;
}

function lightOf(raw: unknown): Light {
  const fields = fieldsOf(raw);
  if (fields !== null) {
    const inner = ["verdict", "result", "passed", "ok", "status", "kind", "value"].find(
      (key) => fields[key] !== undefined,
    );
    const value = inner === undefined ? null : fields[inner];
    return fieldsOf(value) === null ? lightOf(value) : lightOf(fieldsOf(value)?.["kind"]);
  }
  const word = typeof raw === "string" || typeof raw === "boolean" ? String(raw) : "";
  return Object.hasOwn(WORDS, word.toLowerCase())
    ? (WORDS[word.toLowerCase()] ?? "unknown")
    : "unknown";
}

function sumOf(lights: readonly Light[]): GateSum {
  if (lights.includes("failed")) return "failed";
  return lights.includes("unknown") ? "unknown" : "passed";
}

/** Without gates a count of failures or an exit code still says that something is red. */
function sumOfCounts(leaves: readonly Leaf[]): GateSum {
  const red = leaves.some(
    ({ path, value }) => typeof value === "number" && value !== 0 && RED.test(path) && isNow(path),
  );
  return red ? "failed" : "ungated";
}

const RED =
  /^(?:(?:counts?|results?|tests?|ci|build|lint|types?) )*(?:failed|failing|failures|exit code|exit status|(?:build|type|lint|compile) errors|errors|tests failed)$/;

function isNow(path: string): boolean {
  return !/\b(?:before|base|baseline|previous|main|known)\b/.test(path);
}

/** A run that checked nothing proves nothing, whatever its exit code was. */
function ranNothing(leaves: readonly Leaf[]): boolean {
  const counts = leaves.filter(({ path, value }) => typeof value === "number" && isNow(path));
  const ran = counts.filter(
    ({ path }) =>
      /\b(?:executed|collected|tests? run|checks run|ran|total|tests|passed|failed)$/.test(path) &&
      !/\bdiff\b/.test(path),
  );
  const sized = ran.filter(({ path }) => !/\bfailed$/.test(path));
  return sized.length > 0 && ran.every((leaf) => amountOf(leaf) === 0);
}

/** The world failed and not the work: such a red light is no verdict. */
function failedOutside(leaves: readonly Leaf[]): boolean {
  return leaves.some(
    ({ path, value }) =>
      /\b(?:cause|reason|why|error|kind|failure|infra\w*|flaky|killed|timed out)\b/.test(path) &&
      (value === true
        ? /\b(?:infra\w*|flaky|killed|timed out)\b/.test(path)
        : typeof value === "string" &&
          /\b(?:network|infra\w*|timed?[ -]?out|killed|oom|enotfound|econn\w*|etimedout|runner (?:lost|died)|tool missing)\b/i.test(
            value,
          )),
  );
}

const BASE = /\b(?:baseline|base|before|main|pre ?existing|known)\b/;

/** null: nobody looked at the base. */
function failuresKnown(leaves: readonly Leaf[]): boolean | null {
  const flag = leaves.find(
    ({ path, value }) =>
      typeof value === "boolean" &&
      (/\bpre ?existing\b|\bsame(?: (?:failures?|set|failing|tests?|as base\w*))?$|\balso fail\w*/.test(
        path,
      ) ||
        (BASE.test(path) && /\b(?:fails?|failing) (?:too|same|also|on base)\b/.test(path))),
  );
  if (flag !== undefined) return flag.value === true;
  const fresh = leaves.find(({ path }) => /\bnew (?:failures?|failing|failed)\b/.test(path));
  if (fresh !== undefined) return amountOf(fresh) === 0;
  return sameFailures(leaves);
}

function sameFailures(leaves: readonly Leaf[]): boolean | null {
  const failing = leaves.filter(({ path }) =>
    /\b(?:failed|failing|failures|red|tests failed)\b/.test(path),
  );
  const now = failing.find(({ path }) => isNow(path) && !BASE.test(path));
  const base = failing.find(({ path }) => BASE.test(path));
  if (now === undefined || base === undefined) return null;
  if (now.items.length > 0) return now.items.every((item) => base.items.includes(item));
  const [some, known] = [amountOf(now), amountOf(base)];
  return some === null || known === null ? null : some > 0 && some <= known;
}
