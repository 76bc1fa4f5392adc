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

const create = defineAction(z.strictObject({ workspaceId, name: z.string(), origins }), async (context, input) => {
  const { webAppId, environmentId, apiKey } = await createWebApp(context, input);
  return { webAppId, environmentId, secret: apiKey };
});
const add = defineAction(ofWebApp.extend({ origins }), addOrigins);
const remove = defineAction(ofWebApp.extend({ origin: z.string() }), removeOrigin);
const rename = defineAction(ofWebApp.extend({ name: z.string() }), renameWebApp);

const CHANGES = { pause: pauseWebApp, resume: resumeWebApp, archive: archiveWebApp } as const;
const change = defineAction(
  ofWebApp.extend({ change: z.enum(["pause", "resume", "archive"]) }),
  (context, { change: name, ...webApp }) => CHANGES[name](context, webApp),
);

export const createWebAppAction = async (input: Parameters<typeof create>[0]) => create(input);
export const addOriginsAction = async (input: Parameters<typeof add>[0]) => add(input);
export const removeOriginAction = async (input: Parameters<typeof remove>[0]) => remove(input);
export const renameWebAppAction = async (input: Parameters<typeof rename>[0]) => rename(input);
export const changeWebAppAction = async (input: Parameters<typeof change>[0]) => change(input);
