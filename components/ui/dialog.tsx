"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactElement, ReactNode } from "react";

import { buttonStyle } from "./button";
import { cn } from "./class-names";

/**
 * A modal dialog. With `mustBeAnswered` neither a click outside nor Escape closes it:
 * used where closing too early loses something for good.
 */
export function Dialog(props: {
  title: string;
  description?: ReactNode;
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  onClosed?: () => void;
  mustBeAnswered?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const { open, onOpenChange, onClosed, mustBeAnswered = false } = props;
  return (
    <Base.Root
      {...(open === undefined ? {} : { open })}
      disablePointerDismissal={mustBeAnswered}
      onOpenChange={(next, details) => {
        if (mustBeAnswered && (details.reason === "escape-key" || details.reason === "outside-press")) {
          details.cancel();
          return;
        }
        onOpenChange?.(next);
      }}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) onClosed?.();
      }}
    >
      {props.trigger ? <Base.Trigger render={props.trigger} /> : null}
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[oklch(0_0_0/.45)] transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          className={cn(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] max-w-120 -translate-x-1/2 -translate-y-1/2 flex-col overflow-y-auto rounded-lg border bg-surface shadow-2xl transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0",
            props.className,
          )}
        >
          <Base.Title className="px-5 pt-4 pr-14 text-base font-semibold">{props.title}</Base.Title>
          {props.description ? (
            <Base.Description className="px-5 pt-1 text-sm text-fg-muted">{props.description}</Base.Description>
          ) : null}
          <div className="px-5 pt-4 pb-5">{props.children}</div>
          {/* Last in the order of focus, so that a dialog opens on its first field. */}
          {mustBeAnswered ? null : (
            <Base.Close
              aria-label="Close"
              className={cn(buttonStyle({ variant: "ghost", size: "icon" }), "absolute top-3.5 right-3.5")}
            >
              <X aria-hidden />
            </Base.Close>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Closes the dialog around it. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Base.Close className={buttonStyle({ variant: "secondary" })}>{children}</Base.Close>;
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
