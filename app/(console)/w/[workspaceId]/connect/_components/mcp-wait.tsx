"use client";

import { pageHref } from "@/components/shell/pages";
import { Button, ButtonLink } from "@/components/ui/button";
import { failureText, LiveClient, usePolled } from "@/components/shell/live-client";

const INTERVAL_MS = 3_000;

export type McpCallsAnswer = {
  /** Names of the clients that the person connected. */
  connected: readonly string[];
  called: { client: string; tool: string } | null;
};

type Props = { workspaceId: string; since: string; initial: McpCallsAnswer };

function heading({ connected, called }: McpCallsAnswer): { text: string; note: string } {
  if (called) return { text: `${called.client} has called`, note: `${called.tool} answered. It works.` };
  const [name] = connected;
  if (name === undefined) return { text: "Waiting for a client", note: "add the server to one, and sign in there" };
  return { text: "Waiting for the first tool call", note: `${connected.join(", ")} connected; ask it for your usage` };
}

function Wait({ workspaceId, since, initial }: Props) {
  const { data, error, refetch } = usePolled(
    `${pageHref("connect", { workspaceId })}/calls?since=${encodeURIComponent(since)}`,
    initial,
    INTERVAL_MS,
    ({ called }) => called !== null,
  );
  const { text, note } = heading(data);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-dashed border-border-strong px-3.5 py-2.5">
      <p role="status" className="flex min-w-0 flex-wrap items-center gap-x-2.5">
        <span
          aria-hidden
          className={`mark size-2 shrink-0 rounded-full ${data.called ? "bg-pass-mark" : "bg-susp-mark"}`}
        />
        <span className="font-semibold">{text}</span>
        <span className="text-fg-muted">{error ? failureText(error) : note}</span>
      </p>
      {data.called ? <ButtonLink href={pageHref("clients", { workspaceId })}>Connected clients</ButtonLink> : null}
      {error ? (
        <Button size="sm" onClick={() => void refetch()}>
          Check now
        </Button>
      ) : null}
    </div>
  );
}

/** Watches for the first call of a connected client, every three seconds while the page is visible. */
export function McpWait(props: Props) {
  return (
    <LiveClient>
      <Wait {...props} />
      <noscript>
        <p className="mt-2 text-fg-muted">Load this page again to check.</p>
      </noscript>
    </LiveClient>
  );
}
