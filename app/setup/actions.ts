"use server";
import { z } from "zod";

import { answerAction } from "@/app/_server/action";
import { startSession } from "@/app/_server/auth";
import { requestFacts } from "@/app/_server/page";
import { database } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { now } from "@/lib/platform/clock";
import { completeSetup } from "@/lib/tenancy/sign-in";
import type { SetupInput } from "./_components/setup-flow";

const Setup = z.strictObject({
  token: z.string().max(200),
  email: z.string(),
  workspaceName: z.string(),
  webAppName: z.string(),
  origins: z.array(z.string()).max(200),
});

/** Completes the first set-up and signs the owner in. */
export const completeSetupAction = async (input: SetupInput) =>
  answerAction(async () => {
    const parsed = Setup.safeParse(input);
    if (!parsed.success) throw new AppError("invalid_request");
    const at = now();
    const made = await completeSetup({ db: database(), now: at, ...(await requestFacts()) }, parsed.data);
    await startSession(made.userId, at, "set-up");
    return { workspaceId: made.workspaceId, environmentId: made.environmentId, secret: made.apiKey };
  });
