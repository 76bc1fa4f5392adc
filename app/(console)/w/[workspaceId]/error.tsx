"use client";

import { useRouter } from "next/navigation";
import { startTransition } from "react";

import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import { ErrorState } from "@/components/ui/states";

export default function ConsoleError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const router = useRouter();
  return (
    <>
      <h1 className="sr-only">This page could not be shown</h1>
      <Panel>
        <ErrorState
          title="This page could not be shown"
          requestId={error.digest}
          action={
            <Button
              variant="primary"
              onClick={() => {
                startTransition(() => {
                  router.refresh();
                  reset();
                });
              }}
            >
              Try again
            </Button>
          }
        >
          The service or its database did not answer. Nothing is lost; trying again is safe.
        </ErrorState>
      </Panel>
    </>
  );
}
