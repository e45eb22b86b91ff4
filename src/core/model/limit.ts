// What can there be too much of?

/** The limits that end a task when they are reached; the last two are the run's. */
export type LimitName = "cost" | "tokens" | "time" | "sessions" | RunLimitName;

export type RunLimitName = "run cost" | "run time";

/** Room that people added to limits, each in the limit's own unit. */
export type Extensions = Readonly<Partial<Record<LimitName, number>>>;

export type LimitUnit = "usd" | "tokens" | "time" | "count";

export const LIMIT_UNITS: Readonly<Record<LimitName, LimitUnit>> = {
  cost: "usd",
  "run cost": "usd",
  tokens: "tokens",
  time: "time",
  "run time": "time",
  sessions: "count",
};
