import { foreign } from "@/components/ui/foreign";
import { actorWords } from "@/lib/platform/actor-words";

function emailOf(userId: string, members: readonly { userId: string; email: string }[]): string | undefined {
  const email = members.find((member) => member.userId === userId)?.email;
  return email === undefined ? undefined : foreign(email);
}

/** Name of the creator: the member's email address, or the kind of actor. */
export const creatorName = (createdBy: string, members: readonly { userId: string; email: string }[]): string =>
  emailOf(createdBy, members) ??
  actorWords(createdBy) ??
  (createdBy.startsWith("usr_") ? "a former member" : createdBy);

/** Name of an actor of a stored row: the member's email address, or the kind of actor. */
export const actorName = (kind: string, id: string, members: readonly { userId: string; email: string }[]): string =>
  creatorName(kind === "user" ? id : kind, members);
