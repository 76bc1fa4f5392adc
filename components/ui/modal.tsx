"use client";

import {
  createContext,
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { createPortal } from "react-dom";

import { cn } from "./class-names";

const ModalContext = createContext({ dismiss: () => {}, isHeld: false });

/** Whether the enclosing modal must be answered before it can be closed. */
export const useIsHeld = (): boolean => use(ModalContext).isHeld;

/** Closes the enclosing modal. */
export const useDismiss = (): (() => void) => use(ModalContext).dismiss;

/** Whether the pointer is on the backdrop. */
function isBehind(event: MouseEvent<HTMLDialogElement>): boolean {
  if (event.target !== event.currentTarget) return false;
  const { left, right, top, bottom } = event.currentTarget.getBoundingClientRect();
  return event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
}

type Props = {
  /** Id of the element that labels it. */
  titleId: string;
  onDismiss: () => void;
  mustBeAnswered?: boolean;
  className?: string;
  children: ReactNode;
};

/**
 * The browser's own modal dialog, open while it is rendered: it keeps the focus inside, makes the rest of the
 * page inert, and restores the focus afterwards.
 */
export function Modal({ titleId, onDismiss, mustBeAnswered = false, className, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressedBehind = useRef(false);
  const context = useMemo(() => ({ dismiss: onDismiss, isHeld: mustBeAnswered }), [onDismiss, mustBeAnswered]);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Close before React removes it: only a closed dialog restores the focus.
    return () => element?.close();
  }, []);
  useEffect(() => {
    // The button that had the focus may be replaced, with its form, by the result.
    if (document.activeElement === document.body) dialog.current?.focus();
  });

  // Browsers close a dialog without a cancel event if Escape is pressed twice.
  const onForcedClose = (event: SyntheticEvent<HTMLDialogElement>) => {
    // In development, React closes and reopens it once, and receives the event late.
    if (event.currentTarget.open) return;
    if (mustBeAnswered) event.currentTarget.showModal();
    else onDismiss();
  };
  return createPortal(
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={titleId}
      closedby={mustBeAnswered ? "none" : "closerequest"}
      onCancel={(event) => {
        event.preventDefault();
        if (!mustBeAnswered) onDismiss();
      }}
      onClose={onForcedClose}
      onMouseDown={(event) => {
        isPressedBehind.current = isBehind(event);
      }}
      onClick={(event) => {
        if (!mustBeAnswered && isPressedBehind.current && isBehind(event)) onDismiss();
      }}
      className={cn(
        "flex flex-col overscroll-contain base:bg-surface text-sm text-fg shadow-2xl backdrop:bg-[oklch(0_0_0/.45)]",
        className,
      )}
    >
      <ModalContext value={context}>{children}</ModalContext>
    </dialog>,
    document.body,
  );
}
