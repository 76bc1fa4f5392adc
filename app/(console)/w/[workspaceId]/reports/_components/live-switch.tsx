"use client";

import { lazy, Suspense, useState } from "react";

import { choiceStyle } from "@/components/ui/choice";
import type { LiveTailProps } from "./live-tail";

/** Shown if the code could not be loaded: offline, or after an upgrade of the service. */
const Missing = () => (
  <span role="alert" className="text-xs text-fg-muted">
    not loaded: reload the page
  </span>
);

/** Loaded on demand: few people watch the list. */
const LiveTail = lazy(() => import("./live-tail").catch(() => ({ default: Missing })));

/** Keeps the list up to date while it is on. */
export function LiveSwitch(props: LiveTailProps) {
  const [isOn, setOn] = useState(false);
  return (
    <span className="inline-flex items-center gap-2">
      <button
        type="button"
        aria-pressed={isOn}
        className={choiceStyle(isOn)}
        onClick={() => {
          setOn(!isOn);
        }}
      >
        <span aria-hidden className={`mark mr-1.5 size-1.5 rounded-full ${isOn ? "bg-accent" : "bg-border-strong"}`} />
        Live
      </button>
      {isOn ? (
        <Suspense>
          <LiveTail {...props} />
        </Suspense>
      ) : null}
    </span>
  );
}
