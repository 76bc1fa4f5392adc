import { useRouter } from "next/navigation";
import { useEffect } from "react";

/**
 * Reads a page anew to which somebody returns by Back or Forward. The router and the browser show it as it was left,
 * though its data may have changed and its session ended since.
 */
export function useRefreshOnReturn(): void {
  const router = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onReturn = () => {
      clearTimeout(timer);
      // After the router's own listener, which would discard a refresh that has begun.
      timer = setTimeout(() => {
        router.refresh();
      });
    };
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onReturn();
    };
    window.addEventListener("popstate", onReturn);
    window.addEventListener("pageshow", onShow);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("popstate", onReturn);
      window.removeEventListener("pageshow", onShow);
    };
  }, [router]);
}
