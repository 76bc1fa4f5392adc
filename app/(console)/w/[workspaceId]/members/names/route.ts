import { defineSessionRoute } from "@/app/_server/session-route";
import { listMembers } from "@/lib/tenancy/workspaces";

/** The members by e-mail address, for the forms that choose some of them. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }) => {
  const members = await listMembers(context, { workspaceId });
  return Response.json({ names: members.map(({ userId, email }) => ({ id: userId, name: email })) });
});
