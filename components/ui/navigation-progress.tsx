"use client";

import { useRouter } from "next/navigation";
import { createContext, type MouseEvent, type ReactNode, use, useMemo, useTransition } from "react";

const NavigationContext = createContext<{ begin: (navigate: () => void) => void }>({
  begin: (navigate) => {
    navigate();
  },
});

/** Opens a page of the Console, which shows that it is on its way. */
export function useNavigate(): (href: string) => void {
  const { begin } = use(NavigationContext);
  const router = useRouter();
  return (href) => {
    begin(() => {
      router.push(href);
    });
  };
}

/** Shows while a page is on its way: on a slow network nothing else would answer a click. */
export function NavigationProgress({ children }: { children: ReactNode }) {
  const [isPending, begin] = useTransition();
  const value = useMemo(() => ({ begin }), [begin]);
  const onClick = (event: MouseEvent) => {
    // The router has begun to open the page of a link in this event, and its own update is in the same transition.
    if (event.defaultPrevented && event.target instanceof Element && event.target.closest("a")) begin(() => undefined);
  };
  return (
    <NavigationContext value={value}>
      <div className="contents" onClick={onClick}>
        {children}
      </div>
      <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-50 print:hidden">
        {isPending ? (
          <div data-navigating className="late mark h-0.5 animate-pulse bg-accent">
            <span className="sr-only">Loading the page</span>
          </div>
        ) : null}
      </div>
    </NavigationContext>
  );
}
