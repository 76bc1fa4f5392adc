import type { ReactNode } from "react";

import { DocsNavigation } from "./_components/docs-navigation";
import { DOC_PAGES, GENERATED_PAGES } from "./pages";

export default function DocsLayout({ children }: { children: ReactNode }) {
  const entries = [...DOC_PAGES, ...GENERATED_PAGES].map(({ slug, title }) => ({ href: `/docs/${slug}`, title }));
  return (
    <div className="mx-auto flex w-full max-w-320 flex-1 flex-col gap-x-10 px-4 sm:px-6 nav:flex-row">
      <DocsNavigation entries={entries} />
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 pt-6 pb-20 outline-none nav:pt-10">
        {children}
      </main>
    </div>
  );
}
