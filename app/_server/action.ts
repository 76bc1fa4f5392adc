import { headers } from "next/headers";
import type { z } from "zod";

import type { ActionResult } from "@/components/ui/action-result";
import { database } from "@/db/client";
import { now } from "@/lib/platform/clock";
import type { Context } from "@/lib/platform/context";
import { baseUrl } from "@/lib/platform/env";
import { AppError, ERRORS, isAppError } from "@/lib/contract/errors";
import { markActionStarted } from "@/lib/interfaces/http/action-calls";
import { isSentByOwnPage } from "@/lib/interfaces/http/own-page";
import { log } from "@/lib/platform/log";
import { isStorableValue, unstorable } from "@/lib/platform/storable";
import type { SignedIn } from "@/lib/tenancy/sign-in";
import { currentActor, requestFacts, requestId, requestOperation } from "./page";
import { rememberWrite } from "./recent-write";

/** Whether a page of this service sent the current action's request. */
export async function isOwnRequest(): Promise<boolean> {
  markActionStarted(await requestId());
  return isSentByOwnPage(await headers(), baseUrl());
}

/**
 * CSRF protection: actions authenticate by cookie, so only pages of this service may call them.
 *
 * @throws AppError `forbidden`
 */
export async function requireOwnOrigin(): Promise<void> {
  if (!(await isOwnRequest()))
    throw new AppError("forbidden", { message: "This request did not come from a page of this service" });
}

/** Runs `work` and converts errors to a result for display in a form. */
export async function answerAction<T>(work: () => Promise<T>): Promise<ActionResult<T>> {
  try {
    await requireOwnOrigin();
    const value = await work();
    await rememberWrite();
    return { ok: true, value };
  } catch (error) {
    const id = await requestId();
    const code = isAppError(error) ? error.code : "internal_error";
    if (ERRORS[code].status >= 500)
      log.error({ err: error, operation: await requestOperation(), requestId: id }, "an action failed");
    return { ok: false, code, message: isAppError(error) ? error.message : ERRORS[code].message, requestId: id };
  }
}

/**
 * A browser has one session for all its tabs: a form that one person opened must not act as another who signed in since.
 *
 * @param person for whom the page with the form was drawn; pages of 0.1.0 do not say
 * @throws AppError `forbidden`
 */
function requireSamePerson({ userId, email }: SignedIn, person: string | undefined): void {
  if (person === userId) return;
  const reload = "This page is of an earlier release. Nothing was changed. Reload it, then repeat this";
  if (person === undefined) throw new AppError("forbidden", { message: reload });
  throw new AppError("forbidden", {
    message: `This page was opened by somebody else: this browser is now signed in as ${email}. Nothing was changed. Reload the page to continue as ${email}, or sign in as that other person in another tab and repeat this`,
  });
}

/**
 * Defines an action for signed-in people: checks its origin, its actor, for whom the page was drawn, and the shape of
 * its input, then runs one verb.
 */
export function defineAction<Schema extends z.ZodType, Output>(
  schema: Schema,
  verb: (context: Context, input: z.output<Schema>) => Promise<Output>,
) {
  return (input: z.input<Schema>, person: string | undefined): Promise<ActionResult<Output>> =>
    answerAction(async () => {
      const actor = await currentActor();
      if (!actor) throw new AppError("auth_failed", { message: "You are signed out. Sign in again, then repeat this" });
      requireSamePerson(actor, person);
      const parsed = schema.safeParse(input);
      if (!parsed.success) throw new AppError("invalid_request");
      // Only now: fields of a form may name one another, and n levels of two names each would be walked 2^n times.
      if (!isStorableValue(parsed.data)) throw unstorable("A field");
      return await verb({ db: database(), now: now(), actor, ...(await requestFacts()) }, parsed.data);
    });
}
