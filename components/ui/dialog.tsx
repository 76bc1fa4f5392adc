"use client";

import { X } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useId, useRef } from "react";

import { Button } from "./button";
import { cn } from "./class-names";
import { Modal, useDismiss, useIsHeld } from "./modal";
import { withProps } from "./with-props";

/**
 * A modal dialog. With `mustBeAnswered`, neither a click outside nor Escape closes it, for dialogs in which closing too
 * early loses something permanently, such as the result of a running action.
 */
export function Dialog(props: {
  title: string;
  description?: ReactNode;
  trigger?: ReactElement;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onClosed?: () => void;
  mustBeAnswered?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const { open, onOpenChange, onClosed, mustBeAnswered = false } = props;
  const titleId = useId();
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !open) onClosed?.();
    wasOpen.current = open;
  }, [open, onClosed]);
  return (
    <>
      {props.trigger
        ? withProps(props.trigger, {
            "aria-haspopup": "dialog",
            onClick: () => {
              onOpenChange(true);
            },
          })
        : null}
      {open ? (
        <Modal
          titleId={titleId}
          mustBeAnswered={mustBeAnswered}
          onDismiss={() => {
            onOpenChange(false);
          }}
          className={cn(
            "fixed inset-0 m-auto max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] max-w-120 overflow-y-auto rounded-lg border",
            props.className,
          )}
        >
          <h2 id={titleId} className="px-5 pt-4 pr-14 text-base font-semibold">
            {props.title}
          </h2>
          {props.description ? <p className="px-5 pt-1 text-fg-muted">{props.description}</p> : null}
          <div className="px-5 pt-4 pb-5">{props.children}</div>
          {/* Last in focus order, so that a dialog opens on its first field. */}
          {mustBeAnswered ? null : <DialogDismiss label="Close" className="absolute top-3.5 right-3.5" />}
        </Modal>
      ) : null}
    </>
  );
}

/** Icon button that closes the enclosing dialog. */
export function DialogDismiss({ label, className }: { label: string; className?: string }) {
  return (
    <Button variant="ghost" size="icon" aria-label={label} onClick={useDismiss()} className={className}>
      <X aria-hidden />
    </Button>
  );
}

/** Closes the enclosing dialog, unless it must be answered first. */
export function DialogClose({ children }: { children: ReactNode }) {
  return (
    <Button onClick={useDismiss()} disabled={useIsHeld()}>
      {children}
    </Button>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
