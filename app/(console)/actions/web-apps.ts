"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import {
  addOrigins,
  archiveWebApp,
  createWebApp,
  pauseWebApp,
  removeOrigin,
  renameWebApp,
  resumeWebApp,
} from "@/lib/tenancy/web-apps";

const workspaceId = z.string();
const ofWebApp = z.strictObject({ workspaceId, webAppId: z.string() });
const origins = z.array(z.string()).max(400);

export const createWebAppAction = defineAction(
  z.strictObject({ workspaceId, name: z.string(), origins }),
  async (context, input) => {
    const { webAppId, environmentId, apiKey } = await createWebApp(context, input);
    return { webAppId, environmentId, secret: apiKey };
  },
);
export const addOriginsAction = defineAction(ofWebApp.extend({ origins }), addOrigins);
export const removeOriginAction = defineAction(ofWebApp.extend({ origin: z.string() }), removeOrigin);
export const renameWebAppAction = defineAction(ofWebApp.extend({ name: z.string() }), renameWebApp);

const CHANGES = { pause: pauseWebApp, resume: resumeWebApp, archive: archiveWebApp } as const;
export const changeWebAppAction = defineAction(
  ofWebApp.extend({ change: z.enum(["pause", "resume", "archive"]) }),
  (context, { change: name, ...webApp }) => CHANGES[name](context, webApp),
);
