const KINDS: Record<string, string> = { operator: "the command line", system: "the service" };

/** Who made something, in words: the member's address, or what kind of actor it was. */
export const creatorName = (createdBy: string, members: readonly { userId: string; email: string }[]): string =>
  members.find(({ userId }) => userId === createdBy)?.email ??
  KINDS[createdBy] ??
  (createdBy.startsWith("usr_") ? "a former member" : createdBy);
