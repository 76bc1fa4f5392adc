"use server";

import { requireOwnOrigin } from "@/app/_server/action";
import { signOut } from "@/app/_server/auth";

export async function signOutAction(): Promise<void> {
  await requireOwnOrigin();
  await signOut({ redirectTo: "/sign-in" });
}
