/** Days for which tool calls are logged, unless their workspace's retention is shorter. */
export const TOOL_CALL_DAYS = 90;

/** Filter of the log of tool calls. */
export type ToolCallFilter = {
  tool?: string | undefined;
  clientId?: string | undefined;
  userId?: string | undefined;
  imprint?: string | undefined;
  /** `answered`, `refused`, or the error code of a refusal. */
  outcome?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
};
