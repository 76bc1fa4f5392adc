import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";

import { EarlyInput } from "@/components/ui/early-input";
import { Theme } from "@/components/ui/theme";
import { policyNonce } from "./_server/nonce";
import { mono, sans } from "./fonts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Imprint", template: "%s · Imprint" },
  description: "Self-hosted device identity and access risk for sensitive actions",
  referrer: "strict-origin-when-cross-origin",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfcfd" },
    { media: "(prefers-color-scheme: dark)", color: "#0b0e14" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Every page carries the nonce of its own response, so none is prerendered.
  await connection();
  const nonce = await policyNonce();
  return (
    <html lang="en" className={`${sans.variable} ${mono.variable}`} suppressHydrationWarning>
      <body>
        <EarlyInput nonce={nonce} />
        <a
          href="#main"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60 focus:rounded-md focus:bg-fg focus:px-3 focus:py-2 focus:text-bg"
        >
          Skip to content
        </a>
        <Theme nonce={nonce}>
          <div className="app-root">{children}</div>
        </Theme>
      </body>
    </html>
  );
}
