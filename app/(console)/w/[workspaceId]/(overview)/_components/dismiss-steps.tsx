"use client";

import { useRouter } from "next/navigation";

import { dismiss, SETUP_COOKIE } from "@/components/shell/setup-cookie";
import { Button } from "@/components/ui/button";

const YEAR_SECONDS = 365 * 86_400;

/** Dismisses the first steps from the Overview for this person. */
export function DismissSteps({ workspaceId, cookie }: { workspaceId: string; cookie: string | undefined }) {
  const router = useRouter();
  return (
    <Button
      size="sm"
      variant="ghost"
      onClick={() => {
        const value = dismiss(cookie, workspaceId);
        document.cookie = `${SETUP_COOKIE}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
        router.refresh();
      }}
    >
      Dismiss
    </Button>
  );
}
