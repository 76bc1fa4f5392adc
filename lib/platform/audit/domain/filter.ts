export type AuditFilter = {
  /** An exact action, `api_key.rotate`, or every action on a resource, `api_key`. */
  action?: string | undefined;
  /** Id of a user, key or client, or a kind of actor such as `operator`. */
  actor?: string | undefined;
  target?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
};
