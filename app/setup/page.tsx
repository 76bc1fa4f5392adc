import type { Metadata } from "next";

import { explainOriginsAction } from "@/app/(console)/actions/origins";
import { database } from "@/db/client";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { checkSetupToken } from "@/lib/tenancy/sign-in";
import { SetupFlow } from "./_components/setup-flow";
import { completeSetupAction } from "./actions";

export const metadata: Metadata = { title: "Set up", robots: { index: false }, referrer: "same-origin" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function SetupPage({ searchParams }: Props) {
  const given = (await searchParams)["token"];
  const token = typeof given === "string" ? given.slice(0, 200) : "";
  const isOpen = token !== "" && (await checkSetupToken(database(), token));
  // Always the same component: signing the owner in re-renders this page while it shows the secret.
  return (
    <SetupFlow
      token={token}
      isOpen={isOpen}
      adminCommand={ADMIN_COMMAND}
      complete={completeSetupAction}
      explainOrigins={explainOriginsAction}
    />
  );
}
