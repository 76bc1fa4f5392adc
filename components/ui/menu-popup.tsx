"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

import { cn } from "./class-names";
import { indexFor } from "./menu-keys";

const ITEMS = "[role=menuitem]:not([aria-disabled=true])";
/** Distance from the control and from the window edges, in CSS pixels. */
const GAP = 4;
const MARGIN = 8;

const itemsOf = (popup: HTMLElement) => [...popup.querySelectorAll<HTMLElement>(ITEMS)];

const itemAt = (target: EventTarget) => (target instanceof Element ? target.closest<HTMLElement>(ITEMS) : null);

/** Below the control, or above it if there is no room below. */
function place(popup: HTMLElement, anchor: HTMLElement, align: "start" | "end") {
  const box = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popup;
  const wanted = align === "start" ? box.left : box.right - width;
  const hasRoomBelow = box.bottom + GAP + height + MARGIN <= window.innerHeight;
  const top = hasRoomBelow ? box.bottom + GAP : box.top - GAP - height;
  popup.style.left = `${Math.max(MARGIN, Math.min(wanted, window.innerWidth - width - MARGIN))}px`;
  popup.style.top = `${Math.max(MARGIN, top)}px`;
}

type Props = {
  id: string;
  /** The trigger. */
  anchor: HTMLElement;
  /** Focus the first item on opening. */
  isByKeyboard: boolean;
  align: "start" | "end";
  className: string | undefined;
  onClose: () => void;
  children: ReactNode;
};

/** Popup of an open menu, above everything else on the page. */
export function MenuPopup({ id, anchor, isByKeyboard, align, className, onClose, children }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const popup = ref.current;
    if (!popup) return;
    popup.showPopover();
    place(popup, anchor, align);
    ((isByKeyboard ? itemsOf(popup)[0] : undefined) ?? popup).focus({ preventScroll: true });
    return () => {
      popup.hidePopover();
    };
  }, [anchor, align, isByKeyboard]);

  const onPress = useEffectEvent(({ target }: PointerEvent) => {
    const isInside = target instanceof Node && [ref.current, anchor].some((own) => own?.contains(target));
    if (!isInside) onClose();
  });
  const onMove = useEffectEvent(() => {
    if (ref.current) place(ref.current, anchor, align);
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener(
      "pointerdown",
      (event) => {
        onPress(event);
      },
      { signal, capture: true },
    );
    window.addEventListener(
      "scroll",
      () => {
        onMove();
      },
      { signal, capture: true },
    );
    window.addEventListener(
      "resize",
      () => {
        onMove();
      },
      { signal },
    );
    return () => {
      listening.abort();
    };
  }, []);

  const closeToAnchor = () => {
    anchor.focus();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const items = itemsOf(event.currentTarget);
    const current = items.findIndex((item) => item === document.activeElement);
    const names = items.map(({ textContent }) => textContent);
    const next = indexFor(event.key, names, current);
    if (next !== undefined) items[next]?.focus();
    else if (event.key === " ") items[current]?.click();
    else if (event.key === "Escape" || event.key === "Tab") closeToAnchor();
    else return;
    // Tab continues from the trigger.
    if (event.key !== "Tab") event.preventDefault();
  };
  return createPortal(
    <div
      ref={ref}
      id={id}
      role="menu"
      tabIndex={-1}
      popover="manual"
      onKeyDown={onKeyDown}
      onPointerMove={(event) => itemAt(event.target)?.focus({ preventScroll: true })}
      onClick={(event) => {
        if (itemAt(event.target)) closeToAnchor();
      }}
      className={cn(
        "inset-auto max-h-[calc(100dvh-16px)] max-w-[calc(100vw-16px)] min-w-44 rounded-md border bg-surface p-1 text-sm text-fg shadow-lg outline-none",
        className,
      )}
    >
      {children}
    </div>,
    // Everything outside an open dialog is inert.
    anchor.closest("dialog") ?? document.body,
  );
}
