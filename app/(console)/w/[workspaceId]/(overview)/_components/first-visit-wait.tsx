"use client";

import { useState } from "react";

import { RiskBadge } from "@/components/report/risk-badge";
import { AllowOrigin } from "@/components/shell/allow-origin";
import { pageHref } from "@/components/shell/pages";
import { Button, ButtonLink } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/time";
import type { ReportStatus } from "@/lib/contract/report";
import type { Action } from "@/components/ui/action-result";
import { failureText, LiveClient, usePolled } from "@/components/shell/live-client";

const INTERVAL_MS = 3_000;

export type FirstVisitAnswer = {
  at: string;
  first: { imprint: string; status: ReportStatus } | null;
  refused: { webAppId: string; webAppName: string; origin: string; lastSeenAt: string; canBeAllowed: boolean } | null;
};

type AllowInput = { workspaceId: string; webAppId: string; origins: string[] };
type Props = {
  workspaceId: string;
  /** Only a visit recorded after this instant counts. */
  since: string;
  canAllow: boolean;
  initial: FirstVisitAnswer;
  allow: Action<AllowInput, unknown>;
};

const explain = (origin: string): string => {
  if (origin === "") return "The request named no origin. The component must run on a page served by a web server.";
  if (origin === "*") return "Many different origins were refused; the Web App lists them.";
  return "This origin is not on the list. Scheme, host and port must match exactly.";
};

type RefusedOrigin = NonNullable<FirstVisitAnswer["refused"]>;

function Refused({
  refused,
  at,
  props,
  onAllowed,
}: {
  refused: RefusedOrigin;
  at: string;
  props: Props;
  onAllowed: (allowed: RefusedOrigin) => void;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t pt-2.5">
      <div className="min-w-0">
        <p>
          Last refused, <RelativeTime at={refused.lastSeenAt} now={at} />:{" "}
          <code className="font-mono text-xs break-all">{refused.origin || "(no origin)"}</code>
        </p>
        <p className="text-fg-muted">{explain(refused.origin)}</p>
      </div>
      {refused.canBeAllowed && props.canAllow ? (
        <AllowOrigin
          workspaceId={props.workspaceId}
          webAppId={refused.webAppId}
          origin={refused.origin}
          allow={props.allow}
          isMain
          onAllowed={() => {
            onAllowed(refused);
          }}
        />
      ) : null}
    </div>
  );
}

/** Time after which the usual causes are listed. */
const PATIENCE_MS = 60_000;

function UsualCauses() {
  return (
    <div className="border-t pt-2.5 text-fg-muted">
      <p className="text-fg">Nothing arrived and nothing was refused. The usual causes:</p>
      <ul className="list-disc pl-5">
        <li>The page with the component has not been opened yet, or is an older copy from a cache.</li>
        <li>Its Content-Security-Policy does not allow this service under script-src and connect-src.</li>
        <li>
          A content blocker stopped the request.{" "}
          <a className="link" href="/docs/component#first-party-proxying">
            Serve the component from your own domain
          </a>
          .
        </li>
        <li>The environment id in the page differs from the one above.</li>
      </ul>
    </div>
  );
}

function Wait(props: Props) {
  const { workspaceId, since, initial } = props;
  const { data, error, refetch } = usePolled(
    `${pageHref("overview", { workspaceId })}/first-visit?since=${encodeURIComponent(since)}`,
    initial,
    INTERVAL_MS,
    (answer) => answer.first !== null,
  );
  const { first, refused, at } = data;
  // Kept separately, because the answer omits an allowed origin: the next step stays visible until the first visit.
  const [allowed, setAllowed] = useState<RefusedOrigin>();
  const isAllowed = refused?.origin === allowed?.origin && refused?.webAppId === allowed?.webAppId;
  const open = isAllowed ? null : refused;
  return (
    <div className="mt-3 flex flex-col gap-2.5 rounded-md border border-dashed border-border-strong px-3.5 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p role="status" className="flex flex-wrap items-center gap-x-2.5">
          <span aria-hidden className={`mark size-2 rounded-full ${first ? "bg-pass-mark" : "bg-susp-mark"}`} />
          <span className="font-semibold">{first ? "The first visit is here" : "Waiting for the first visit"}</span>
          {first ? null : <span className="text-fg-muted">{error ? failureText(error) : "checking every 3 s"}</span>}
        </p>
        {first ? (
          <span className="flex items-center gap-3">
            <RiskBadge status={first.status} />
            <ButtonLink variant="primary" href={pageHref("report", { workspaceId, imprint: first.imprint })}>
              Open the Report
            </ButtonLink>
          </span>
        ) : error ? (
          <Button size="sm" onClick={() => void refetch()}>
            Check now
          </Button>
        ) : (
          <span className="text-fg-muted">nothing counted yet</span>
        )}
      </div>
      {allowed && !first ? (
        <p className="border-t pt-2.5 text-fg-muted">
          <code className="font-mono text-xs break-all text-fg">{allowed.origin}</code> is allowed now. Load your page
          again.
        </p>
      ) : null}
      {open && !first ? <Refused refused={open} at={at} props={props} onAllowed={setAllowed} /> : null}
      {!open && !first && !allowed && Date.parse(at) - Date.parse(since) > PATIENCE_MS ? <UsualCauses /> : null}
    </div>
  );
}

/** Watches for the first visit, every three seconds while the page is visible. */
export function FirstVisitWait(props: Props) {
  return (
    <LiveClient>
      <Wait {...props} />
      <noscript>
        <p className="mt-2 text-fg-muted">Load this page again to check.</p>
      </noscript>
    </LiveClient>
  );
}
