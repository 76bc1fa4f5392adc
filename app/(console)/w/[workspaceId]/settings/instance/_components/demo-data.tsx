"use client";

import { pageHref } from "@/components/shell/pages";
import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Panel } from "@/components/ui/panel";

/** Creates a demo workspace and opens it. */
export function DemoData({ create }: { create: Action<Record<string, never>, { workspaceId: string }> }) {
  return (
    <Panel id="demo-data" title="Demo data">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
        <p className="min-w-0 flex-1 basis-72 text-fg-muted">
          A separate workspace with 90 days of simulated visits, one attack included, to explore. One button deletes it
          again.
        </p>
        <Confirm
          trigger={<Button>Make demo data…</Button>}
          title="Make a workspace of demo data?"
          confirmLabel="Make demo data"
          isSafe
          action={create}
          input={{}}
          next={({ workspaceId }) => pageHref("overview", { workspaceId })}
        >
          It takes up to a minute, and pages answer more slowly meanwhile. Your other workspaces do not change.
        </Confirm>
      </div>
    </Panel>
  );
}
