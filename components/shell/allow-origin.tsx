"use client";

import { useRouter } from "next/navigation";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { Refusal } from "@/components/ui/refusal";
import { useToast } from "@/components/ui/toast";
import { useAction } from "@/components/ui/use-action";

type Props = {
  workspaceId: string;
  webAppId: string;
  origin: string;
  allow: Action<{ workspaceId: string; webAppId: string; origins: string[] }, unknown>;
};

/** Allows a refused origin. */
export function AllowOrigin({ workspaceId, webAppId, origin, allow }: Props) {
  const { run, isPending, result } = useAction(allow);
  const router = useRouter();
  const toast = useToast();
  return (
    <>
      <Button
        size="sm"
        isPending={isPending}
        aria-label={`Allow ${origin}`}
        onClick={() => {
          run({ workspaceId, webAppId, origins: [origin] }, () => {
            toast.show("Origin allowed", `${origin} may submit from now on.`);
            router.refresh();
          });
        }}
      >
        Allow
      </Button>
      <Refusal result={result} />
    </>
  );
}
