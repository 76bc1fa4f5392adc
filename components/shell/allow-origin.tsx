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
  /** Where the page explains what follows: a larger button, without a message afterwards. */
  isMain?: boolean;
  onAllowed?: () => void;
};

/** Allows a refused origin. */
export function AllowOrigin({ workspaceId, webAppId, origin, allow, isMain = false, onAllowed }: Props) {
  const { run, isPending, result } = useAction(allow);
  const router = useRouter();
  const toast = useToast();
  return (
    <>
      <Button
        {...(isMain ? { variant: "primary" } : { size: "sm", "aria-label": `Allow ${origin}` })}
        isPending={isPending}
        onClick={() => {
          run({ workspaceId, webAppId, origins: [origin] }, () => {
            if (!isMain) toast.show("Origin allowed", `${origin} may submit from now on.`);
            onAllowed?.();
            router.refresh();
          });
        }}
      >
        {isMain ? "Allow this origin" : "Allow"}
      </Button>
      <Refusal result={result} />
    </>
  );
}
