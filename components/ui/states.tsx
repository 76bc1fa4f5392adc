import { Inbox, Lock, SearchX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { CopyButton } from "./copy-button";

function State(props: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  role?: "alert" | "status";
}) {
  return (
    <div role={props.role} className="flex flex-col items-center gap-1 px-4 py-12 text-center">
      <div className="mb-2 text-fg-muted [&_svg]:size-5">{props.icon}</div>
      <p className="font-semibold">{props.title}</p>
      {props.children ? <div className="max-w-110 text-balance text-fg-muted">{props.children}</div> : null}
      {props.action ? <div className="mt-3 flex flex-wrap justify-center gap-2">{props.action}</div> : null}
    </div>
  );
}

/** Empty state: what will appear here, and the one action. */
export function EmptyState(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return <State icon={<Inbox aria-hidden />} {...props} />;
}

/** Nothing matches the filters. */
export function NoMatchState(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return <State icon={<SearchX aria-hidden />} {...props} />;
}

/** Error state: what failed, the request id to quote, and a retry. */
export function ErrorState(props: {
  title: string;
  children?: ReactNode;
  requestId?: string | undefined;
  action?: ReactNode;
}) {
  return (
    <State icon={<TriangleAlert aria-hidden />} title={props.title} action={props.action} role="alert">
      {props.children}
      {props.requestId ? (
        <p className="mt-1">
          Request <code className="font-mono text-xs">{props.requestId}</code>{" "}
          <CopyButton value={props.requestId} label="Copy the request id" />
        </p>
      ) : null}
    </State>
  );
}

/** Not included in the plan or role: says so instead of appearing empty. */
export function RestrictedState(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return <State icon={<Lock aria-hidden />} {...props} />;
}

/** One value that this member may not see. */
export function Restricted({ what = "Restricted" }: { what?: string }) {
  return (
    <span
      className="font-sans text-sm whitespace-nowrap text-fg-muted"
      title="Needs the permission to see addresses and places"
    >
      <Lock aria-hidden className="mr-1 inline size-3 align-[-0.0625rem]" />
      {what}
    </span>
  );
}
