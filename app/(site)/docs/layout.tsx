import type { ReactNode } from "react";

import { DocsNavigation, DocsNeighbours } from "./_components/docs-navigation";

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-320 flex-1 flex-col gap-x-10 px-4 sm:px-6 nav:flex-row">
      <DocsNavigation />
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 pt-6 pb-20 outline-none nav:pt-10">
        {children}
        <DocsNeighbours />
      </main>
    </div>
  );
}
