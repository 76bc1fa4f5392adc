"use client";

import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";

/** The chosen theme, set before the first paint by a script that carries the page's nonce. */
export function Theme({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider attribute="class" disableTransitionOnChange {...(nonce === undefined ? {} : { nonce })}>
      {children}
    </ThemeProvider>
  );
}
