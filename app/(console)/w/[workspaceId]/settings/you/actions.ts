"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { endOtherSessions, endSession, unlinkProvider } from "@/lib/tenancy/sign-in";

const userId = z.string();

const end = defineAction(z.strictObject({ userId, sessionId: z.string() }), endSession);
const endOthers = defineAction(z.strictObject({ userId }), endOtherSessions);
const unlink = defineAction(z.strictObject({ userId, provider: z.string() }), unlinkProvider);

export const endSessionAction = async (input: Parameters<typeof end>[0]) => end(input);
export const endOtherSessionsAction = async (input: Parameters<typeof endOthers>[0]) => endOthers(input);
export const unlinkProviderAction = async (input: Parameters<typeof unlink>[0]) => unlink(input);
