export type AuditFilter = {
  /** A whole action, `api_key.rotate`, or all of a resource, `api_key`. */
  action?: string | undefined;
  /** A person's or client's id, or a kind of actor such as `operator`. */
  actor?: string | undefined;
  target?: string | undefined;
  /** From this instant on. */
  from?: Date | undefined;
  /** Before this instant. */
  to?: Date | undefined;
};
