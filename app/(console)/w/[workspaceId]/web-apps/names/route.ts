import { defineSessionRoute } from "@/app/_server/session-route";
import { listWebApps } from "@/lib/tenancy/web-apps";

/** The Web Apps by name, for the palette and the forms that choose some of them. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }) => {
  const webApps = await listWebApps(context, { workspaceId });
  return Response.json({ names: webApps.map(({ webAppId, name }) => ({ id: webAppId, name })) });
});
