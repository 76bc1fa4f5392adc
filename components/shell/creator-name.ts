const KINDS: Record<string, string> = { operator: "the command line", system: "the service" };

/** Name of the creator: the member's email address, or the kind of actor. */
export const creatorName = (createdBy: string, members: readonly { userId: string; email: string }[]): string =>
  members.find(({ userId }) => userId === createdBy)?.email ??
  KINDS[createdBy] ??
  (createdBy.startsWith("usr_") ? "a former member" : createdBy);
