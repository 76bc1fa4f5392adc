"use client";

import { useRouter } from "next/navigation";

import { Button } from "@/components/ui/button";
import type { Action } from "@/components/ui/action-result";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";

type Input = { workspaceId: string; webAppId: string; origins: string[] };

/** Adds one origin to the list of a Web App. */
export function AllowOrigin({ input, allow }: { input: Input; allow: Action<Input, unknown> }) {
  const { run, result, isPending } = useAction(allow);
  const router = useRouter();
  return (
    <>
      <Button
        variant="primary"
        isPending={isPending}
        onClick={() => {
          run(input, () => {
            router.refresh();
          });
        }}
      >
        Allow this origin
      </Button>
      <Refusal result={result} />
    </>
  );
}
