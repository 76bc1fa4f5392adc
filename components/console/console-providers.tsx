"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";

import { ToastProvider } from "@/components/ui/toast";

/** What the controls of the Console stand in: the nonce for their styles, and toasts. */
export function ConsoleProviders({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <CSPProvider nonce={nonce}>
      <ToastProvider>{children}</ToastProvider>
    </CSPProvider>
  );
}
