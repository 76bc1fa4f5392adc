"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

import { failureText, LiveClient, usePolled } from "@/components/shell/live-client";

const INTERVAL_MS = 3_000;
const NOTHING_NEWER = { count: 0, hasMore: false };

export type NewerAnswer = { count: number; hasMore: boolean };
/** The route that counts Reports newer than the first one of the list. */
export type LiveTailProps = { newerPath: string };

function Tail({ newerPath }: LiveTailProps) {
  const router = useRouter();
  const { data, error } = usePolled<NewerAnswer>(newerPath, NOTHING_NEWER, INTERVAL_MS);
  const { count, hasMore } = data;
  useEffect(() => {
    if (count > 0) router.refresh();
  }, [count, newerPath, router]);
  const news = `${count}${hasMore ? " or more" : ""} new`;
  const text = error ? failureText(error) : count > 0 ? news : "checking every 3 s";
  return (
    <span role="status" className="text-xs text-fg-muted">
      {text}
    </span>
  );
}

/** Polls every three seconds while the page is visible, and refreshes the list when there are new Reports. */
export default function LiveTail(props: LiveTailProps) {
  return (
    <LiveClient>
      <Tail {...props} />
    </LiveClient>
  );
}
