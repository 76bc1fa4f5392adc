/** Days for which the log of tool calls is kept, unless its workspace keeps visits for less. */
export const TOOL_CALL_DAYS = 90;

/** Which calls of a log are wanted. */
export type ToolCallFilter = {
  tool?: string | undefined;
  clientId?: string | undefined;
  userId?: string | undefined;
  imprint?: string | undefined;
  /** `answered`, `refused`, or the error code of a refusal. */
  outcome?: string | undefined;
  /** From this instant on. */
  from?: Date | undefined;
  /** Before this instant. */
  to?: Date | undefined;
};
