"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, use, useMemo, useTransition } from "react";

const NavigationContext = createContext<{ begin: (navigate: () => void) => void }>({
  begin: (navigate) => {
    navigate();
  },
});

/** Tells that a link begins to open its page: it is on its way until the router shows it. */
export function useBeginNavigation(): () => void {
  const { begin } = use(NavigationContext);
  return () => {
    // The router's own update in the same event is in the same transition.
    begin(() => undefined);
  };
}

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
  return (
    <NavigationContext value={value}>
      {children}
      <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-50 print:hidden">
        {isPending ? (
          <div data-navigating className="late mark h-0.5 animate-pulse bg-accent">
            <span className="sr-only">The page is on its way</span>
          </div>
        ) : null}
      </div>
    </NavigationContext>
  );
}
