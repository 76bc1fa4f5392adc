"use server";

import { redirect } from "next/navigation";

import { answerAction } from "@/app/_server/action";
import { endPresentSession } from "@/app/_server/auth";

export async function signOutAction(): Promise<void> {
  await answerAction(endPresentSession);
  redirect("/sign-in");
}
