// What does a provider's answer mean, by its HTTP status and the name it gives the fault?

import type { BlockerType } from "../../core/model/blocker.ts";
import type { FaultKind } from "../../core/model/session.ts";

export interface FaultRow {
  readonly id: string;
  readonly kind: FaultKind;
  readonly type: BlockerType;
  /** Comes with many causes: where the words of the message name one, it is that. */
  readonly isBroad?: true;
  readonly statuses: readonly number[];
  /** The provider's error types and codes, in lower case, apart by spaces. */
  readonly names: string;
}

/** The one table of its kind: endings are read with it, and every driver names its faults by it. */
export const FAULT_ROWS = [
  {
    id: "api-overloaded",
    kind: "overloaded",
    type: "overloaded",
    statuses: [529],
    names: "overloaded_error overloaded server_is_overloaded",
  },
  {
    id: "api-server",
    kind: "server-error",
    type: "overloaded",
    statuses: [408, 500, 502, 503, 504, 520, 521, 522, 523, 524],
    names:
      "server_error internal_server_error internal unavailable service_unavailable_error api_error timeout_error deadline_exceeded",
  },
  {
    id: "api-billing",
    kind: "billing",
    type: "resource_exhausted",
    statuses: [402],
    names:
      "billing_error insufficient_quota billing_hard_limit_reached billing_not_active error_max_budget_usd",
  },
  {
    id: "api-credential",
    kind: "authentication",
    type: "missing_credential",
    statuses: [401, 407],
    names:
      "authentication_error authentication_failed oauth_org_not_allowed invalid_api_key unauthenticated account_deactivated",
  },
  {
    id: "api-throttle",
    kind: "rate-limit",
    type: "rate_limit",
    isBroad: true,
    statuses: [429],
    names:
      "rate_limit_error rate_limit rate_limit_exceeded resource_exhausted too_many_requests throttlingexception",
  },
  {
    id: "api-window",
    kind: "usage-limit",
    type: "usage_limit",
    statuses: [],
    names: "usage_limit_reached usage_limit_exceeded usage_not_included",
  },
  {
    id: "api-context",
    kind: "context-overflow",
    type: "context_exhaustion",
    statuses: [413],
    names:
      "request_too_large context_length_exceeded contextoverflowerror prompt_too_long model_context_window_exceeded",
  },
  {
    id: "api-model",
    kind: "model-not-found",
    type: "invalid_specification",
    isBroad: true,
    statuses: [404],
    names: "model_not_found not_found_error not_found",
  },
  {
    id: "api-permission",
    kind: "permission",
    type: "permission_policy",
    isBroad: true,
    statuses: [403, 451],
    names: "permission_error permission_denied content_filter refusal",
  },
  {
    id: "api-rejected",
    kind: "bad-request",
    type: "unresolvable_build_error",
    isBroad: true,
    statuses: [400, 422],
    names: "invalid_request_error invalid_request invalid_argument",
  },
] as const satisfies readonly FaultRow[];

export type FaultRowId = (typeof FAULT_ROWS)[number]["id"];
type KnownRow = FaultRow & { readonly id: FaultRowId };

/** Names that come with many a status and say less than it does. */
const VAGUE =
  "api_error authentication_failed internal invalid_request invalid_request_error permission_error server_error";

/** An exact name beats the status, which beats a vague name. null: neither is known. */
export function faultRow(httpStatus: number | null, name: string | null): KnownRow | null {
  const rows: readonly KnownRow[] = FAULT_ROWS;
  const word = (name ?? "").toLowerCase();
  const isIn = (names: string): boolean => names.split(" ").includes(word);
  const byName = rows.find(({ names }) => isIn(names)) ?? null;
  const byStatus = rows.find(({ statuses }) => statuses.includes(httpStatus ?? 0)) ?? null;
  return isIn(VAGUE) ? (byStatus ?? byName) : (byName ?? byStatus);
}
