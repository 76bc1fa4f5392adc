"use client";

import { type ReactNode, useEffect, useRef } from "react";

type Props = { className?: string; isInFlow?: boolean; children: ReactNode };

/**
 * A `details` element that Escape closes. Its content covers what is below it, so a press outside and a focus that moves
 * on close it too, unless it is in the flow of the page. Opens without scripts.
 */
export function Dropdown({ className, isInFlow = false, children }: Props) {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isInFlow) return;
    const onPress = ({ target }: PointerEvent) => {
      const details = ref.current;
      if (details?.open && target instanceof Node && !details.contains(target)) details.open = false;
    };
    document.addEventListener("pointerdown", onPress, { capture: true });
    return () => {
      document.removeEventListener("pointerdown", onPress, { capture: true });
    };
  }, [isInFlow]);
  return (
    <details
      ref={ref}
      className={className}
      onKeyDown={(event) => {
        const details = event.currentTarget;
        // One within this one closes first.
        if (event.key !== "Escape" || event.defaultPrevented || !details.open) return;
        // A search field in it would be cleared.
        event.preventDefault();
        details.querySelector("summary")?.focus();
        details.open = false;
      }}
      onBlur={({ currentTarget: details, relatedTarget: next }) => {
        if (!isInFlow && next !== null && !details.contains(next)) details.open = false;
      }}
    >
      {children}
    </details>
  );
}
