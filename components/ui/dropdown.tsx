"use client";

import { type ReactNode, useEffect, useRef } from "react";

type Props = { className?: string; children: ReactNode };

/**
 * A `details` element whose content covers what is below it: Escape, a press outside and a focus that moves on close it.
 * Opens without scripts.
 */
export function Dropdown({ className, children }: Props) {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      const details = ref.current;
      if (details?.open && target instanceof Node && !details.contains(target)) details.open = false;
    };
    document.addEventListener("pointerdown", onPress, { capture: true });
    return () => {
      document.removeEventListener("pointerdown", onPress, { capture: true });
    };
  }, []);
  return (
    <details
      ref={ref}
      className={className}
      onKeyDown={(event) => {
        const details = event.currentTarget;
        if (event.key !== "Escape" || !details.open) return;
        // A search field in it would be cleared.
        event.preventDefault();
        details.querySelector("summary")?.focus();
        details.open = false;
      }}
      onBlur={({ currentTarget: details, relatedTarget: next }) => {
        if (next !== null && !details.contains(next)) details.open = false;
      }}
    >
      {children}
    </details>
  );
}
