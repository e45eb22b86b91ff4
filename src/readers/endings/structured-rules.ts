// What does structured evidence say by itself, and what does it leave to the words?

import type { BlockerType } from "../../core/model/blocker.ts";
import type { EndingContext } from "./ending-context.ts";

export type StructuredType = BlockerType | "none";

export interface StructuredRule {
  readonly id: string;
  readonly type: StructuredType;
  readonly when: (context: EndingContext) => boolean;
}

/** Definitive by themselves: no text is looked at. In order. */
export const STRUCTURED_RULES = [
  {
    id: "limit-rejected",
    type: "usage_limit",
    when: ({ event, status }) => event === "rate_limit_event" && status === "rejected",
  },
  {
    id: "limit-allowed",
    type: "none",
    when: ({ event, status }) =>
      event === "rate_limit_event" && (status ?? "").startsWith("allowed"),
  },
  {
    id: "turns-spent",
    type: "phase_incomplete",
    when: (context) =>
      TURNS.includes(context.subtype ?? "") ||
      TURNS.includes(context.stopReason ?? "") ||
      context.exitCode === 53,
  },
  {
    id: "budget-spent",
    type: "resource_exhausted",
    when: ({ subtype, stopReason }) =>
      subtype === "error_max_budget_usd" || stopReason === "budget_exhausted",
  },
  {
    id: "context-full",
    type: "context_exhaustion",
    when: ({ stopReason }) => CONTEXT.includes(stopReason ?? ""),
  },
  { id: "refused", type: "permission_policy", when: ({ stopReason }) => stopReason === "refusal" },
  {
    id: "event-succeeded",
    type: "none",
    when: ({ event, subtype, isError, httpStatus }) =>
      event === "result" && subtype === "success" && isError === false && httpStatus === null,
  },
  {
    id: "command-timed-out",
    type: "timeout",
    when: ({ exitCode, httpStatus }) => exitCode === 124 && httpStatus === null,
  },
] as const satisfies readonly StructuredRule[];

/** A provider's answer picks the group; the words pick among its types, and without words it is the first. */
export interface FaultGroup {
  readonly id: string;
  readonly statuses: readonly number[];
  /** The provider's error types and codes, in lower case. */
  readonly names: readonly string[];
  readonly types: readonly BlockerType[];
}

/** Exact names come before statuses, which come before vague names (see `groupOf`). */
export const FAULT_GROUPS = [
  {
    id: "api-overloaded",
    statuses: [500, 502, 503, 520, 521, 522, 523, 524, 529],
    names: [
      "overloaded_error",
      "overloaded",
      "server_error",
      "internal_server_error",
      "internal",
      "unavailable",
      "server_is_overloaded",
      "service_unavailable_error",
      "api_error",
    ],
    types: [
      "overloaded",
      "timeout",
      "resource_exhausted",
      "rate_limit",
      "usage_limit",
      "context_exhaustion",
    ],
  },
  {
    id: "api-deadline",
    statuses: [408, 504],
    names: ["timeout_error", "deadline_exceeded"],
    types: ["overloaded", "timeout"],
  },
  {
    id: "api-billing",
    statuses: [402],
    names: [
      "billing_error",
      "insufficient_quota",
      "billing_hard_limit_reached",
      "billing_not_active",
    ],
    types: ["resource_exhausted"],
  },
  {
    id: "api-credential",
    statuses: [401, 407],
    names: [
      "authentication_error",
      "authentication_failed",
      "invalid_api_key",
      "unauthenticated",
      "account_deactivated",
    ],
    types: ["missing_credential"],
  },
  {
    id: "api-throttle",
    statuses: [429],
    names: [
      "rate_limit_error",
      "rate_limit",
      "rate_limit_exceeded",
      "resource_exhausted",
      "too_many_requests",
      "throttlingexception",
    ],
    types: ["rate_limit", "usage_limit", "resource_exhausted", "overloaded"],
  },
  {
    id: "api-window",
    statuses: [],
    names: ["usage_limit_reached", "usage_limit_exceeded", "usage_not_included"],
    types: ["usage_limit"],
  },
  {
    id: "api-context",
    statuses: [413],
    names: ["request_too_large", "context_length_exceeded", "contextoverflowerror"],
    types: ["context_exhaustion"],
  },
  {
    id: "api-model",
    statuses: [],
    names: ["model_not_found"],
    types: ["invalid_specification", "permission_policy"],
  },
  {
    id: "api-permission",
    statuses: [403, 451],
    names: ["permission_error", "permission_denied", "content_filter"],
    types: [
      "permission_policy",
      "rate_limit",
      "usage_limit",
      "resource_exhausted",
      "missing_credential",
    ],
  },
  {
    id: "api-rejected",
    statuses: [400, 422],
    names: ["invalid_request_error", "invalid_request", "invalid_argument"],
    types: [
      "unresolvable_build_error",
      "context_exhaustion",
      "resource_exhausted",
      "usage_limit",
      "rate_limit",
      "missing_credential",
      "permission_policy",
      "invalid_specification",
    ],
  },
  {
    id: "api-not-found",
    statuses: [404],
    names: ["not_found_error", "not_found"],
    types: [
      "invalid_specification",
      "missing_dependency",
      "permission_policy",
      "missing_credential",
      "agent_usage_error",
    ],
  },
] as const satisfies readonly FaultGroup[];

export type StructuredRuleId =
  | (typeof STRUCTURED_RULES)[number]["id"]
  | (typeof FAULT_GROUPS)[number]["id"];

type Group = (typeof FAULT_GROUPS)[number];

/** A status is asked before a name where the name is vague: `invalid_request_error` comes with many. */
export function groupOf({ httpStatus, apiErrorType }: EndingContext): Group | null {
  const name = (apiErrorType ?? "").toLowerCase();
  const byName = FAULT_GROUPS.find((group: FaultGroup) => group.names.includes(name)) ?? null;
  const byStatus =
    FAULT_GROUPS.find((group: FaultGroup) => group.statuses.includes(httpStatus ?? 0)) ?? null;
  return VAGUE.includes(name) ? (byStatus ?? byName) : (byName ?? byStatus);
}

const TURNS = [
  "error_max_turns",
  "max_turns",
  "max_turn_requests",
  "error_max_structured_output_retries",
  "max_tokens",
  "structured_output_retry_exhausted",
];
const CONTEXT = ["prompt_too_long", "model_context_window_exceeded", "image_error"];
const VAGUE = [
  "invalid_request_error",
  "invalid_request",
  "api_error",
  "internal",
  "permission_error",
];
