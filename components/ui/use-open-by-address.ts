"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";

/** The part of an address that opens a dialog of its page. */
export const OPEN_PARAMETER = "open";

/** Whether a dialog is open; one that the address asks for opens, and the address forgets it. */
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
