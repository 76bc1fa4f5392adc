"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { endOtherSessions, endSession, unlinkProvider } from "@/lib/tenancy/sign-in";

const userId = z.string();

export const endSessionAction = defineAction(z.strictObject({ userId, sessionId: z.string() }), endSession);
export const endOtherSessionsAction = defineAction(z.strictObject({ userId }), endOtherSessions);
export const unlinkProviderAction = defineAction(z.strictObject({ userId, provider: z.string() }), unlinkProvider);
