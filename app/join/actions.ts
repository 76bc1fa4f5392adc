"use server";

import { redirect } from "next/navigation";

import { answerAction } from "@/app/_server/action";
import { startSession } from "@/app/_server/auth";
import { formField } from "@/app/_server/form-field";
import { currentActor, requestFacts } from "@/app/_server/page";
import { database } from "@/db/client";
import { now } from "@/lib/platform/clock";
import { acceptInvitation } from "@/lib/tenancy/workspaces";
import { pageHref } from "@/components/shell/pages";

/** Accepts an invitation and signs a new person in. Returns the reason if it was refused. */
export async function joinAction(_before: string | undefined, form: FormData): Promise<string | undefined> {
  const token = formField(form, "token").slice(0, 200);
  const answer = await answerAction(async () => {
    const at = now();
    const context = { db: database(), now: at, actor: await currentActor(), ...(await requestFacts()) };
    const joined = await acceptInvitation(context, { token });
    if (joined.isNew) await startSession(joined.userId, at, "invitation");
    return joined;
  });
  if (!answer.ok) return answer.message;
  redirect(pageHref("overview", { workspaceId: answer.value.workspaceId }));
}
