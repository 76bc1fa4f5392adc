"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";

/** Query parameter that opens a dialog of the page. */
export const OPEN_PARAMETER = "open";

/** Whether a dialog is open. A dialog named in the URL opens, and the URL is cleared. */
export function useOpenByAddress(name: string): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  const path = usePathname();
  const isAsked = useSearchParams().get(OPEN_PARAMETER) === name;
  useEffect(() => {
    if (!isAsked) return;
    setOpen(true);
    history.replaceState(null, "", path);
  }, [isAsked, path]);
  return [isOpen, setOpen];
}
