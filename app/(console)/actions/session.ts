"use server";

import { redirect } from "next/navigation";

import { answerAction } from "@/app/_server/action";
import { endPresentSession } from "@/app/_server/auth";

/** Leads to the sign-in page; throws if the session could not be ended, so that nobody takes it for ended. */
export async function signOutAction(): Promise<void> {
  const answer = await answerAction(endPresentSession);
  if (!answer.ok) throw new Error(`The session could not be ended: ${answer.code}`);
  redirect("/sign-in");
}
