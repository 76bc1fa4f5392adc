"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";

type Props = {
  workspaceId: string;
  /** Share of the data that is stored. */
  percent: number;
  /** Creation was interrupted: nothing more will be stored. */
  isStuck: boolean;
  /** Undefined for members who may not delete it. */
  remove: Action<{ workspaceId: string }, unknown> | undefined;
};

const INTERVAL_MS = 2_000;

/** Marks every page of a demo workspace, shows the progress of its creation, and offers to delete it. */
export function DemoBanner({ workspaceId, percent, isStuck, remove }: Props) {
  const router = useRouter();
  const isMaking = percent < 100 && !isStuck;
  useEffect(() => {
    if (!isMaking) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, INTERVAL_MS);
    return () => {
      clearInterval(timer);
    };
  }, [isMaking, router]);
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md border border-dashed border-border-strong px-3.5 py-2">
      <p role="status">
        <span className="font-semibold">Demo data.</span>{" "}
        {isMaking ? (
          <>
            Being made: {percent} %{" "}
            <span aria-hidden className="ml-1 inline-block h-1.5 w-28 overflow-hidden rounded-full bg-surface-2">
              <span className="mark block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
            </span>
          </>
        ) : isStuck ? (
          "Making it was interrupted. Delete this workspace and make another one."
        ) : (
          "Everything in this workspace is simulated."
        )}
      </p>
      {remove && !isMaking ? (
        <Confirm
          trigger={<Button size="sm">Delete this workspace…</Button>}
          title="Delete this workspace of demo data?"
          confirmLabel="Delete workspace"
          action={remove}
          input={{ workspaceId }}
          done="The demo data are deleted"
          next="/"
        >
          All of its visits, Web Apps and keys are deleted, with everything added to it since. Other workspaces stay as
          they are. It takes a few seconds.
        </Confirm>
      ) : null}
    </div>
  );
}
