import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";

import { ThemeSwitch } from "@/components/ui/theme-switch";
import { Wordmark } from "@/components/ui/wordmark";

export default function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b bg-surface">
        <div className="mx-auto flex h-13 max-w-320 items-center gap-5 px-4 sm:px-6">
          <Wordmark />
          <nav aria-label="Site" className="ml-auto flex items-center gap-4 sm:ml-4">
            <Link href="/docs" className="py-1 text-fg-muted hover:text-fg">
              Docs
            </Link>
            <Link href="/docs/api" className="hidden py-1 text-fg-muted hover:text-fg sm:inline">
              API
            </Link>
            <Link href="/sign-in" className="py-1 text-fg-muted hover:text-fg">
              Console
            </Link>
          </nav>
          <div className="ml-auto hidden sm:block">
            <ThemeSwitch />
          </div>
        </div>
      </header>
      {children}
    </div>
  );
}
