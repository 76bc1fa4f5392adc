import { defineSessionRoute } from "@/app/_server/session-route";
import { listWebApps } from "@/lib/tenancy/web-apps";

/** The Web Apps by name, for the palette. */
export const GET = defineSessionRoute<{ workspaceId: string }>(async (context, { workspaceId }) => {
  const webApps = await listWebApps(context, { workspaceId });
  return Response.json({ webApps: webApps.map(({ webAppId, name }) => ({ webAppId, name })) });
});
