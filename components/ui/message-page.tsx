import type { ReactNode } from "react";

import { Wordmark } from "./wordmark";

/** A page with a short message, in a narrow column. */
export function MessagePage(props: { title: string; children: ReactNode; isWide?: boolean }) {
  return (
    <main id="main" tabIndex={-1} className="mx-auto flex min-h-dvh w-full flex-col px-4 py-8 outline-none sm:py-16">
      <div className={`mx-auto w-full ${props.isWide ? "max-w-160" : "max-w-104"}`}>
        <Wordmark />
        <h1 className="mt-8 text-title font-semibold">{props.title}</h1>
        <div className="mt-3 flex flex-col gap-4">{props.children}</div>
      </div>
    </main>
  );
}
